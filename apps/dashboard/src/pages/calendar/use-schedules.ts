import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listSchedulesInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Schedule } from '../../generated/types.gen.ts';
import { morePages } from '../../parts/lists/more-pages.ts';

/** The schedules up to a time. The API lists them with the next one first: pages are asked for until that time. */
export function useSchedules(
  projectId: string,
  until: Date,
): {
  readonly items: readonly Schedule[];
  readonly loading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
} {
  const list = useInfiniteQuery({
    ...listSchedulesInfiniteOptions({ path: { projectId }, query: { limit: 100 } }),
    ...morePages({ projectId }),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const last = items.at(-1);
  const more = list.hasNextPage && last !== undefined && Date.parse(last.publish_at) < until.getTime();
  const { fetchNextPage, isFetchingNextPage, isError } = list;
  useEffect(() => {
    if (more && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [more, isFetchingNextPage, isError, fetchNextPage]);
  return { items, loading: list.isPending || more, error: list.error, retry: () => void list.refetch() };
}
