import { createFairQueue } from '@blog-content/concurrency';
import { refuseWhenBusy } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { createGuardedGet } from '../../platform/outgoing/guarded-get.ts';
import { MAX_IMAGE_BYTES } from '../image-limits.ts';

/** Who wants which image. */
export interface FetchOrder {
  readonly projectId: string;
  readonly url: string;
}

/**
 * Fetches an image and gives its bytes to `use`, until which is done they count as being in memory.
 *
 * @throws FetchRefused for whatever it meets; a 429 problem when too many fetches wait; what `use` throws.
 */
export type ImageFetcher = <T>(order: FetchOrder, use: (bytes: Buffer) => Promise<T>) => Promise<T>;

/**
 * Images that one process fetches at once, each of which is in memory; a host may be silent, and accounts take turns.
 */
const FETCHING = { slots: 24, slotsEach: 3, waitingEach: 50, waiting: 200, maxWaitMs: 60_000 };
const RETRY_AFTER_S = 5;

/** Most time of one fetch in all. */
const FETCH_MS = 20_000;
const MEBIBYTE = 1024 * 1024;
const NO_IMAGE = /^(?:text|application\/(?:json|xhtml|xml))/i;

/** @param ownerOf the account that owns a project. */
export function createImageFetcher(
  guard: Pick<UrlGuard, 'check' | 'gotOptions'>,
  userAgent: string,
  ownerOf: (projectId: string) => Promise<string>,
): ImageFetcher {
  const queue = createFairQueue(FETCHING);
  const get = createGuardedGet(guard, userAgent, {
    ...{ accept: 'image/avif,image/webp,image/*;q=0.8', verb: 'fetched', timeoutMs: FETCH_MS },
    ...{ maxBytes: MAX_IMAGE_BYTES, maxSize: `${MAX_IMAGE_BYTES / MEBIBYTE} MB` },
    refusalOf: ({ 'content-type': type = '' }) =>
      NO_IMAGE.test(type) ? `is not an image: its host reports ${type.slice(0, 100)}` : null,
  });
  return async ({ projectId, url }, use) => {
    const release = await queue
      .enter(await ownerOf(projectId))
      .catch(refuseWhenBusy('Other images are being fetched.', RETRY_AFTER_S));
    try {
      return await use((await get(url)).body);
    } finally {
      release();
    }
  };
}
