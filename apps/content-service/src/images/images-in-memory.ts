import { tooManyRequests } from '@blog-content/service-runtime';
import pLimit from 'p-limit';

/** Images that one process receives or fetches at once, each of up to 20 MB: more than one account's writes can be. */
export const MAX_IN_MEMORY = 24;
/** Most that wait. */
const MAX_WAITING = 200;
const RETRY_AFTER_S = 5;

/** Does what has the bytes of a new image in memory. @throws a 429 problem when too many wait; what the work does. */
export type WithImageInMemory = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Bounds how many new images are in the memory of this process. Nobody keeps a place for longer than a minute. */
export function limitImagesInMemory(): WithImageInMemory {
  const limit = pLimit(MAX_IN_MEMORY);
  return async (work) => {
    if (limit.pendingCount < MAX_WAITING) return limit(work);
    throw tooManyRequests('Other images are being received.', RETRY_AFTER_S);
  };
}
