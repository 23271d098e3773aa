import type { QueryClient } from '@tanstack/react-query';

/** Refetches the list of images and the quota they take. */
export const libraryChanged = (queries: QueryClient): Promise<unknown> =>
  Promise.all(['listImages', 'getImageUsage'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
