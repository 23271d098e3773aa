import type { QueryClient } from '@tanstack/react-query';

/** Has the list of images read anew, and how much of the quota they take. */
export const libraryChanged = (queries: QueryClient): Promise<unknown> =>
  Promise.all(['listImages', 'getImageUsage'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
