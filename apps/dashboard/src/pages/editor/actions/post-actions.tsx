import { Button, Menu, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Blog, BlogState } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { formatDateTime } from '../../../parts/dates.ts';
import { Receivers } from '../../../parts/deliveries/receivers.tsx';
import { dateAhead, previousDate } from '../../../parts/publication-date/date-of-publish.ts';
import { KeepOrNow, type DateChoice } from '../../../parts/publication-date/keep-or-now.tsx';
import { editor as text } from '../../../strings/editor.ts';
import { publicationDate } from '../../../strings/writing/publication-date.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { sayRename } from '../settings/say-rename.ts';
import { useRename } from '../settings/use-rename.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { usePostActions } from './use-post-actions.ts';

type Action = 'publish' | 'unpublish' | 'delete' | 'schedule';

/** What can become of a post, by its state. */
const ACTIONS: Record<BlogState, readonly Action[]> = {
  draft: ['publish', 'schedule', 'delete'],
  published: ['publish', 'schedule', 'unpublish', 'delete'],
  unpublished: ['publish', 'schedule', 'delete'],
  deleted: [],
};

/** Publish, and what else can become of the post. Each saves first, and says what will happen. */
export function PostActions({ blog, queue, title }: { blog: Blog; queue: SaveQueue<Blog>; title: string }) {
  const { begin, publish, unpublish, remove, schedule, unschedule } = usePostActions({ blog, queue, title });
  const [action, setAction] = useState<Action | null>(null);
  const [choice, setChoice] = useState<DateChoice>('keep');
  const previous = previousDate(blog);
  const ahead = dateAhead(blog);
  const can = (which: Action) => ACTIONS[blog.state].includes(which);
  const isPublished = blog.state === 'published';
  const open = (next: Action) => {
    begin();
    setAction(next);
  };
  const close = () => setAction(null);
  return (
    <>
      {can('publish') && (
        <Button onClick={() => open('publish')}>{isPublished ? text.publish.again : text.publish.first}</Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label={text.menu.label}>
            …
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {can('schedule') && <Menu.Item onClick={() => open('schedule')}>{text.menu.schedule}</Menu.Item>}
          {blog.publish_at !== null && <Menu.Item onClick={() => void unschedule()}>{text.menu.unschedule}</Menu.Item>}
          {can('unpublish') && <Menu.Item onClick={() => open('unpublish')}>{text.menu.unpublish}</Menu.Item>}
          {can('delete') && (
            <Menu.Item color="var(--mantine-color-error)" onClick={() => open('delete')}>
              {text.menu.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={action === 'publish'}
        onClose={close}
        title={titleOf(isPublished, ahead)}
        confirm={ahead === null ? text.publish.confirm : publicationDate.schedule}
        onConfirm={() => publish(choice)}
      >
        <Stack gap="sm">
          <Text size="sm">{readersGet(isPublished, ahead)}</Text>
          {isPublished && <RenameText blog={blog} />}
          {!isPublished && ahead === null && blog.published_at !== null && (
            <Text size="sm">{publicationDate.dated(formatDateTime(blog.published_at))}</Text>
          )}
          {previous !== null && <KeepOrNow previous={previous} value={choice} onChange={setChoice} />}
          {isPublished && !blog.has_unpublished_changes && queue.state.kind === 'saved' && (
            <Text size="sm">{text.publish.noChanges}</Text>
          )}
          {blog.publish_at !== null && <Text size="sm">{text.publish.scheduled(formatDateTime(blog.publish_at))}</Text>}
          <Receivers />
          <Text size="sm">{text.publish.then}</Text>
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        opened={action === 'unpublish'}
        onClose={close}
        title={text.unpublish.title}
        confirm={text.unpublish.confirm}
        danger
        onConfirm={unpublish}
      >
        <Stack gap="sm">
          <Text size="sm">{text.unpublish.text}</Text>
          <Receivers />
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        opened={action === 'delete'}
        onClose={close}
        title={text.delete.title}
        confirm={text.delete.confirm}
        danger
        onConfirm={remove}
      >
        <Stack gap="sm">
          <Text size="sm">{text.delete.text}</Text>
          <Text size="sm">{isPublished ? text.delete.published : text.delete.silent}</Text>
          {isPublished && <Receivers />}
        </Stack>
      </ConfirmDialog>
      {action === 'schedule' && <ScheduleDialog publishAt={blog.publish_at} onClose={close} onSchedule={schedule} />}
    </>
  );
}

function titleOf(isPublished: boolean, ahead: string | null): string {
  if (ahead !== null) return publicationDate.scheduleTitle;
  return isPublished ? text.publish.againTitle : text.publish.firstTitle;
}

function readersGet(isPublished: boolean, ahead: string | null): string {
  if (ahead !== null) return publicationDate.scheduleText(formatDateTime(ahead));
  return isPublished ? text.publish.readersAgain : text.publish.readersFirst;
}

/** What the publish does to links and to the old URL, where it changes the slug. */
function RenameText({ blog }: { blog: Blog }) {
  const preview = useRename(blog, blog.slug);
  const rename = preview && sayRename(preview, blog.slug);
  return rename && <Text size="sm">{rename}</Text>;
}
