import { Button, Grid, List, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { listMembersInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { SettingsFrame } from '../../parts/settings/settings-frame.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { OwnersOnly, useProject } from '../../parts/project.tsx';
import { members as text } from '../../strings/members.ts';
import { ChangeDialog, type Change } from './change-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersTable } from './members-table.tsx';
import { OpenInvitations } from './open-invitations.tsx';

export function Page() {
  const { id: projectId } = useProject();
  const [inviting, setInviting] = useState(false);
  const [change, setChange] = useState<Change | null>(null);
  const members = useInfiniteQuery({
    ...listMembersInfiniteOptions({ path: { projectId }, query: { limit: 100 } }),
    ...morePages({ projectId }),
  });
  const items = members.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <SettingsFrame
      title={text.title}
      actions={
        <OwnersOnly>
          <Button onClick={() => setInviting(true)}>{text.invite}</Button>
        </OwnersOnly>
      }
    >
      <Text>{text.intro}</Text>
      <QueryProblem query={members} />
      {members.isPending && <Loading />}
      {items.length > 0 && <MembersTable members={items} onChange={setChange} />}
      <LoadMore list={members} />
      <OwnersOnly>
        <OpenInvitations />
      </OwnersOnly>
      <Roles />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {change !== null && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </SettingsFrame>
  );
}

function Roles() {
  const roles = [
    { may: text.editorMay, list: text.editorMayList },
    { may: text.ownerMay, list: text.ownerMayList },
  ];
  return (
    <section aria-labelledby="roles">
      <Title order={2} size="h4" mb="xs" id="roles">
        {text.rolesTitle}
      </Title>
      <Grid>
        {roles.map(({ may, list }) => (
          <Grid.Col key={may} span={{ base: 12, md: 6 }}>
            <Text size="sm" fw={600}>
              {may}
            </Text>
            <List size="sm">
              {list.map((each) => (
                <List.Item key={each}>{each}</List.Item>
              ))}
            </List>
          </Grid.Col>
        ))}
      </Grid>
    </section>
  );
}
