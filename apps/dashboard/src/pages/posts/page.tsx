import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { common } from '../../strings/common.ts';
import { posts as text } from '../../strings/posts.ts';
import { Filters } from './filters.tsx';
import { PostsTable } from './posts-table.tsx';
import { listQuery, type PostsSearch } from './search.ts';
import { sayShown } from './say-shown.ts';
import { SelectedPosts } from './selected-posts.tsx';
import { useSelection } from './use-selection.ts';

const PAGE_SIZE = 50;

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/posts' });
  const navigate = useNavigate({ from: '/projects/$projectId/posts' });
  const list = useQuery({
    ...listBlogsOptions({ path: { projectId }, query: listQuery(search, PAGE_SIZE) }),
    placeholderData: keepPreviousData,
  });
  const { selected, select, clear } = useSelection();
  const items = list.data?.items ?? [];
  const show = (next: PostsSearch) => void navigate({ search: next, replace: true });
  const { cursor, ...filters } = search;
  const narrowed = search.q !== undefined || search.show !== undefined || cursor !== undefined;
  return (
    <PageFrame title={text.title} actions={<WaysToAPost />}>
      <Filters search={search} onChange={show} />
      <QueryProblem query={list} />
      <Text role="status" size="sm" c="dimmed">
        {list.isPlaceholderData || list.isPending ? common.loading : list.data && sayShown(list.data, cursor)}
      </Text>
      <EditorSoon />
      <SelectedPosts posts={[...selected.values()]} onClear={clear} />
      {items.length > 0 && <PostsTable posts={items} selected={selected} onSelect={select} />}
      {list.data && items.length === 0 && (
        <EmptyState
          title={narrowed ? text.noneTitle : text.emptyTitle}
          action={narrowed && <Button onClick={() => show({})}>{text.showAll}</Button>}
        >
          {narrowed ? text.noneText : text.emptyText}
        </EmptyState>
      )}
      <PageTurner
        key={JSON.stringify(filters)}
        cursor={cursor}
        next={list.data?.next_cursor}
        loading={list.isPlaceholderData}
        onTurn={(to) => void navigate({ search: { ...filters, cursor: to }, resetScroll: true })}
      />
    </PageFrame>
  );
}

/** A post is imported or generated; the sidebar has the button to write one. */
function WaysToAPost() {
  const { id: projectId } = useProject();
  return (
    <>
      <PageButton variant="default" to="/projects/$projectId/transfer" params={{ projectId }}>
        {text.transfer}
      </PageButton>
      <PageButton variant="default" to="/projects/$projectId/generate" params={{ projectId }}>
        {text.generate}
      </PageButton>
    </>
  );
}
