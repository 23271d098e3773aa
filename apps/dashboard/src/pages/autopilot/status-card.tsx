import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listAutopilotTopicsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { pauseAutopilot, resumeAutopilot } from '../../generated/sdk.gen.ts';
import type { Autopilot } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { autopilot as text } from '../../strings/autopilot.ts';

/** How it stands, what comes next, and what it has spent. */
export function StatusCard({ autopilot, onSetUp }: { autopilot: Autopilot; onSetUp: () => void }) {
  const isOwner = useIsOwner();
  const { status, detail, next_run_at, last_run_at, failures_in_a_row } = autopilot;
  const cost = autopilot.monthly_cost;
  return (
    <Paper withBorder p="md" component="section" aria-label={text.statusLabel}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text fw={600} role="status">
            {text.statusLabel}: {text.status[status]}
          </Text>
          <Switches status={status} onSetUp={onSetUp} />
        </Group>
        {detail !== null && <Alert color={status === 'stopped' ? 'red' : 'yellow'}>{detail}</Alert>}
        {status === 'off' ? (
          <Text size="sm">{isOwner ? text.offOwner : text.offEditor}</Text>
        ) : (
          <>
            <NextRun at={next_run_at} />
            <Text size="sm">
              {autopilot.publish === 'after_review' ? text.afterReview(autopilot.review_hours) : text.draftOnly}
            </Text>
            <Text size="sm">
              {text.month(
                text.posts(autopilot.posts_this_month, autopilot.monthly_posts),
                text.cost(autopilot.cost_this_month.toLocaleString(), cost === null ? null : cost.toLocaleString()),
              )}
            </Text>
          </>
        )}
        {last_run_at !== null && (
          <Text size="sm" c="dimmed" component="div">
            {text.last}: <When iso={last_run_at} />
          </Text>
        )}
        {failures_in_a_row > 0 && <Text size="sm">{text.failures(failures_in_a_row)}</Text>}
      </Stack>
    </Paper>
  );
}

/** When it works next, and on what. */
function NextRun({ at }: { at: string | null }) {
  const { id: projectId } = useProject();
  const queue = useQuery(listAutopilotTopicsOptions({ path: { projectId }, query: { limit: 1 } }));
  const topic = queue.data?.items[0]?.topic;
  return (
    <Text size="sm" component="div">
      {text.next}:{' '}
      {at === null ? (
        text.nextNone
      ) : (
        <>
          {topic !== undefined && `${text.nextTopic(topic)}, `}
          <When iso={at} />
        </>
      )}
    </Text>
  );
}

/** What can be done about how it stands. */
function Switches({ status, onSetUp }: { status: Autopilot['status']; onSetUp: () => void }) {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const queries = useQueryClient();
  const [pausing, setPausing] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: [{ _id: 'getAutopilot' }] });
  const resume = useMutation({
    mutationFn: () => resumeAutopilot({ path: { projectId }, throwOnError: true }),
    onSuccess: async () => {
      await again();
      notify.done(text.resumed);
    },
    onError: (error) => notify.failed(error),
  });
  const pause = async () => {
    await pauseAutopilot({ path: { projectId }, throwOnError: true });
    await again();
    notify.done(text.paused);
  };
  return (
    <Group gap="xs">
      {(status === 'paused' || status === 'stopped') && (
        <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate()}>
          {text.resume}
        </Button>
      )}
      {(status === 'running' || status === 'waiting') && (
        <Button size="xs" variant="default" onClick={() => setPausing(true)}>
          {text.pause}
        </Button>
      )}
      {status === 'off' && isOwner && (
        <Button size="xs" onClick={onSetUp}>
          {text.setUp}
        </Button>
      )}
      {pausing && (
        <ConfirmDialog
          opened
          title={text.pauseTitle}
          confirm={text.pauseConfirm}
          onConfirm={pause}
          onClose={() => setPausing(false)}
        >
          <Text size="sm">{text.pauseText}</Text>
        </ConfirmDialog>
      )}
    </Group>
  );
}
