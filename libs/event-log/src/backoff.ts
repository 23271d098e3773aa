import { setTimeout as sleep } from 'node:timers/promises';

/** How waiting times grow. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Between two attempts of a handler (the port's promise). */
export const HANDLER_BACKOFF: Backoff = { firstMs: 100, mostMs: 30_000 };
/** Between two attempts to reach the log or a database: short, since everything waits for it. */
export const RECONNECT_BACKOFF: Backoff = { firstMs: 100, mostMs: 5_000 };

/** How long to wait after the `failures`-th failure in a row (1, 2, …), in ms: doubles each time up to the most. */
export function backoffMs(failures: number, { firstMs, mostMs }: Backoff): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), mostMs);
}

/** Waits; an abort ends the wait early. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
