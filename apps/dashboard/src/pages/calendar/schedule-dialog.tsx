import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scheduleBlog, unscheduleBlog } from '../../generated/sdk.gen.ts';
import type { Schedule } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { formatDateTime } from '../../parts/dates.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { timeToCome, toLocalInput } from '../../parts/forms/local-time.ts';
import { TimeField } from '../../parts/forms/time-field.tsx';
import { notify } from '../../parts/notify.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/calendar.ts';

/** Moves a scheduled post to another time, or keeps it from being published by itself. */
export function ScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { id: projectId } = useProject();
  const { blog_id: blogId, title, publish_at } = schedule;
  const path = { projectId, blogId };
  const queries = useQueryClient();
  const [field, setField] = useState(() => toLocalInput(publish_at));
  const [ending, setEnding] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: [{ _id: 'listSchedules' }] });
  const move = useMutation({
    mutationFn: async (publishAt: string) => {
      await scheduleBlog({ path, body: { publish_at: publishAt }, throwOnError: true });
      await again();
      notify.done(text.moved(title, formatDateTime(publishAt)));
      onClose();
    },
  });
  const end = async () => {
    await unscheduleBlog({ path, throwOnError: true });
    await again();
    notify.done(text.ended);
    onClose();
  };
  return (
    <FormDialog
      title={text.changeTitle(title)}
      confirm={text.save}
      disabled={timeToCome(field, publish_at) === null}
      sending={move}
      names={{ publish_at: text.publishAt }}
      onSubmit={() => {
        const at = timeToCome(field, publish_at);
        if (at !== null) move.mutate(at);
      }}
      onClose={onClose}
    >
      <Text size="sm">{text.what}</Text>
      <TimeField label={text.publishAt} value={field} before={publish_at} onChange={setField} data-autofocus />
      <Group justify="space-between">
        <PageLink size="sm" to="/projects/$projectId/posts/$blogId" params={path}>
          {text.openPost}
        </PageLink>
        <Button variant="default" onClick={() => setEnding(true)} disabled={move.isPending}>
          {text.end}
        </Button>
      </Group>
      {ending && (
        <ConfirmDialog
          opened
          title={text.endTitle(title)}
          confirm={text.endConfirm}
          onConfirm={end}
          onClose={() => setEnding(false)}
        >
          <Text size="sm">{text.endText}</Text>
        </ConfirmDialog>
      )}
    </FormDialog>
  );
}
