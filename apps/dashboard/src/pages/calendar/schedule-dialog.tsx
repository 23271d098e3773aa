import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { scheduleBlog, unscheduleBlog } from '../../generated/sdk.gen.ts';
import type { Schedule } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { formatDateTime, timeZone } from '../../parts/dates.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/calendar.ts';
import { fromField, toField } from './month.ts';

/** Moves a scheduled post to another time, or keeps it from being published by itself. */
export function ScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { id: projectId } = useProject();
  const { blog_id: blogId, title, publish_at } = schedule;
  const path = { projectId, blogId };
  const queries = useQueryClient();
  const [field, setField] = useState(() => toField(publish_at));
  const [ending, setEnding] = useState(false);
  const at = fromField(field);
  const past = at !== null && Date.parse(at) <= Date.now();
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
    <Dialog opened onClose={onClose} title={text.changeTitle(title)} closable={!move.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (at !== null && !past) move.mutate(at);
        }}
      >
        <Stack>
          <Text size="sm">{text.what}</Text>
          {move.error && <Problem error={move.error} />}
          <TextInput
            type="datetime-local"
            label={text.publishAt}
            description={text.zone(timeZone())}
            required
            value={field}
            error={past ? text.past : undefined}
            onChange={(event) => setField(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="space-between">
            <Anchor
              size="sm"
              renderRoot={(props) => <Link to="/projects/$projectId/posts/$blogId" params={path} {...props} />}
            >
              {text.openPost}
            </Anchor>
            <Group gap="xs">
              <Button variant="default" onClick={() => setEnding(true)} disabled={move.isPending}>
                {text.end}
              </Button>
              <Button type="submit" loading={move.isPending} disabled={at === null || past}>
                {text.save}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
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
    </Dialog>
  );
}
