import type { UrlGuard } from '@blog-content/url-guard';

/** It could not be fetched. The message is a clause about its address. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/** By their names, in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

/** What is fetched, and how much of it. */
export interface FetchRules {
  readonly accept: string;
  /** What refused addresses may not be. */
  readonly verb: 'read' | 'fetched';
  /** Most time of one fetch in all. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** `maxBytes` as a refusal names it. */
  readonly maxSize: string;
  /** Why the body of an answer is not wanted, as a clause; null when it is. */
  readonly refusalOf: (headers: AnswerHeaders) => string | null;
}

/** An answer that was taken. */
export interface Fetched {
  /** Where it was, once redirects were followed. */
  readonly url: string;
  /** Its media type; empty when its host does not say. */
  readonly type: string;
  readonly body: Buffer;
}

/** @throws FetchRefused for each failure. */
export type GuardedGet = (url: string, ended?: AbortSignal) => Promise<Fetched>;

/** Redirects that are followed: image hosts send one or two. */
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Fetches over the guard's connections, each hop with its own check: no address of our network is reached. */
export function createGuardedGet(
  { check, gotOptions }: Pick<UrlGuard, 'check' | 'gotOptions'>,
  userAgent: string,
  { accept, verb, timeoutMs, maxBytes, maxSize, refusalOf }: FetchRules,
): GuardedGet {
  return async (address, ended) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = ended === undefined ? timeout : AbortSignal.any([ended, timeout]);
    let url = address;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const verdict = await check(url);
      if (!verdict.ok) throw new FetchRefused(`cannot be ${verb}: ${verdict.detail.replace(/\.$/, '')}`);
      const { status, headers, body } = await request(url, signal);
      const { location } = headers;
      if (REDIRECTS.has(status) && location !== undefined && URL.canParse(location, url)) {
        url = new URL(location, url).href;
        continue;
      }
      if (status !== 200) throw new FetchRefused(`returned status ${status}`);
      return { url, type: headers['content-type'] ?? '', body };
    }
    throw new FetchRefused(`redirects more than ${MAX_REDIRECTS} times`);
  };

  async function request(url: string, signal: AbortSignal) {
    const { default: got } = await import('got');
    const stream = got.stream(url, {
      headers: { 'user-agent': userAgent, accept, 'accept-encoding': 'identity' },
      signal,
      ...gotOptions,
    });
    const tooLarge = `exceeds ${maxSize}`;
    let [status, headers]: [number, AnswerHeaders] = [0, {}];
    // got reports what it is destroyed with as an error of its own.
    let refused: FetchRefused | undefined;
    stream.on('response', (response: { statusCode: number; headers: AnswerHeaders }) => {
      status = response.statusCode;
      headers = response.headers;
      if (status !== 200) return;
      const refusal = refusalOf(headers) ?? (Number(headers['content-length']) > maxBytes ? tooLarge : null);
      if (refusal === null) return;
      refused = new FetchRefused(refusal);
      stream.destroy();
    });
    try {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > maxBytes) throw new FetchRefused(tooLarge);
        chunks.push(chunk);
      }
      if (refused !== undefined) throw refused;
      return { status, headers, body: Buffer.concat(chunks) };
    } catch (error) {
      if (error instanceof FetchRefused || refused !== undefined) throw refused ?? error;
      if (signal.aborted) throw new FetchRefused(`did not respond within ${timeoutMs / 1_000} s`, { cause: error });
      throw new FetchRefused('could not be reached', { cause: error });
    } finally {
      stream.destroy();
    }
  }
}
