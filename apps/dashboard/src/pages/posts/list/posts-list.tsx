import { VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { memo, useCallback, useRef, useState, type KeyboardEvent } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { useLeavingPosts } from '../../../parts/posts/delete-soon.ts';
import { useProject } from '../../../parts/project.tsx';
import { posts as text } from '../../../strings/posts.ts';
import type { LivePosts } from '../read-live.ts';
import type { PostsSort } from '../search.ts';
import { PostCard, PostRow, type RowProps } from './post-row.tsx';
import styles from './posts-list.module.css';
import { PostMenu, type OpenMenu, type OnAction } from './post-menu.tsx';
import { SortHead } from './sort-head.tsx';
import { useTicks } from './use-ticks.ts';

/**
 * One page of posts: a table, and on phones cards. It is drawn again only for other posts. Its rows are plain elements
 * that share one menu: with Mantine’s, fifty of them took three times as long, and each of the router’s own links looks
 * at every change of the URL, such as a search makes.
 */
export const PostsList = memo(function PostsList(props: {
  posts: readonly BlogItem[];
  live: LivePosts;
  selected: ReadonlyMap<string, BlogItem>;
  sort: { readonly sort: PostsSort; readonly order: 'asc' | 'desc' };
  busy: boolean;
  onSort: (column: PostsSort) => void;
  onSelect: (changed: readonly BlogItem[], on: boolean) => void;
  onAction: OnAction;
}) {
  const { posts, live, selected, sort, onSort, onSelect } = props;
  const { id: projectId } = useProject();
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const navigate = useNavigate();
  const place = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const onTick = useTicks(posts, onSelect);
  const onOpen = useCallback(
    (blogId: string) => void navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId } }),
    [navigate, projectId],
  );
  const leaving = useLeavingPosts();
  const chosen = posts.filter(({ id }) => selected.has(id)).length;
  const rowOf = (post: BlogItem): RowProps => ({
    post,
    projectId,
    failed: live.get(post.id)?.failed ?? 0,
    isLeaving: leaving.has(post.id),
    isSelected: selected.has(post.id),
    hasMenu: menu?.post.id === post.id,
    onTick,
    onOpen,
    onMenu: setMenu,
  });
  const all = (
    <input
      type="checkbox"
      className={styles['tick']}
      aria-label={text.selectAll}
      checked={chosen === posts.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = chosen > 0 && chosen < posts.length;
      }}
      onChange={(event) => onSelect(posts, event.currentTarget.checked)}
    />
  );
  return (
    <div ref={place} className={styles['place']} aria-busy={props.busy} data-posts onKeyDown={moveByArrows}>
      {isWide ? (
        <table aria-label={text.table} aria-describedby="posts-keys" className={styles['table']}>
          <SortHead all={all} {...sort} onSort={onSort} />
          <tbody>
            {posts.map((post) => (
              <PostRow key={post.id} {...rowOf(post)} />
            ))}
          </tbody>
        </table>
      ) : (
        <>
          <label className={styles['all']}>
            {all} {text.selectAll}
          </label>
          <ul aria-label={text.table} className={styles['cards']}>
            {posts.map((post) => (
              <PostCard key={post.id} {...rowOf(post)} />
            ))}
          </ul>
        </>
      )}
      {menu !== null && (
        <PostMenu
          key={menu.post.id}
          menu={menu}
          place={place}
          live={live.get(menu.post.id)}
          onAction={props.onAction}
          onOpen={onOpen}
          onClose={() => setMenu(null)}
        />
      )}
      {isWide && <VisuallyHidden id="posts-keys">{text.keys}</VisuallyHidden>}
    </div>
  );
});

/** From title to title. */
function moveByArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target as HTMLElement).matches('a[data-post]')) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-post]')];
  links[links.indexOf(event.target as HTMLElement) + step]?.focus();
}
