import { Button, List, SimpleGrid, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { listMembersInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { Fold } from '../../parts/looks/fold.tsx';
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
          <Button leftSection={<UserPlus />} onClick={() => setInviting(true)}>
            {text.invite}
          </Button>
        </OwnersOnly>
      }
    >
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
    { role: text.editor, list: text.editorMayList },
    { role: text.owner, list: text.ownerMayList },
  ];
  return (
    <Fold title={text.rolesTitle}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {roles.map(({ role, list }) => (
          <div key={role}>
            <Text fw={600}>{role}</Text>
            <List size="sm" c="dimmed">
              {list.map((each) => (
                <List.Item key={each}>{each}</List.Item>
              ))}
            </List>
          </div>
        ))}
      </SimpleGrid>
    </Fold>
  );
}
