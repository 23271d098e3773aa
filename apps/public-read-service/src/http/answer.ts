/** A whole response, ready to be sent. */
export interface Answer {
  readonly status: number;
  /** Name, value, name, value, …; names in lowercase. */
  readonly headers: readonly string[];
  /** Null for a response without a body, or with one that is streamed. */
  readonly body: Buffer | null;
}

/** How long a client should wait before it repeats a request that failed here (contract §7.1 "a few seconds"). */
const RETRY_AFTER_S = 2;

export const VARY = ['vary', 'Authorization, Accept-Encoding'] as const;
export const NOSNIFF = ['x-content-type-options', 'nosniff'] as const;

/** An error: `{"detail": …}` and nothing else (contract §7.1). */
export function failure(status: number, detail: string, ...headers: string[]): Answer {
  const body = Buffer.from(JSON.stringify({ detail }));
  return {
    status,
    headers: [
      ...['cache-control', 'no-store', ...VARY, ...NOSNIFF, 'content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(body.length), ...headers],
    ],
    body,
  };
}

/** Everything that fails on our side is 500, never 502, 503 or 504 (contract §4.6). */
const retryLater = (detail: string) => failure(500, detail, 'retry-after', String(RETRY_AFTER_S));

/** The one answer for a key that is missing, unknown, rotated, revoked or no project key at all (contract §5.1.6). */
export const unauthorized = failure(401, 'A valid public key is required.', 'www-authenticate', 'Bearer');

/** For a valid key of a project that an administrator has suspended for readers too. */
export const suspended = failure(403, 'This project is suspended. Its owner can ask the administrator to resume it.');

export const serverError = retryLater(
  'Internal error. Try again in a few seconds. If it persists, report the X-Request-Id header.',
);

/** When the budget for large responses is used up. */
export const budgetExhausted = retryLater(
  'Too many large responses in progress. Read the pending ones first, then try again in a few seconds.',
);

/** When too many reads of the account wait for the database, or for too long. */
export const tooManyReads = retryLater('Too many concurrent reads of this project. Try again in a few seconds.');

/** When a key was used more often than the setting allows. */
export function tooManyRequests(retryAfterS: number): Answer {
  const detail = `Rate limit exceeded for this key. Try again in ${retryAfterS} s.`;
  return failure(429, detail, 'retry-after', String(retryAfterS));
}
