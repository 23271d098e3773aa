import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schedule } from '../../generated/types.gen.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { timeToCome, toLocalInput } from '../../parts/forms/local-time.ts';
import { TimeChoice } from '../../parts/schedule/time-choice.tsx';
import { calendar as text } from '../../strings/writing/calendar.ts';
import { schedule as words } from '../../strings/writing/schedule.ts';
import type { ScheduleChanges } from './use-schedule-changes.ts';

/** Moves a scheduled post to another time. */
export function ScheduleDialog(props: { schedule: Schedule; changes: ScheduleChanges; onClose: () => void }) {
  const { schedule, changes, onClose } = props;
  const { blog_id: blogId, title, publish_at: before } = schedule;
  const [field, setField] = useState(() => toLocalInput(before));
  const at = timeToCome(field, before);
  const move = useMutation({
    mutationFn: (to: string) => changes.schedule({ blogId, title, before }, to),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={text.moveTitle(title)}
      confirm={text.move}
      disabled={at === null}
      sending={move}
      names={{ publish_at: words.at }}
      onSubmit={() => {
        if (at !== null) move.mutate(at);
      }}
      onClose={onClose}
    >
      <TimeChoice value={field} before={before} onChange={setField} />
    </FormDialog>
  );
}
