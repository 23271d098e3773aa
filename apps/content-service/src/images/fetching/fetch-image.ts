import { createFairQueue } from '@blog-content/concurrency';
import { refuseWhenBusy } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { MAX_IMAGE_BYTES } from '../image-limits.ts';

/** The image could not be fetched. The message is a clause about its address. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

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

/** Redirects that are followed: image hosts send one or two. */
const MAX_REDIRECTS = 3;
/** Most time of one fetch in all. */
const FETCH_MS = 20_000;
const MEBIBYTE = 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches images over the guard's connections, each hop with its own check: no address of our network is reached.
 *
 * @param ownerOf the account that owns a project.
 */
export function createImageFetcher(
  guard: Pick<UrlGuard, 'check' | 'gotOptions'>,
  userAgent: string,
  ownerOf: (projectId: string) => Promise<string>,
): ImageFetcher {
  const queue = createFairQueue(FETCHING);
  return async ({ projectId, url }, use) => {
    const release = await queue
      .enter(await ownerOf(projectId))
      .catch(refuseWhenBusy('Other images are being fetched.', RETRY_AFTER_S));
    try {
      return await use(await fetchImage(url));
    } finally {
      release();
    }
  };

  async function fetchImage(address: string): Promise<Buffer> {
    const signal = AbortSignal.timeout(FETCH_MS);
    let url = address;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const verdict = await guard.check(url);
      if (!verdict.ok) throw new FetchRefused(`may not be fetched: ${verdict.detail}`);
      const answer = await request(url, guard, userAgent, signal);
      if (Buffer.isBuffer(answer)) return answer;
      url = answer.location;
    }
    throw new FetchRefused(`redirects more than ${MAX_REDIRECTS} times`);
  }
}

async function request(
  url: string,
  { gotOptions }: Pick<UrlGuard, 'gotOptions'>,
  userAgent: string,
  signal: AbortSignal,
): Promise<Buffer | { readonly location: string }> {
  const { default: got } = await import('got');
  const stream = got.stream(url, {
    headers: { 'user-agent': userAgent, accept: 'image/avif,image/webp,image/*;q=0.8', 'accept-encoding': 'identity' },
    signal,
    ...gotOptions,
  });
  // The library wraps what a stream is destroyed with.
  let refused: FetchRefused | undefined;
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // The answer's head comes before its first byte; an answer without a body ends without one.
    let location: string | undefined;
    let status = 0;
    const refuse = (refusal: FetchRefused) => {
      refused = refusal;
      stream.destroy();
    };
    stream.on('response', (response: { statusCode: number; headers: Record<string, string | undefined> }) => {
      status = response.statusCode;
      location = response.headers['location'];
      const type = response.headers['content-type'] ?? '';
      if (status === 200 && /^(?:text|application\/(?:json|xhtml|xml))/i.test(type)) {
        refuse(new FetchRefused(`is no image: its host says ${type.slice(0, 100)}`));
      }
      if (status === 200 && Number(response.headers['content-length']) > MAX_IMAGE_BYTES) refuse(tooLarge());
    });
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_IMAGE_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
    if (refused !== undefined) throw refused;
    if (REDIRECTS.has(status) && location !== undefined) return { location: new URL(location, url).href };
    if (status !== 200) throw new FetchRefused(`was answered with status ${status}`);
    return Buffer.concat(chunks);
  } catch (error) {
    if (refused !== undefined) throw refused;
    if (error instanceof FetchRefused) throw error;
    if (signal.aborted) throw new FetchRefused(`did not come within ${FETCH_MS / 1_000} s`, { cause: error });
    throw new FetchRefused('could not be reached', { cause: error });
  } finally {
    stream.destroy();
  }
}

const tooLarge = () => new FetchRefused(`has more than ${MAX_IMAGE_BYTES / MEBIBYTE} MiB`);
