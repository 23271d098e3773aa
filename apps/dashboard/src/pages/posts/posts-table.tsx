import { Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { memo, useCallback, type KeyboardEvent, type MouseEvent } from 'react';
import type { BlogItem } from '../../generated/types.gen.ts';
import { PostState } from '../../parts/post-state.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { posts as text } from '../../strings/posts.ts';
import styles from './posts-table.module.css';

type OnSelect = (changed: readonly BlogItem[], on: boolean) => void;

/**
 * One page of posts. The arrow keys move between titles, space selects. It is drawn anew only for other posts. Its
 * rows are plain elements: with Mantine’s, fifty of them took three times as long, and each of the router’s own links
 * looks at every change of the address, such as a search makes.
 */
export const PostsTable = memo(function PostsTable(props: {
  posts: readonly BlogItem[];
  selected: ReadonlyMap<string, BlogItem>;
  onSelect: OnSelect;
}) {
  const { posts, selected, onSelect } = props;
  const { id: projectId } = useProject();
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const navigate = useNavigate();
  const open = useCallback(
    (blogId: string) => void navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId } }),
    [navigate, projectId],
  );
  const chosen = posts.filter(({ id }) => selected.has(id)).length;
  return (
    <>
      <Table aria-label={text.table} className={styles['table'] ?? ''}>
        <thead>
          <tr>
            <th style={{ width: 40 }}>
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
            </th>
            <th>{text.columnTitle}</th>
            {isWide && (
              <>
                <th>{text.columnState}</th>
                <th>{text.columnChanged}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {posts.map((post) => (
            <Row
              key={post.id}
              post={post}
              projectId={projectId}
              isSelected={selected.has(post.id)}
              isWide={isWide}
              onSelect={onSelect}
              onOpen={open}
            />
          ))}
        </tbody>
      </Table>
      {isWide && (
        <Text size="xs" c="dimmed">
          {text.keys}
        </Text>
      )}
    </>
  );
});

const Row = memo(function Row(props: {
  post: BlogItem;
  projectId: string;
  isSelected: boolean;
  isWide: boolean;
  onSelect: OnSelect;
  onOpen: (blogId: string) => void;
}) {
  const { post, isSelected, isWide } = props;
  const toggle = () => props.onSelect([post], !isSelected);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === ' ') {
      event.preventDefault();
      toggle();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('a[data-post]') ?? [])];
      links[links.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    }
  };
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          className={styles['tick']}
          aria-label={text.select(post.title)}
          checked={isSelected}
          onChange={toggle}
        />
      </td>
      <td className={styles['title']}>
        <a
          href={`/projects/${props.projectId}/posts/${post.id}`}
          data-post
          onKeyDown={onKey}
          onClick={(event) => {
            if (!isPlain(event)) return;
            event.preventDefault();
            props.onOpen(post.id);
          }}
        >
          {post.title}
        </a>
        <div className={styles['slug']}>{post.slug}</div>
        {!isWide && (
          <div className={styles['below']}>
            <PostState post={post} />
          </div>
        )}
      </td>
      {isWide && (
        <>
          <td>
            <PostState post={post} />
          </td>
          <td>
            <When iso={post.updated_at} />
          </td>
        </>
      )}
    </tr>
  );
});

/** Not one that opens another tab or window. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
