import { BlogApiError } from './blog-api-error.ts';
import type { ResponseCache } from './response-cache.ts';

/** How requests are made. */
export interface RequestOptions {
  /** The project's public key, `pk_live_…`. */
  readonly key: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly cache: ResponseCache | undefined;
  /** Tries in all, for one answer. */
  readonly maxAttempts: number;
  /** Time for one try, its body included. */
  readonly timeoutMs: number;
  /** First wait between tries; each one after doubles it. */
  readonly backoffMs: number;
}

/** Longest wait between two tries, also when the service asks for more. */
const MAX_WAIT_MS = 60_000;

/** A try's end: an answer, or what may pass. */
type Attempt =
  | { readonly body: string; readonly status: number }
  | { readonly failure: BlogApiError; readonly retryAfterMs: number };

/**
 * GETs a text. Waits and tries again after 429, 5xx and network errors, never after another status.
 *
 * @returns null for a 404 that says so in JSON, as this API does
 * @throws {BlogApiError} for every other refusal, and after the last try
 * @throws the signal's reason, when it is aborted
 */
export async function request(url: string, options: RequestOptions, signal?: AbortSignal): Promise<string | null> {
  const cached = await options.cache?.get(url);
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const ended = await attemptRequest(url, options, cached, signal);
    if ('body' in ended) return ended.status === 404 ? null : ended.body;
    if (attempt >= options.maxAttempts) throw ended.failure;
    await waitBetweenTries(attempt, options, signal, ended.retryAfterMs);
  }
}

/** Waits after the given try, for longer after each. */
export async function waitBetweenTries(
  attempt: number,
  { backoffMs }: Pick<RequestOptions, 'backoffMs'>,
  signal: AbortSignal | undefined,
  atLeastMs = 0,
): Promise<void> {
  // Builds that failed together do not come back together.
  const waitMs = backoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  await sleep(Math.min(Math.max(waitMs, atLeastMs), MAX_WAIT_MS), signal);
}

async function attemptRequest(
  url: string,
  { key, fetch, cache, timeoutMs }: RequestOptions,
  cached: { readonly etag: string; readonly body: string } | undefined,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (cached !== undefined) headers['if-none-match'] = cached.etag;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let body: string;
  try {
    response = await fetch(url, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    body = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? `no response within ${timeoutMs} ms` : `no response: ${messageOf(cause)}`;
    return { failure: new BlogApiError(url, null, reason, { cause }), retryAfterMs: 0 };
  }
  const { status } = response;
  if (status === 304 && cached !== undefined) return { body: cached.body, status };
  if (status === 200) {
    const etag = response.headers.get('etag');
    if (etag !== null) await cache?.set(url, { etag, body });
    return { body, status };
  }
  const detail = detailOf(body);
  if (status === 404 && detail !== undefined) return { body, status };
  const failure = new BlogApiError(url, status, `${status} ${detail ?? 'without a reason; is the base URL correct?'}`);
  if (status !== 429 && status < 500) throw failure;
  return { failure, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) };
}

/** `Retry-After` in seconds or as a date; 0 when it is neither. */
function retryAfterMs(header: string | null): number {
  if (header === null || header.trim() === '') return 0;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? ms : 0;
}

function detailOf(body: string): string | undefined {
  try {
    const detail = (JSON.parse(body) as { detail?: unknown } | null)?.detail;
    return typeof detail === 'string' ? detail : undefined;
  } catch {
    return undefined;
  }
}

/** fetch hides what went wrong in the error's cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // What is aborted already does not say so again.
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
