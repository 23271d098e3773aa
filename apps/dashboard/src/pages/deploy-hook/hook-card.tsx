import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { testDeployHookMutation } from '../../generated/@tanstack/react-query.gen.ts';
import { deleteDeployHook, saveDeployHook } from '../../generated/sdk.gen.ts';
import type { DeployHook, DeployHookTest } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { OwnersOnly } from '../../parts/project.tsx';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';

/** The deploy hook as it stands, its test, and what switches it off. */
export function HookCard({ hook }: { hook: DeployHook }) {
  const { project_id: projectId } = hook;
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'pause' | 'delete' | null>(null);
  const read = (...ids: string[]) => Promise.all(ids.map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
  const test = useMutation({ ...testDeployHookMutation(), onSettled: () => read('listDeployHookRequests') });
  const setActive = async (active: boolean) => {
    const { method, headers, body } = hook;
    await saveDeployHook({ path: { projectId }, body: { method, headers, body, active }, throwOnError: true });
    await read('getDeployHook', 'listDeployHookRequests');
    notify.done(active ? text.resumedDone : text.pausedDone);
  };
  const remove = async () => {
    await deleteDeployHook({ path: { projectId }, throwOnError: true });
    await queries.resetQueries({ queryKey: [{ _id: 'getDeployHook' }] });
    await read('listDeployHookRequests');
    notify.done(text.removed);
  };
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={2} size="h4">
            {text.state}
          </Title>
          <Badge tone={hook.active ? 'success' : 'neutral'}>{hook.active ? text.active : text.paused}</Badge>
        </Group>
        <Code style={{ overflowWrap: 'anywhere' }}>{`${hook.method} ${hook.url}`}</Code>
        <OwnersOnly>
          <Text size="sm">{text.testText}</Text>
          <Group gap="xs">
            <Button size="xs" loading={test.isPending} onClick={() => test.mutate({ path: { projectId } })}>
              {text.test}
            </Button>
            {hook.active ? (
              <Button size="xs" variant="default" onClick={() => setAsked('pause')}>
                {text.pause}
              </Button>
            ) : (
              <Button
                size="xs"
                variant="default"
                onClick={() => void setActive(true).catch((error) => notify.failed(error))}
              >
                {text.resume}
              </Button>
            )}
            <Button size="xs" variant="light" color="red" onClick={() => setAsked('delete')}>
              {text.remove}
            </Button>
          </Group>
        </OwnersOnly>
        <div role="status">
          {test.isPending && <Text size="sm">{text.testing}</Text>}
          {test.data && !test.isPending && <Tested result={test.data} />}
        </div>
        {test.error && <Problem error={test.error} />}
      </Stack>
      <ConfirmDialog
        opened={asked === 'pause'}
        title={text.pauseTitle}
        confirm={text.pauseConfirm}
        onConfirm={() => setActive(false)}
        onClose={() => setAsked(null)}
      >
        <Text size="sm">{text.pauseText}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        title={text.removeTitle}
        confirm={text.removeConfirm}
        danger
        onConfirm={remove}
        onClose={() => setAsked(null)}
      >
        <Text size="sm">{text.removeText}</Text>
      </ConfirmDialog>
    </Paper>
  );
}

function Tested({ result: { succeeded, status_code, timings, answer, detail, hint } }: { result: DeployHookTest }) {
  return (
    <Notice
      role="group"
      kind={succeeded ? 'success' : 'danger'}
      title={succeeded ? text.testWorked(status_code) : text.testFailed}
    >
      {detail !== null && <Text size="sm">{detail}</Text>}
      {hint !== null && (
        <Text size="sm">
          <b>{text.hint}:</b> {hint}
        </Text>
      )}
      {timings && <Text size="sm">{text.took(formatDuration(timings.total_ms))}</Text>}
      {answer !== null && answer !== '' && (
        <>
          <Text size="sm">{text.answer}:</Text>
          <Code block tabIndex={0} role="region" aria-label={text.answer} style={{ whiteSpace: 'pre-wrap' }}>
            {answer}
          </Code>
        </>
      )}
    </Notice>
  );
}
