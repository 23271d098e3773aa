import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { timeZone } from '../../../parts/dates.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { Receivers } from '../../../parts/deliveries/receivers.tsx';
import { editor as strings } from '../../../strings/editor.ts';
import { toLocalInput } from './local-input.ts';

const text = strings.schedule;

/** Asks for the day and time of a publish. */
export function ScheduleDialog(props: {
  publishAt: string | null;
  onClose: () => void;
  onSchedule: (at: Date) => Promise<void>;
}) {
  const [at, setAt] = useState(() => toLocalInput(new Date(props.publishAt ?? Date.now() + 86_400_000)));
  const [isPast, setPast] = useState(false);
  const [sending, setSending] = useState<{ running: boolean; error: unknown }>({ running: false, error: null });
  const send = async () => {
    const date = new Date(at);
    if (!(date.getTime() > Date.now())) {
      setPast(true);
      return;
    }
    setSending({ running: true, error: null });
    try {
      await props.onSchedule(date);
      props.onClose();
    } catch (error) {
      setSending({ running: false, error });
    }
  };
  return (
    <Dialog opened onClose={props.onClose} title={text.title} closable={!sending.running}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Stack>
          <TextInput
            type="datetime-local"
            label={text.at}
            description={text.text(timeZone())}
            value={at}
            error={isPast && text.past}
            onChange={(event) => {
              setAt(event.currentTarget.value);
              setPast(false);
            }}
            data-autofocus
          />
          <Receivers />
          {sending.error !== null && <Problem error={sending.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={sending.running}>
              {text.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
