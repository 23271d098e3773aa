import { Button, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { listReceivedInvitationsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { acceptReceivedInvitation, declineReceivedInvitation } from '../../generated/sdk.gen.ts';
import type { ReceivedInvitation } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { account as text } from '../../strings/account.ts';

/** Projects that one is invited to; nothing where there is none. */
export function ReceivedInvitations() {
  const queries = useQueryClient();
  const navigate = useNavigateFromHere();
  const [declining, setDeclining] = useState<ReceivedInvitation | null>(null);
  const list = useInfiniteQuery({
    ...listReceivedInvitationsInfiniteOptions(),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const accept = useMutation({
    mutationFn: async (invitationId: string) =>
      (await acceptReceivedInvitation({ path: { invitationId }, throwOnError: true })).data,
    onSuccess: async (project) => {
      await queries.invalidateQueries({ queryKey: [{ _id: 'listProjects' }] });
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
    },
    onError: (error) => notify.failed(error),
  });
  const decline = async (invitationId: string) => {
    await declineReceivedInvitation({ path: { invitationId }, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listReceivedInvitations' }] });
    notify.done(text.declined);
  };
  if (list.error) return <QueryProblem query={list} />;
  if (items.length === 0) return null;
  return (
    <Section title={text.invitations}>
      <Rows label={text.invitations}>
        {items.map((invitation) => {
          const { id, project_name: name, role, invited_by: by, expires_at } = invitation;
          return (
            <Row
              key={id}
              icon={Mail}
              title={text.invitedTo(name)}
              note={
                <>
                  {text.invitedBy(by, text.roles[role])} {text.expires} <When iso={expires_at} />
                </>
              }
              actions={
                <>
                  <Button
                    size="xs"
                    aria-label={text.acceptOf(name)}
                    loading={accept.isPending && accept.variables === id}
                    onClick={() => accept.mutate(id)}
                  >
                    {text.accept}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={text.declineOf(name)}
                    onClick={() => setDeclining(invitation)}
                  >
                    {text.decline}
                  </Button>
                </>
              }
            />
          );
        })}
      </Rows>
      <LoadMore list={list} />
      {declining !== null && (
        <ConfirmDialog
          opened
          title={text.declineTitle(declining.project_name)}
          confirm={text.declineConfirm}
          onConfirm={() => decline(declining.id)}
          onClose={() => setDeclining(null)}
        >
          <Text size="sm">{text.declineText}</Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
