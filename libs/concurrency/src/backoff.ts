import { setTimeout as sleep } from 'node:timers/promises';

/** How waiting times grow. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** How long to wait after the `failures`-th failure in a row (1, 2, …), in ms: doubles each time up to the maximum. */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs);
}

/** Waits; an abort ends the wait early. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
