import { Checkbox, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addAutopilotTopics, suggestAutopilotTopics } from '../../../generated/sdk.gen.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { notify } from '../../../parts/notify.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';

/** Ten topics to choose from: none is added by itself. */
export function SuggestDialog({ onAdded, onClose }: { onAdded: () => Promise<unknown>; onClose: () => void }) {
  const { id: projectId } = useProject();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const suggested = useQuery({
    queryKey: ['suggested topics', projectId],
    queryFn: async ({ signal }) =>
      (await suggestAutopilotTopics({ path: { projectId }, signal, throwOnError: true })).data,
    // Each asking may cost something.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const items = suggested.data?.items ?? [];
  const add = useMutation({
    mutationFn: async () => {
      const topics = items.filter((_, index) => chosen.has(index)).map(({ topic, keyword }) => ({ topic, keyword }));
      const { data } = await addAutopilotTopics({ path: { projectId }, body: { topics }, throwOnError: true });
      await onAdded();
      notify.done(text.added(data.items.length));
      onClose();
    },
  });
  const toggle = (index: number) => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    setChosen(next);
  };
  return (
    <FormDialog
      title={text.suggestTitle}
      size="lg"
      confirm={text.suggestConfirm}
      disabled={chosen.size === 0}
      sending={add}
      names={{ topics: text.topic }}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      {suggested.isPending && (
        <Group gap="xs" role="status">
          <Loader size="sm" aria-hidden /> <Text size="sm">{text.suggesting}</Text>
        </Group>
      )}
      <QueryProblem query={suggested} />
      {suggested.data && (
        <Text size="sm">{items.length === 0 ? text.suggestNone : text.suggestBy(suggested.data.by)}</Text>
      )}
      {items.map(({ topic, because }, index) => (
        <Checkbox
          key={topic}
          label={topic}
          description={because}
          checked={chosen.has(index)}
          onChange={() => toggle(index)}
        />
      ))}
    </FormDialog>
  );
}
