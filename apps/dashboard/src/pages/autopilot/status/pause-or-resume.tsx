import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { pauseAutopilot, resumeAutopilot } from '../../../generated/sdk.gen.ts';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';

/** What any member can do with a running autopilot. */
export function PauseOrResume({ status }: { status: Autopilot['status'] }) {
  const { id: projectId } = useProject();
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
    <>
      {(status === 'paused' || status === 'stopped') && (
        <Button size="xs" leftSection={<Play />} loading={resume.isPending} onClick={() => resume.mutate()}>
          {text.resume}
        </Button>
      )}
      {(status === 'running' || status === 'waiting') && (
        <Button size="xs" variant="default" leftSection={<Pause />} onClick={() => setPausing(true)}>
          {text.pause}
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
    </>
  );
}
