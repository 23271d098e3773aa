import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { listSessionsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { endSession, signOutEverywhere } from '../../generated/sdk.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { signOut } from '../../session/session.ts';
import { useSignOut } from '../../session/sign-out.tsx';
import { account as text } from '../../strings/account.ts';
import { clientName } from './client-name.ts';

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
      {sessions.data?.items.map(({ id, user_agent, created_at, refreshed_at, is_current }) => {
        const client = clientName(user_agent) ?? text.unknownClient;
        return (
          <Group key={id} justify="space-between" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={500} component="div" style={{ overflowWrap: 'anywhere' }} title={user_agent ?? ''}>
                {client} {is_current && <Badge>{text.here}</Badge>}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                {text.began} <When iso={created_at} />. {text.used} <When iso={refreshed_at ?? created_at} />.
              </Text>
            </div>
            {!is_current && (
              <Button
                size="xs"
                variant="default"
                aria-label={text.endOf(client)}
                loading={end.isPending && end.variables === id}
                onClick={() => end.mutate(id)}
              >
                {text.end}
              </Button>
            )}
          </Group>
        );
      })}
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
