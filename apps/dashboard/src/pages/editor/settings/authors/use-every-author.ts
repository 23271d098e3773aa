import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listAuthorsInfiniteOptions } from '../../../../generated/@tanstack/react-query.gen.ts';
import { morePages } from '../../../../parts/lists/more-pages.ts';
import { useProject } from '../../../../parts/project.tsx';

/** All authors of the project, of which there are at most two pages. */
export function useEveryAuthor() {
  const { id: projectId } = useProject();
  const list = useInfiniteQuery({
    ...listAuthorsInfiniteOptions({ path: { projectId }, query: { limit: 100 } }),
    ...morePages({ projectId }),
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return {
    list,
    authors: list.data?.pages.flatMap(({ items }) => items) ?? [],
    isComplete: list.data !== undefined && !hasNextPage,
  };
}
