import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Blog } from '../../generated/types.gen.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PostState } from '../../parts/post-state.tsx';
import { Problem } from '../../parts/problem.tsx';
import { editor as text } from '../../strings/editor.ts';
import { posts } from '../../strings/posts.ts';
import { PostActions } from './actions/post-actions.tsx';
import { ContentField } from './content-field.tsx';
import { idOfField } from './field-names.ts';
import styles from './post-editor.module.css';
import { Refusals } from './refusals.tsx';
import { LatestContent } from './saving/latest-content.ts';
import { isFailing, SaveStatus } from './save-status.tsx';
import { useLeaving } from './saving/use-leaving.tsx';
import { useSaving } from './saving/use-saving.ts';
import { SETTINGS, SidePanel } from './side-panel.tsx';
import { ConflictDialog } from './versions/conflict-dialog.tsx';

/** A post: what is written in it, and what is said about it. */
export function PostEditor({ blog }: { blog: Blog }) {
  const [content] = useState(() => new LatestContent(blog.content));
  const { queue, state } = useSaving(blog, content);
  const leaving = useLeaving(queue, state);
  const [title, setTitle] = useState(blog.title);
  /** What the fields were filled with; another number fills them anew. */
  const [opened, setOpened] = useState({ blog, number: 0 });
  const [tab, setTab] = useState(SETTINGS);
  const reopen = (other: Blog) => {
    queue.takeTheirs(other.version);
    setTitle(other.title);
    content.set(() => other.content);
    content.save({ sent: other.content, stored: other.content });
    setOpened(({ number }) => ({ blog: other, number: number + 1 }));
  };
  // The same ones at each render: what is saved while somebody types draws neither the text nor the settings anew.
  const change = useCallback((field: string, value: unknown) => queue.change(field, value), [queue]);
  const changeContent = useCallback(
    (changed: () => string) => {
      content.set(changed);
      change('content', changed);
    },
    [content, change],
  );
  const isOlder = state.kind === 'saved' && blog.version > queue.version;
  const goTo = (field: string) => {
    const place = document.getElementById(idOfField(field));
    // What is hidden takes no focus.
    if (place?.checkVisibility() === false) flushSync(() => setTab(SETTINGS));
    place?.focus();
  };
  return (
    <PageFrame
      title={text.heading}
      actions={
        <>
          <SaveStatus state={state} onSave={() => void queue.flush()} />
          <PostState post={blog} />
          <PostActions blog={blog} queue={queue} title={title} />
        </>
      }
    >
      {isOlder && (
        <Alert title={text.newerTitle}>
          <Group justify="space-between">
            {text.newerText}
            <Button size="xs" variant="default" onClick={() => reopen(blog)}>
              {text.showNewest}
            </Button>
          </Group>
        </Alert>
      )}
      {isFailing(state) && <Problem error={state.error} onRetry={() => void queue.flush()} />}
      <Refusals refused={state.refused} onGoTo={goTo} />
      <div className={styles['columns']}>
        <Stack gap="sm" miw={0}>
          <TitleField
            title={title}
            isNew={blog.content === '' && blog.title === posts.newPostTitle}
            onChange={(typed) => {
              setTitle(typed);
              change('title', typed);
            }}
          />
          {opened.blog.content_markdown !== null && blog.content_markdown !== null && (
            <Alert p="xs">{text.fromMarkdown}</Alert>
          )}
          <ContentField key={opened.number} blogId={blog.id} content={content} queue={queue} onChange={changeContent} />
        </Stack>
        <SidePanel
          blog={blog}
          opened={opened}
          tab={tab}
          onTab={setTab}
          title={title}
          content={content}
          queue={queue}
          state={state}
          onChange={change}
          onReplaced={reopen}
        />
      </div>
      {state.kind === 'conflict' && <ConflictDialog blog={blog} queue={queue} onTaken={reopen} />}
      {leaving}
    </PageFrame>
  );
}

function TitleField({ title, isNew, onChange }: { title: string; isNew: boolean; onChange: (title: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  // What one does first with a new post is to write its title.
  useEffect(() => {
    if (isNew) field.current?.select();
  }, []);
  return (
    <TextInput
      ref={field}
      id={idOfField('title')}
      label={text.title}
      size="lg"
      value={title}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
