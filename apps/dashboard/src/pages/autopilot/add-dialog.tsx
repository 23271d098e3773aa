import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { addAutopilotTopics } from '../../generated/sdk.gen.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { autopilot as text } from '../../strings/autopilot.ts';
import { common } from '../../strings/common.ts';

/** As many as the API takes in one call. */
const MAX_TOPICS = 100;

/** A topic in each line. */
export function AddDialog({ onAdded, onClose }: { onAdded: () => Promise<unknown>; onClose: () => void }) {
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState('');
  const topics = typed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [{ topic: line.trim() }]));
  const add = useMutation({
    mutationFn: async () => {
      const { data } = await addAutopilotTopics({ path: { projectId }, body: { topics }, throwOnError: true });
      await onAdded();
      notify.done(text.added(data.items.length));
      onClose();
    },
  });
  const tooMany = topics.length > MAX_TOPICS;
  return (
    <Dialog opened onClose={onClose} title={text.addTitle} closable={!add.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack>
          {add.error && <Problem error={add.error} />}
          <Textarea
            label={text.addLabel}
            description={text.addHint}
            autosize
            minRows={5}
            maxRows={15}
            value={typed}
            error={tooMany ? text.tooMany : undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={add.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={topics.length === 0 || tooMany}>
              {text.addConfirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
