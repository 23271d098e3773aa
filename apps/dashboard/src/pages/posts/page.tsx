import { Button, Group, NativeSelect, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { createBlogMutation, listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem } from '../../generated/types.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { pagesBefore } from '../../parts/lists/pages-before.ts';
import { SearchField } from '../../parts/lists/search-field.tsx';
import { common } from '../../strings/common.ts';
import { posts as text } from '../../strings/posts.ts';
import { BulkDialog, type BulkAction } from './bulk-dialog.tsx';
import { PostsTable } from './posts-table.tsx';
import { listQuery, type PostsFilter, type PostsSearch } from './search.ts';

const PAGE_SIZE = 50;
/** As many as the API takes in one call. */
const MAX_SELECTED = 100;
const SEARCH_AFTER_MS = 250;

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/posts' });
  const navigate = useNavigate({ from: '/projects/$projectId/posts' });
  const navigateFromHere = useNavigateFromHere();
  const list = useQuery({
    ...listBlogsOptions({ path: { projectId }, query: listQuery(search, PAGE_SIZE) }),
    placeholderData: keepPreviousData,
  });
  const [selected, setSelected] = useState<ReadonlyMap<string, BlogItem>>(new Map());
  const select = useCallback(
    (changed: readonly BlogItem[], on: boolean) =>
      setSelected((before) => {
        const next = new Map(before);
        for (const post of changed) {
          if (on) next.set(post.id, post);
          else next.delete(post.id);
        }
        return new Map([...next].slice(0, MAX_SELECTED));
      }),
    [],
  );
  const [bulk, setBulk] = useState<BulkAction | null>(null);
  /** The pages before this one, as far as this visit has seen them. */
  const [seen, setSeen] = useState<readonly (string | undefined)[]>([]);
  const before = pagesBefore(seen, search.cursor);

  const show = (next: PostsSearch) => {
    setSeen([]);
    void navigate({ search: next, replace: true });
  };
  const find = useDebouncedCallback((q: string) => show({ ...search, q: q || undefined, cursor: undefined }), {
    delay: SEARCH_AFTER_MS,
  });
  const turnTo = (cursor: string | undefined, pages: readonly (string | undefined)[]) => {
    setSeen(pages);
    void navigate({ search: { ...search, cursor }, resetScroll: true });
  };
  const create = useMutation({
    ...createBlogMutation(),
    onSuccess: (blog) =>
      navigateFromHere({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId: blog.id } }),
    onError: (error) => notify.failed(error),
  });

  const items = list.data?.items ?? [];
  const next = list.data?.next_cursor;
  const narrowed = search.q !== undefined || search.show !== undefined || search.cursor !== undefined;
  return (
    <PageFrame
      title={text.title}
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/projects/$projectId/transfer" params={{ projectId }} {...props} />}
          >
            {text.transfer}
          </Button>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/projects/$projectId/generate" params={{ projectId }} {...props} />}
          >
            {text.generate}
          </Button>
          <Button
            loading={create.isPending}
            onClick={() => create.mutate({ path: { projectId }, body: { title: text.newPostTitle } })}
          >
            {text.newPost}
          </Button>
        </>
      }
    >
      <Group align="flex-end" gap="sm">
        <SearchField label={text.search} hint={text.searchHint} given={search.q ?? ''} onSearch={find} />
        <NativeSelect
          label={text.state}
          value={search.show ?? ''}
          onChange={(event) =>
            show({ ...search, show: (event.currentTarget.value || undefined) as PostsFilter, cursor: undefined })
          }
          data={[
            { value: '', label: text.all },
            { value: 'draft', label: text.draft },
            { value: 'published', label: text.published },
            { value: 'changed', label: text.changed },
            { value: 'scheduled', label: text.scheduled },
            { value: 'unpublished', label: text.unpublished },
          ]}
        />
      </Group>
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <VisuallyHidden role="status">{list.isFetching ? common.loading : ''}</VisuallyHidden>
      <EditorSoon />
      {selected.size > 0 && (
        <Group gap="xs">
          <Text size="sm" role="status">
            {text.selected(selected.size)} {selected.size >= MAX_SELECTED && text.tooMany(MAX_SELECTED)}
          </Text>
          <Button size="xs" onClick={() => setBulk('publish')}>
            {text.publish}
          </Button>
          <Button size="xs" variant="default" onClick={() => setBulk('unpublish')}>
            {text.unpublish}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => setSelected(new Map())}>
            {text.clear}
          </Button>
        </Group>
      )}
      {items.length > 0 && <PostsTable posts={items} selected={selected} onSelect={select} />}
      {list.data && items.length === 0 && (
        <EmptyState
          title={narrowed ? text.noneTitle : text.emptyTitle}
          action={narrowed && <Button onClick={() => show({})}>{text.showAll}</Button>}
        >
          {narrowed ? text.noneText : text.emptyText}
        </EmptyState>
      )}
      <Group justify="space-between">
        {search.cursor !== undefined ? (
          <Button
            variant="default"
            onClick={() => (before.length > 0 ? turnTo(before.at(-1), before.slice(0, -1)) : turnTo(undefined, []))}
          >
            {before.length > 0 ? text.previous : text.first}
          </Button>
        ) : (
          <span />
        )}
        {next && (
          <Button
            variant="default"
            loading={list.isPlaceholderData}
            onClick={() => turnTo(next, [...before, search.cursor])}
          >
            {text.next}
          </Button>
        )}
      </Group>
      {bulk !== null && (
        <BulkDialog
          action={bulk}
          posts={[...selected.values()]}
          onClose={() => {
            setBulk(null);
            setSelected(new Map());
          }}
        />
      )}
    </PageFrame>
  );
}
