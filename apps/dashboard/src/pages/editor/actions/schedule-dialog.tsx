import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Receivers } from '../../../parts/deliveries/receivers.tsx';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { timeToCome, toLocalInput } from '../../../parts/forms/local-time.ts';
import { TimeField } from '../../../parts/forms/time-field.tsx';
import { editor as strings } from '../../../strings/editor.ts';

const text = strings.schedule;
const DAY_MS = 86_400_000;

/** Asks for the day and time of a publish. */
export function ScheduleDialog(props: {
  publishAt: string | null;
  onClose: () => void;
  onSchedule: (at: string) => Promise<void>;
}) {
  const before = props.publishAt ?? undefined;
  const [field, setField] = useState(() => toLocalInput(before ?? new Date(Date.now() + DAY_MS).toISOString()));
  const schedule = useMutation({ mutationFn: props.onSchedule, onSuccess: props.onClose });
  return (
    <FormDialog
      title={text.title}
      confirm={text.confirm}
      disabled={timeToCome(field, before) === null}
      sending={schedule}
      onSubmit={() => {
        const at = timeToCome(field, before);
        if (at !== null) schedule.mutate(at);
      }}
      onClose={props.onClose}
    >
      <Text size="sm">{text.text}</Text>
      <TimeField label={text.at} value={field} before={before} onChange={setField} data-autofocus />
      <Receivers />
    </FormDialog>
  );
}
