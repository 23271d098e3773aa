/** How many failed sign-ins are free, and how long the next ones wait. */
const FREE_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
const FORGOTTEN_AFTER_MS = 30 * 60_000;
const MAX_KEYS = 10_000;

interface Failures {
  count: number;
  waitUntil: number;
  lastAt: number;
}

/** Slows down guessing: after five failures for a key each further one doubles the wait, from 1 s to 15 min. */
export interface Throttle {
  /** Milliseconds until the key may try again; 0 when it may now. */
  waitMs(key: string): number;
  failed(key: string): void;
  succeeded(key: string): void;
}

/** Keeps at most 10,000 keys in memory, the ones that failed last. @param now milliseconds of a clock that only goes forward. */
export function createThrottle(now: () => number): Throttle {
  const failures = new Map<string, Failures>();
  return {
    waitMs: (key) => Math.max(0, (failures.get(key)?.waitUntil ?? 0) - now()),
    failed(key) {
      const at = now();
      const before = failures.get(key);
      const count = before && at - before.lastAt < FORGOTTEN_AFTER_MS ? before.count + 1 : 1;
      const doublings = count - FREE_FAILURES - 1;
      const wait = doublings < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_WAIT_MS);
      failures.delete(key);
      failures.set(key, { count, waitUntil: at + wait, lastAt: at });
      const [oldest] = failures.keys();
      if (failures.size > MAX_KEYS && oldest !== undefined) failures.delete(oldest);
    },
    succeeded(key) {
      failures.delete(key);
    },
  };
}
