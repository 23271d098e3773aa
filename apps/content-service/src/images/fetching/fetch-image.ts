import type { UrlGuard } from '@blog-content/url-guard';
import { createGuardedGet } from '../../platform/outgoing/guarded-get.ts';
import { MAX_IMAGE_BYTES } from '../image-limits.ts';
import type { WithImageInMemory } from '../images-in-memory.ts';

/**
 * Fetches an image and gives its bytes to `use`, until which is done they count as being in memory.
 *
 * @throws FetchRefused for each failure; a 429 problem when too many fetches wait; what `use` throws.
 */
export type ImageFetcher = <T>(url: string, use: (bytes: Buffer) => Promise<T>) => Promise<T>;

/** Most time of one fetch in all. */
const FETCH_MS = 20_000;
const MEBIBYTE = 1024 * 1024;
const NO_IMAGE = /^(?:text|application\/(?:json|xhtml|xml))/i;

export function createImageFetcher(
  guard: Pick<UrlGuard, 'check' | 'gotOptions'>,
  userAgent: string,
  inMemory: WithImageInMemory,
): ImageFetcher {
  const get = createGuardedGet(guard, userAgent, {
    ...{ accept: 'image/avif,image/webp,image/*;q=0.8', verb: 'fetched', timeoutMs: FETCH_MS },
    ...{ maxBytes: MAX_IMAGE_BYTES, maxSize: `${MAX_IMAGE_BYTES / MEBIBYTE} MB` },
    refusalOf: ({ 'content-type': type = '' }) =>
      NO_IMAGE.test(type) ? `is not an image: its host reports ${type.slice(0, 100)}` : null,
  });
  return (url, use) => inMemory(async () => use((await get(url)).body));
}
