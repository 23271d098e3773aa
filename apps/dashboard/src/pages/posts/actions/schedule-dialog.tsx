import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { timeToCome, toLocalInput } from '../../../parts/forms/local-time.ts';
import { nameOf } from '../../../parts/posts/delete-soon.ts';
import { firstTime, TimeChoice } from '../../../parts/schedule/time-choice.tsx';
import { posts as strings } from '../../../strings/posts.ts';
import { schedule } from '../../../strings/writing/schedule.ts';
import { ProgressOf, useProgress, type AskingProps } from './ask-dialogs.tsx';
import { usePerform } from './use-perform.ts';

const text = strings.bulk;

export function ScheduleDialog({ posts, onClose, onRun }: AskingProps) {
  const perform = usePerform();
  const { finished, onProgress } = useProgress();
  const before = (posts.length === 1 && posts[0]?.publish_at) || undefined;
  const [field, setField] = useState(() => (before === undefined ? firstTime() : toLocalInput(before)));
  const at = timeToCome(field, before);
  const sending = useMutation({
    mutationFn: (when: string) => perform(posts, { action: 'schedule', at: when }, onProgress),
    onSuccess: onRun,
  });
  return (
    <FormDialog
      title={text.scheduleTitle(nameOf(posts))}
      confirm={text.schedule}
      disabled={at === null}
      sending={sending}
      names={{ publish_at: schedule.at }}
      onSubmit={() => {
        if (at !== null) sending.mutate(at);
      }}
      onClose={onClose}
    >
      <TimeChoice value={field} before={before} onChange={setField} />
      <Text size="sm" c="dimmed">
        {text.scheduleText}
      </Text>
      <ProgressOf finished={finished} total={posts.length} />
    </FormDialog>
  );
}
