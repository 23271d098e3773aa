import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { addAutopilotTopics } from '../../../generated/sdk.gen.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { Textarea } from '../../../parts/forms/inputs.tsx';
import { linesOf } from '../../../parts/forms/lines-of.ts';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';

/** As many as the API takes in one call. */
const MAX_TOPICS = 100;

/** A topic in each line. */
export function AddDialog({ onAdded, onClose }: { onAdded: () => Promise<unknown>; onClose: () => void }) {
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState('');
  const topics = linesOf(typed).map((topic) => ({ topic }));
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
    <FormDialog
      title={text.addTitle}
      confirm={text.addConfirm}
      disabled={topics.length === 0 || tooMany}
      sending={add}
      names={{ topics: text.topic }}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
