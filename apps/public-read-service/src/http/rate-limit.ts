/** Projects that are remembered at most; beyond it those that have not been busy are forgotten. */
const MAX_REMEMBERED = 100_000;
const MINUTE_MS = 60_000;
/** The share of a minute's requests that may come at once. */
const BURST_SHARE = 1 / 4;

/** Limits how often each project's key is used, in this process. */
export interface RateLimit {
  /** Counts one request. 0 when it may be answered, else after how many seconds the next one may. */
  take(projectId: string, nowMs: number): number;
}

/**
 * `perMinute` requests a minute per project, evenly spread but for bursts of a quarter of them (the "generic cell rate
 * algorithm": one number per project). Null when `perMinute` is 0: no limit.
 */
export function createRateLimit(perMinute: number): RateLimit | null {
  if (perMinute === 0) return null;
  const spacingMs = MINUTE_MS / perMinute;
  const burstMs = Math.max(spacingMs, MINUTE_MS * BURST_SHARE);
  /** Project → when all requests so far would have been answered had they come evenly. */
  const filledUntil = new Map<string, number>();

  return {
    take(projectId, nowMs) {
      const until = Math.max(filledUntil.get(projectId) ?? 0, nowMs) + spacingMs;
      const aheadMs = until - nowMs - burstMs;
      // Adding up fractions is off by less.
      if (aheadMs > 1e-6) return Math.ceil(aheadMs / 1_000);
      if (filledUntil.size >= MAX_REMEMBERED) {
        for (const [id, busyUntil] of filledUntil) if (busyUntil <= nowMs) filledUntil.delete(id);
        if (filledUntil.size >= MAX_REMEMBERED) filledUntil.clear();
      }
      filledUntil.set(projectId, until);
      return 0;
    },
  };
}
