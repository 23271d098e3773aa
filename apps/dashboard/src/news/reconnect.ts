/** How a connection to the stream has ended. */
export interface StreamEnd {
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  /** From `Retry-After`, in seconds. */
  readonly retryAfterS: number | null;
  /** Whether it has delivered something rather than being cut immediately: then the connection is good. */
  readonly heard: boolean;
}

const SOON_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** No answer keeps a page from its news for longer. A timer of more than 24 days would not wait at all. */
const MAX_ASKED_MS = 600_000;

/**
 * When to connect again, in milliseconds; null when it would be refused again. `failures` counts the connections before
 * this one that told nothing. `random` is uniform in [0, 1): many pages lose their stream at the same moment.
 */
export function reconnectAfterMs(
  { status, retryAfterS, heard }: StreamEnd,
  failures: number,
  random: number,
): number | null {
  // Signed out elsewhere, no member any more, or no such project: the page’s own calls say so.
  if ([400, 401, 403, 404].includes(status)) return null;
  const waitMs = heard ? SOON_MS : Math.min(MAX_DELAY_MS, SOON_MS * 2 ** failures);
  const askedMs = Math.min(MAX_ASKED_MS, (retryAfterS ?? 0) * 1_000);
  return Math.max(askedMs, waitMs) * (1 + random / 2);
}
