import type { QueryClient } from '@tanstack/react-query';

/** After posts were published, scheduled, deleted or tagged. */
export const readPostsAgain = (queries: QueryClient): Promise<unknown> =>
  Promise.all(
    ['listBlogs', 'countBlogs', 'listSchedules'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })),
  );
