import { Button, Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, FileText, SearchX, Sparkles } from 'lucide-react';
import { useCallback, useState } from 'react';
import { countBlogsOptions, listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem } from '../../generated/types.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { Loading } from '../../parts/loading.tsx';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { useNewPost } from '../../parts/posts/use-new-post.ts';
import { common } from '../../strings/common.ts';
import { posts as text } from '../../strings/posts.ts';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { ActionDialog, type AskedAction } from './actions/action-dialog.tsx';
import { usePerform } from './actions/use-perform.ts';
import type { PostAction } from './actions/what-can-be-done.ts';
import { BulkBar } from './bulk-bar.tsx';
import styles from './filters.module.css';
import { Filters } from './filters.tsx';
import { PostsList } from './list/posts-list.tsx';
import { countOf, rangeShown } from './range-shown.ts';
import { listQuery, sortOf, toggledSort, type PostsSearch, type PostsSort } from './search.ts';
import { StateTabs } from './tabs.tsx';
import { useLivePosts } from './use-live-posts.ts';
import { useSelection } from './use-selection.ts';

const PAGE_SIZE = 50;
const NO_POSTS: readonly BlogItem[] = [];

export function Page() {
  const { id: projectId } = useProject();
  const path = { projectId };
  const search = useSearch({ from: '/projects/$projectId/posts' });
  const navigate = useNavigate({ from: '/projects/$projectId/posts' });
  const list = useQuery({
    ...listBlogsOptions({ path, query: listQuery(search, PAGE_SIZE) }),
    placeholderData: keepPreviousData,
  });
  const { cursor, page = 1, q, tag, show } = search;
  const counts = useQuery({ ...countBlogsOptions({ path, query: { q, tag } }), placeholderData: keepPreviousData });
  const tags = useQuery(countBlogsOptions({ path }));
  const live = useLivePosts();
  const posts = list.data?.items ?? NO_POSTS;
  const { selected, select, clear } = useSelection(posts);
  const go = (next: PostsSearch) => void navigate({ search: next, replace: true });
  const onSort = useCallback(
    (column: PostsSort) => void navigate({ search: (before) => toggledSort(before, column), replace: true }),
    [navigate],
  );
  const { asked, ask, onAction } = useRowActions();
  const { cursor: _cursor, page: _page, ...filters } = search;
  const isNarrowed = q !== undefined || tag !== undefined || show !== undefined;
  const isOnlyPage = cursor === undefined && !list.data?.next_cursor;
  const isLoading = list.isPlaceholderData || list.isPending;
  if (list.data && posts.length === 0 && !isNarrowed && cursor === undefined) {
    return (
      <PageFrame title={text.title}>
        <NoPosts />
      </PageFrame>
    );
  }
  return (
    <PageFrame title={text.title} actions={<WaysToAPost />}>
      <StateTabs show={show} counts={counts.data} onShow={(next) => go({ ...filters, show: next })}>
        <Stack gap="sm">
          <Filters search={search} tags={tags.data?.tags ?? []} onChange={go} />
          <QueryProblem query={list} />
          <div role="status" className={styles['range']} data-only={isOnlyPage || undefined}>
            {isLoading
              ? common.loading
              : counts.data && rangeShown(posts.length, page, PAGE_SIZE, countOf(counts.data, show))}
          </div>
          <EditorSoon />
          {list.isPending && <Loading rows={8} />}
          {posts.length > 0 && (
            <PostsList
              posts={posts}
              live={live}
              selected={selected}
              sort={sortOf(search)}
              busy={list.isPlaceholderData}
              onSort={onSort}
              onSelect={select}
              onAction={onAction}
            />
          )}
          {list.data && posts.length === 0 && <NoneMatch onClear={() => go({})} />}
          <PageTurner
            key={JSON.stringify(filters)}
            cursor={cursor}
            next={list.data?.next_cursor}
            loading={list.isPlaceholderData}
            onTurn={(to) => {
              const next = to === list.data?.next_cursor ? page + 1 : page - 1;
              void navigate({
                search: { ...filters, ...(to !== undefined && { cursor: to, page: next }) },
                resetScroll: true,
              });
            }}
          />
          <BulkBar posts={[...selected.values()]} onClear={clear} />
        </Stack>
      </StateTabs>
      {asked !== null && <ActionDialog {...asked} onDone={clear} onClose={() => ask(null)} />}
    </PageFrame>
  );
}

/** What is chosen in the menu of a row. */
function useRowActions() {
  const [asked, ask] = useState<{ action: AskedAction; posts: readonly BlogItem[] } | null>(null);
  const perform = usePerform();
  const onAction = useCallback(
    (action: PostAction, post: BlogItem) => {
      if (action !== 'unschedule') {
        ask({ action, posts: [post] });
        return;
      }
      // It can be undone, so it doesn't ask.
      void perform([post], { action })
        .then(([refused]) => refused && notify.refused(`${post.title}: ${refused.why}`))
        .catch((error: unknown) => notify.failed(error));
    },
    [perform],
  );
  return { asked, ask, onAction };
}

/** The sidebar has the button to write a post. */
function WaysToAPost() {
  const { id: projectId } = useProject();
  return (
    <>
      <PageButton
        variant="default"
        leftSection={<Download />}
        to="/projects/$projectId/transfer"
        params={{ projectId }}
      >
        {text.transfer}
      </PageButton>
      <PageButton
        variant="default"
        leftSection={<Sparkles />}
        to="/projects/$projectId/generate"
        params={{ projectId }}
      >
        {text.generate}
      </PageButton>
    </>
  );
}

function NoPosts() {
  const newPost = useNewPost();
  return (
    <EmptyState
      icon={FileText}
      title={text.emptyTitle}
      action={
        <Group gap="xs" justify="center">
          <Button loading={newPost.isPending} onClick={newPost.write}>
            {text.newPost}
          </Button>
          <WaysToAPost />
        </Group>
      }
      guide={{ href: '/docs/making-posts', label: text.guide }}
    >
      {text.emptyText}
    </EmptyState>
  );
}

function NoneMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title={text.noneTitle}
      action={
        <Button variant="default" onClick={onClear}>
          {text.clearFilters}
        </Button>
      }
    >
      {text.noneText}
    </EmptyState>
  );
}
