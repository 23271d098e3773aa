import { Link } from '@tanstack/react-router';
import { FileText, House, Menu, Plus, Send, X } from 'lucide-react';
import type { Ref } from 'react';
import { useNewPost } from '../../parts/posts/use-new-post.ts';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { useIsActive } from './navigation.tsx';
import styles from './shell.module.css';

/** At the bottom of a phone’s window. The last one opens the menu with the id `menu`. */
export function Tabs(props: {
  menuButton: Ref<HTMLButtonElement>;
  opened: boolean;
  onMenu: () => void;
  onNavigate: () => void;
}) {
  const { opened, onNavigate } = props;
  const { id: projectId } = useProject();
  const isActive = useIsActive();
  const newPost = useNewPost();
  const tab = { className: styles['tab'], params: { projectId }, onClick: onNavigate };
  return (
    <nav className={styles['tabs']} aria-label={common.shortcuts}>
      <Link to="/projects/$projectId" {...tab} {...isActive('/projects/$projectId')}>
        <House />
        {common.nav.home}
      </Link>
      <Link to="/projects/$projectId/posts" {...tab} {...isActive('/projects/$projectId/posts')}>
        <FileText />
        {common.nav.posts}
      </Link>
      <button
        type="button"
        className={styles['tab']}
        aria-label={common.newPost}
        disabled={newPost.isPending}
        onClick={() => {
          onNavigate();
          newPost.write();
        }}
      >
        <span className={styles['plus']}>
          <Plus />
        </span>
      </button>
      <Link to="/projects/$projectId/publishing" {...tab} {...isActive('/projects/$projectId/publishing')}>
        <Send />
        {common.nav.publishing}
      </Link>
      <button
        type="button"
        ref={props.menuButton}
        className={styles['tab']}
        aria-expanded={opened}
        aria-controls="menu"
        onClick={props.onMenu}
      >
        {opened ? <X /> : <Menu />}
        {common.openMenu}
      </button>
    </nav>
  );
}
