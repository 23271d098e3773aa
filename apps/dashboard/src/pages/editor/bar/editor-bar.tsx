import { ActionIcon, Button } from '@mantine/core';
import { ArrowLeft, Eye, PanelRight } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { PostState } from '../../../parts/posts/post-state.tsx';
import { editor as text } from '../../../strings/editor.ts';
import { posts } from '../../../strings/posts.ts';
import type { SaveState } from '../saving/save-queue.ts';
import styles from './editor-bar.module.css';
import { SaveStatus } from './save-status.tsx';

/** The editor's bar: the way back, the post's state, and its actions. */
export function EditorBar(props: {
  blog: Blog;
  state: SaveState;
  /** Whether some of it can’t be saved as it is. */
  isPartial: boolean;
  words: ReactNode;
  onSave: () => void;
  onPreview: () => void;
  /** Publish, and what else can be done with the post. */
  children: ReactNode;
}) {
  const { blog, state } = props;
  return (
    <header className={styles['bar']}>
      <PageLink
        to="/projects/$projectId/posts"
        params={{ projectId: blog.project_id }}
        className={styles['back'] ?? ''}
        aria-label={posts.title}
        underline="never"
      >
        <ArrowLeft />
        <span className={styles['wide']}>{posts.title}</span>
      </PageLink>
      <div className={styles['state']}>
        <PostState post={blog} />
        <SaveStatus state={state} isPartial={props.isPartial} onSave={props.onSave} />
        {props.words}
      </div>
      <Button
        className={styles['wide'] ?? ''}
        variant="subtle"
        color="gray"
        c="var(--ink)"
        leftSection={<Eye />}
        onClick={props.onPreview}
      >
        {text.preview.open}
      </Button>
      <ActionIcon
        className={styles['narrow'] ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={text.preview.open}
        onClick={props.onPreview}
      >
        <Eye />
      </ActionIcon>
      {props.children}
    </header>
  );
}

/** Opens and closes the settings beside the text. */
export function DrawerButton(props: { ref: Ref<HTMLButtonElement>; isOpen: boolean; onClick: () => void }) {
  return (
    <ActionIcon
      ref={props.ref}
      variant={props.isOpen ? 'light' : 'subtle'}
      color={props.isOpen ? 'accent' : 'gray'}
      size="lg"
      aria-label={text.drawer.label}
      title={text.drawer.label}
      aria-expanded={props.isOpen}
      aria-controls="post-settings"
      onClick={props.onClick}
    >
      <PanelRight />
    </ActionIcon>
  );
}
