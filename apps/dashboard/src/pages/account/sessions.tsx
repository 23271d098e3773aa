import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { listSessionsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { endSession, signOutEverywhere } from '../../generated/sdk.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { signOut } from '../../session/session.ts';
import { useSignOut } from '../../session/sign-out.tsx';
import { account as text } from '../../strings/account.ts';
import { clientKind, clientName } from './client-name.ts';

const ICONS = { phone: Smartphone, computer: Monitor, program: SquareTerminal } as const;

export function Sessions() {
  const queries = useQueryClient();
  const signOutHere = useSignOut();
  const [everywhere, setEverywhere] = useState(false);
  const sessions = useQuery(listSessionsOptions());
  const end = useMutation({
    mutationFn: (sessionId: string) => endSession({ path: { sessionId }, throwOnError: true }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [{ _id: 'listSessions' }] });
      notify.done(text.ended);
    },
    onError: (error) => notify.failed(error),
  });
  return (
    <Stack gap="sm">
      <QueryProblem query={sessions} />
      {sessions.isPending && <Loading />}
      {sessions.data && (
        <Rows label={text.sessions}>
          {sessions.data.items.map(({ id, user_agent, created_at, refreshed_at, is_current }) => {
            const client = clientName(user_agent) ?? text.unknownClient;
            return (
              <Row
                key={id}
                icon={ICONS[clientKind(user_agent)]}
                title={
                  <>
                    <span title={user_agent ?? ''}>{client}</span>
                    {is_current && <Badge tone="success">{text.here}</Badge>}
                  </>
                }
                note={
                  <>
                    {text.began} <When iso={created_at} />, {text.used} <When iso={refreshed_at ?? created_at} />
                  </>
                }
                actions={
                  !is_current && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={text.endOf(client)}
                      loading={end.isPending && end.variables === id}
                      onClick={() => end.mutate(id)}
                    >
                      {text.end}
                    </Button>
                  )
                }
              />
            );
          })}
        </Rows>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={signOutHere}>
          {text.signOut}
        </Button>
        <Button variant="default" onClick={() => setEverywhere(true)}>
          {text.everywhere}
        </Button>
      </Group>
      {everywhere && (
        <ConfirmDialog
          opened
          title={text.everywhereTitle}
          confirm={text.everywhereConfirm}
          onConfirm={async () => {
            await signOutEverywhere({ throwOnError: true });
            await signOut();
          }}
          onClose={() => setEverywhere(false)}
        >
          <Text size="sm">{text.everywhereText}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}
