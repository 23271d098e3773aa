import { Ellipsis } from 'lucide-react';
import { memo, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { Thumbnail } from '../../../parts/images/thumbnail.tsx';
import { LanguageBadge } from '../../../parts/languages/language-badge.tsx';
import { PostState } from '../../../parts/posts/post-state.tsx';
import { When } from '../../../parts/when.tsx';
import { posts as text } from '../../../strings/posts.ts';
import styles from './posts-list.module.css';
import type { OpenMenu } from './post-menu.tsx';
import type { OnTick } from './use-ticks.ts';

export interface RowProps {
  readonly post: BlogItem;
  readonly projectId: string;
  readonly failed: number;
  /** It is about to be deleted. */
  readonly isLeaving: boolean;
  readonly isSelected: boolean;
  readonly hasMenu: boolean;
  readonly onTick: OnTick;
  readonly onOpen: (blogId: string) => void;
  readonly onMenu: (menu: OpenMenu) => void;
}

export const PostRow = memo(function PostRow(props: RowProps) {
  const { post } = props;
  return (
    <tr data-selected={props.isSelected || undefined} inert={props.isLeaving}>
      <td className={styles['tickCell']}>
        <Tick {...props} />
      </td>
      <td>
        <div className={styles['post']}>
          <Thumbnail url={post.hero_image_url} />
          <div className={styles['words']}>
            <div className={styles['line']}>
              <TitleLink {...props} />
              <LanguageBadge language={post.language} />
            </div>
            {post.excerpt !== '' && <div className={styles['excerpt']}>{post.excerpt}</div>}
          </div>
        </div>
      </td>
      <td>
        <PostState post={post} failed={props.failed} />
      </td>
      <td className={styles['when']}>
        <When iso={post.updated_at} />
      </td>
      <td className={styles['when']}>{post.published_at !== null && <When iso={post.published_at} />}</td>
      <td className={styles['menuCell']}>
        <MenuButton {...props} />
      </td>
    </tr>
  );
});

export const PostCard = memo(function PostCard(props: RowProps) {
  const { post } = props;
  return (
    <li className={styles['card']} data-selected={props.isSelected || undefined} inert={props.isLeaving}>
      <Tick {...props} />
      <div className={styles['words']}>
        <TitleLink {...props} />
        <div className={styles['below']}>
          <LanguageBadge language={post.language} />
          <PostState post={post} failed={props.failed} />
          {/* Beside the date of its schedule it would be one date too many. */}
          {post.publish_at === null && (
            <span className={styles['when']}>
              <When iso={post.updated_at} />
            </span>
          )}
        </div>
      </div>
      <Thumbnail url={post.hero_image_url} />
      <MenuButton {...props} />
    </li>
  );
});

function Tick({ post, isSelected, onTick }: RowProps) {
  return (
    <input
      type="checkbox"
      className={styles['tick']}
      aria-label={text.select(post.title)}
      checked={isSelected}
      onChange={({ nativeEvent }) =>
        onTick(post, !isSelected, nativeEvent instanceof window.MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

function TitleLink({ post, projectId, isSelected, onTick, onOpen }: RowProps) {
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ' && event.key.toLowerCase() !== 'x') return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onTick(post, !isSelected, event.shiftKey);
  };
  return (
    <a
      href={`/projects/${projectId}/posts/${post.id}`}
      className={styles['title']}
      data-post
      onKeyDown={onKey}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        onOpen(post.id);
      }}
    >
      {post.title}
    </a>
  );
}

function MenuButton({ post, hasMenu, onMenu }: RowProps) {
  // Pressing the button of an open menu closes it before the click.
  const wasOpen = useRef(false);
  return (
    <button
      type="button"
      className={styles['menu']}
      aria-label={text.menu.of(post.title)}
      title={text.menu.of(post.title)}
      aria-haspopup="menu"
      aria-expanded={hasMenu}
      onPointerDown={() => {
        wasOpen.current = hasMenu;
      }}
      onClick={({ currentTarget }) => {
        if (!wasOpen.current) onMenu({ post, button: currentTarget });
        wasOpen.current = false;
      }}
    >
      <Ellipsis />
    </button>
  );
}

/** Not one that opens another tab or window. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
