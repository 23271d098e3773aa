import { ActionIcon, Button, Menu, Stack, Text } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { CalendarX2, Code, Ellipsis, EyeOff, Redo2, ScrollText, Trash2, Type, Undo2 } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { Receivers } from '../../../parts/deliveries/receivers.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { useNavigateFromHere } from '../../../parts/navigate-from-here.ts';
import { editor as text } from '../../../strings/editor.ts';
import { posts } from '../../../strings/posts.ts';
import { publishSheet } from '../../../strings/writing/publish-sheet.ts';
import type { ContentView } from '../content-field.tsx';
import type { LatestContent } from '../saving/latest-content.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import type { NotSaved } from '../saving/use-not-saved.ts';
import { usePostActions } from './use-post-actions.ts';

/** Needed once a post is ready. */
const PublishSheet = lazy(async () => ({ default: (await import('../publish/publish-sheet.tsx')).PublishSheet }));

/** Publish, and what else can be done with the post. Each saves first, and says what will happen. */
export function PostActions(props: {
  blog: Blog;
  queue: SaveQueue<Blog>;
  title: string;
  content: LatestContent;
  /** The text's, where that is shown. */
  editor: Editor | null;
  mode: ContentView['mode'];
  onMode: (mode: ContentView['mode']) => void;
  notSaved: readonly NotSaved[];
  onFix: (field: string) => void;
  /** Shown between the button and the menu. */
  children: ReactNode;
}) {
  const { blog, queue, title, editor, mode } = props;
  const { begin, publish, unpublish, remove, schedule, unschedule } = usePostActions({ blog, queue, title });
  const navigate = useNavigateFromHere();
  const [action, setAction] = useState<'publish' | 'unpublish' | 'delete' | null>(null);
  const isPublished = blog.state === 'published';
  const open = (next: 'publish' | 'unpublish' | 'delete') => {
    begin();
    setAction(next);
  };
  const close = () => setAction(null);
  return (
    <>
      <Button
        {...(((isPublished && !blog.has_unpublished_changes) || blog.publish_at !== null) && { variant: 'default' })}
        onClick={() => open('publish')}
      >
        {blog.publish_at !== null ? posts.menu.reschedule : isPublished ? publishSheet.update : publishSheet.publish}
      </Button>
      {props.children}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.menu.label} title={text.menu.label}>
            <Ellipsis />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {editor !== null && (
            <>
              <Menu.Item leftSection={<Undo2 />} onClick={() => editor.chain().focus().undo().run()}>
                {text.menu.undo}
              </Menu.Item>
              <Menu.Item leftSection={<Redo2 />} onClick={() => editor.chain().focus().redo().run()}>
                {text.menu.redo}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            leftSection={mode === 'write' ? <Code /> : <Type />}
            onClick={() => props.onMode(mode === 'write' ? 'source' : 'write')}
          >
            {mode === 'write' ? text.menu.source : text.menu.write}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<ScrollText />}
            onClick={() =>
              void navigate({
                to: '/projects/$projectId/publishing',
                params: { projectId: blog.project_id },
                search: { post: blog.id },
              })
            }
          >
            {text.menu.last}
          </Menu.Item>
          {blog.publish_at !== null && (
            <Menu.Item leftSection={<CalendarX2 />} onClick={() => void unschedule()}>
              {text.menu.unschedule}
            </Menu.Item>
          )}
          {isPublished && (
            <Menu.Item leftSection={<EyeOff />} onClick={() => open('unpublish')}>
              {text.menu.unpublish}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Trash2 />} onClick={() => open('delete')}>
            {text.menu.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {action === 'publish' && (
        <Suspense>
          <PublishSheet
            blog={blog}
            title={title}
            html={props.content.read()}
            hasUnsaved={queue.state.kind !== 'saved'}
            notSaved={props.notSaved}
            onPublish={publish}
            onSchedule={schedule}
            onFix={(field) => {
              close();
              props.onFix(field);
            }}
            onClose={close}
          />
        </Suspense>
      )}
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
    </>
  );
}
