import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listBlogsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem } from '../../generated/types.gen.ts';
import { morePages } from '../../parts/lists/more-pages.ts';

const PAGE_SIZE = 100;
/** A month that is further back stays without the posts that are older. */
const MAX_PAGES = 20;
const NONE: readonly BlogItem[] = [];

/** The posts in the state with a date from `since` on, the newest first. Pages are asked for until that time. */
export function useDatedPosts(projectId: string, state: 'draft' | 'published', since: Date) {
  const list = useInfiniteQuery({
    ...listBlogsInfiniteOptions({
      path: { projectId },
      query: { state, sort: 'published_at', order: 'desc', limit: PAGE_SIZE },
    }),
    ...morePages({ projectId }),
  });
  const pages = list.data?.pages ?? [];
  const last = pages.at(-1)?.items.at(-1)?.published_at ?? null;
  const more = list.hasNextPage && pages.length < MAX_PAGES && last !== null && Date.parse(last) > since.getTime();
  const { fetchNextPage, isFetchingNextPage, isError } = list;
  useEffect(() => {
    if (more && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [more, isFetchingNextPage, isError, fetchNextPage]);
  return {
    items: list.data === undefined ? NONE : pages.flatMap(({ items }) => items),
    loading: list.isPending || more,
    error: list.error,
    retry: () => void list.refetch(),
  };
}
