import { Anchor, Box, Checkbox, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, type KeyboardEvent } from 'react';
import type { BlogItem } from '../../generated/types.gen.ts';
import { PostState } from '../../parts/post-state.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { posts as text } from '../../strings/posts.ts';

/** One page of posts. The arrow keys move between titles, space selects. It is drawn anew only for other posts. */
export const PostsTable = memo(function PostsTable(props: {
  posts: readonly BlogItem[];
  selected: ReadonlyMap<string, BlogItem>;
  onSelect: (selected: ReadonlyMap<string, BlogItem>) => void;
}) {
  const { posts, selected } = props;
  const { id: projectId } = useProject();
  const chosen = posts.filter(({ id }) => selected.has(id)).length;
  const select = (changed: readonly BlogItem[], on: boolean) => {
    const next = new Map(selected);
    for (const post of changed) {
      if (on) next.set(post.id, post);
      else next.delete(post.id);
    }
    props.onSelect(next);
  };
  const toggle = (post: BlogItem) => select([post], !selected.has(post.id));
  const onKey = (event: KeyboardEvent<HTMLElement>, post: BlogItem) => {
    if (event.key === ' ') {
      event.preventDefault();
      toggle(post);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('a[data-post]') ?? [])];
      links[links.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    }
  };
  return (
    <>
      <Table aria-label={text.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                aria-label={text.selectAll}
                checked={chosen === posts.length}
                indeterminate={chosen > 0 && chosen < posts.length}
                onChange={(event) => select(posts, event.currentTarget.checked)}
              />
            </Table.Th>
            <Table.Th>{text.columnTitle}</Table.Th>
            <Table.Th visibleFrom="sm">{text.columnState}</Table.Th>
            <Table.Th visibleFrom="sm">{text.columnChanged}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {posts.map((post) => (
            <Table.Tr key={post.id}>
              <Table.Td>
                <Checkbox
                  aria-label={text.select(post.title)}
                  checked={selected.has(post.id)}
                  onChange={() => toggle(post)}
                />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor
                  fw={500}
                  data-post
                  onKeyDown={(event) => onKey(event, post)}
                  renderRoot={(rest) => (
                    <Link to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId: post.id }} {...rest} />
                  )}
                >
                  {post.title}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {post.slug}
                </Text>
                <Box hiddenFrom="sm" mt={4}>
                  <PostState post={post} />
                </Box>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <PostState post={post} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <When iso={post.updated_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {text.keys}
      </Text>
    </>
  );
});
