import { Alert, Button, Group, VisuallyHidden } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Blog } from '../../generated/types.gen.ts';
import { Problem } from '../../parts/problem.tsx';
import { common } from '../../strings/common.ts';
import { editor as text } from '../../strings/editor.ts';
import { posts } from '../../strings/posts.ts';
import { DrawerButton, EditorBar } from './bar/editor-bar.tsx';
import { PostActions } from './bar/post-actions.tsx';
import { isFailing } from './bar/save-status.tsx';
import { ContentField, type ContentView } from './content-field.tsx';
import { Drawer } from './drawer/drawer.tsx';
import { useDrawer } from './drawer/use-drawer.ts';
import { FeatureImage } from './feature-image.tsx';
import { idOfField } from './field-names.ts';
import styles from './post-editor.module.css';
import { PreviewDialog } from './preview/preview-dialog.tsx';
import { Refusals } from './refusals.tsx';
import { LatestContent } from './saving/latest-content.ts';
import { useLeaving } from './saving/use-leaving.tsx';
import { useNotSaved } from './saving/use-not-saved.ts';
import { useSaving } from './saving/use-saving.ts';
import { TitleField } from './title-field.tsx';
import { ConflictDialog } from './versions/conflict-dialog.tsx';
import { WordCount } from './word-count.tsx';

const TEXT_VIEW: ContentView = { mode: 'write', wouldLose: null, number: 0 };

/** The editor of a post: its text, and its settings. */
export function PostEditor({ blog }: { blog: Blog }) {
  const [content] = useState(() => new LatestContent(blog.content));
  const { queue, state } = useSaving(blog, content);
  const { notSaved, hasUnfinished, onUnfinished } = useNotSaved(state);
  const leaving = useLeaving(queue, state, hasUnfinished);
  const [title, setTitle] = useState(blog.title);
  const [featured, setFeatured] = useState(blog.featured_image_url);
  /** What the fields were filled with; another number fills them again. */
  const [opened, setOpened] = useState({ blog, number: 0 });
  const [view, setView] = useState(TEXT_VIEW);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [isPreviewing, setPreviewing] = useState(false);
  const drawerButton = useRef<HTMLButtonElement>(null);
  const drawer = useDrawer(drawerButton);
  useEffect(() => {
    document.title = `${title || posts.newPostTitle} · ${common.product}`;
  }, [title]);
  const reopen = (other: Blog) => {
    queue.takeTheirs(other.version);
    setTitle(other.title);
    setFeatured(other.featured_image_url);
    content.set(() => other.content);
    content.save({ sent: other.content, stored: other.content });
    setView(TEXT_VIEW);
    setOpened(({ number }) => ({ blog: other, number: number + 1 }));
  };
  // The same ones at each render, so that a save redraws neither the text nor the settings.
  const change = useCallback((field: string, value: unknown) => queue.change(field, value), [queue]);
  const changeContent = useCallback(
    (changed: () => string) => {
      content.set(changed);
      change('content', changed);
    },
    [content, change],
  );
  const show = useCallback(
    (mode: ContentView['mode'], wouldLose: string | null = null) => {
      const html = content.read();
      content.set(() => html);
      setView(({ number }) => ({ mode, wouldLose, number: number + 1 }));
    },
    [content],
  );
  const showSource = useCallback((place: string) => show('source', place), [show]);
  const showStored = useCallback(async () => {
    await queue.flush();
    show(view.mode);
  }, [queue, show, view.mode]);
  const changeFeatured = (url: string | null) => {
    setFeatured(url);
    change('featured_image_url', url);
  };
  const isOlder = state.kind === 'saved' && blog.version > queue.version;
  const goTo = (field: string) => {
    const place = document.getElementById(idOfField(field));
    place?.closest('details')?.setAttribute('open', '');
    // What is hidden takes no focus.
    if (place?.checkVisibility() === false) flushSync(drawer.open);
    place?.focus();
  };
  return (
    <div className={styles['page']}>
      <VisuallyHidden>
        <h1>{text.heading}</h1>
      </VisuallyHidden>
      <EditorBar
        blog={blog}
        state={state}
        isPartial={notSaved.length > 0}
        words={<WordCount editor={editor} />}
        onSave={() => void queue.flush()}
        onPreview={() => setPreviewing(true)}
      >
        <PostActions
          blog={blog}
          queue={queue}
          title={title}
          content={content}
          editor={editor}
          mode={view.mode}
          onMode={show}
          notSaved={notSaved}
          onFix={goTo}
        >
          <DrawerButton ref={drawerButton} isOpen={drawer.isOpen} onClick={drawer.toggle} />
        </PostActions>
      </EditorBar>
      <div className={styles['body']}>
        <div className={styles['main']}>
          <div className={styles['column']}>
            <div className={styles['notices']}>
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
              <Refusals notSaved={notSaved} onGoTo={goTo} />
              {opened.blog.content_markdown !== null && blog.content_markdown !== null && (
                <Alert p="xs">{text.fromMarkdown}</Alert>
              )}
            </div>
            <div className={styles['head']}>
              <FeatureImage
                shown={featured ?? blog.generated_images[0] ?? null}
                isOwn={featured !== null}
                onChange={changeFeatured}
              />
              <TitleField
                title={title}
                isNew={blog.content === '' && blog.title === posts.newPostTitle}
                isRefused={state.refused.has('title')}
                onChange={(typed) => {
                  setTitle(typed);
                  change('title', typed);
                }}
                onEnter={() => document.getElementById(idOfField('content'))?.focus()}
              />
            </div>
            <ContentField
              key={`${opened.number} ${view.number}`}
              blogId={blog.id}
              content={content}
              view={view}
              onChange={changeContent}
              onWouldLose={showSource}
              onEditor={setEditor}
              onShowStored={showStored}
            />
          </div>
        </div>
        <Drawer
          isOpen={drawer.isOpen}
          takesFocus={drawer.takesFocus}
          onClose={drawer.close}
          blog={blog}
          opened={opened}
          title={title}
          featured={featured}
          onFeatured={changeFeatured}
          queue={queue}
          state={state}
          onChange={change}
          onUnfinished={onUnfinished}
          onReplaced={reopen}
        />
      </div>
      {isPreviewing && (
        <PreviewDialog
          blog={blog}
          hero={featured ?? blog.generated_images[0] ?? null}
          title={title}
          content={content}
          onClose={() => setPreviewing(false)}
        />
      )}
      {state.kind === 'conflict' && <ConflictDialog blog={blog} queue={queue} onTaken={reopen} />}
      {leaving}
    </div>
  );
}
