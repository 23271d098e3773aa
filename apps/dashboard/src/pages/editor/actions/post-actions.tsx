import { Button, Menu, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import {
  deleteBlog,
  getBlog,
  publishBlog,
  scheduleBlog,
  unpublishBlog,
  unscheduleBlog,
} from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { formatDateTime } from '../../../parts/dates.ts';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { useNavigateFromHere } from '../../../parts/navigate-from-here.ts';
import { notify } from '../../../parts/notify.ts';
import { Receivers } from '../../../parts/deliveries/receivers.tsx';
import { editor as text } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { ifMatch } from '../saving/use-saving.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';

type Action = 'publish' | 'unpublish' | 'delete' | 'schedule';

/** Publish, and what else can become of the post. Each saves first, and says what will happen. */
export function PostActions({ blog, queue, title }: { blog: Blog; queue: SaveQueue<Blog>; title: string }) {
  const path = { projectId: blog.project_id, blogId: blog.id };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const navigateFromHere = useNavigateFromHere();
  const [action, setAction] = useState<Action | null>(null);
  // One press of the button, however often it has to be sent.
  const key = useRef('');
  const isPublished = blog.state === 'published';
  const open = (next: Action) => {
    key.current = idempotencyKey();
    setAction(next);
  };

  /** Does it by the version that is saved, and goes on from the one that it made. */
  const run = <Result,>(act: (version: number) => Promise<Result>): Promise<Result> =>
    queue.run(async (version) => {
      const result = await act(version);
      const { data } = await getBlog({ path, throwOnError: true });
      queries.setQueryData(getBlogQueryKey({ path }), data);
      void queries.invalidateQueries({ queryKey: [{ _id: 'listBlogs' }] });
      return { result, version: data.version };
    });

  const publish = async () => {
    const { data } = await run((version) =>
      publishBlog({ path, headers: { ...ifMatch(version), 'Idempotency-Key': key.current }, throwOnError: true }),
    );
    await navigateFromHere({
      to: '/projects/$projectId/publishing/$publishId',
      params: { projectId: blog.project_id, publishId: data.id },
    });
  };
  const unpublish = async () => {
    await run((version) =>
      unpublishBlog({ path, headers: { ...ifMatch(version), 'Idempotency-Key': key.current }, throwOnError: true }),
    );
    notify.done(text.unpublish.done);
  };
  const remove = async () => {
    await queue.run(async (version) => {
      await deleteBlog({ path, headers: ifMatch(version), throwOnError: true });
      return { result: null, version };
    });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listBlogs' }] });
    notify.done(text.delete.done(title));
    await navigate({ to: '/projects/$projectId/posts', params: path });
  };
  const unschedule = async () => {
    try {
      await run(() => unscheduleBlog({ path, throwOnError: true }));
      notify.done(text.schedule.ended);
    } catch (error) {
      notify.failed(error);
    }
  };
  const schedule = async (at: string) => {
    await run((version) =>
      scheduleBlog({ path, body: { publish_at: at }, headers: ifMatch(version), throwOnError: true }),
    );
    notify.done(text.schedule.done(formatDateTime(at)));
  };

  const close = () => setAction(null);
  return (
    <>
      <Button onClick={() => open('publish')}>{isPublished ? text.publish.again : text.publish.first}</Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label={text.menu.label}>
            …
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => open('schedule')}>{text.menu.schedule}</Menu.Item>
          {blog.publish_at !== null && <Menu.Item onClick={() => void unschedule()}>{text.menu.unschedule}</Menu.Item>}
          {isPublished && <Menu.Item onClick={() => open('unpublish')}>{text.menu.unpublish}</Menu.Item>}
          <Menu.Item color="var(--mantine-color-error)" onClick={() => open('delete')}>
            {text.menu.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={action === 'publish'}
        onClose={close}
        title={isPublished ? text.publish.againTitle : text.publish.firstTitle}
        confirm={text.publish.confirm}
        onConfirm={publish}
      >
        <Stack gap="sm">
          <Text size="sm">{isPublished ? text.publish.readersAgain : text.publish.readersFirst}</Text>
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
