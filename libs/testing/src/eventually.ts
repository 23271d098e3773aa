import { setTimeout as sleep } from 'node:timers/promises';

/** How long `eventually` tries. */
export interface EventuallyOptions {
  /** Default 120 000: the awaited state comes in milliseconds, but a busy machine must not change a verdict. */
  readonly timeoutMs?: number;
  /** Pause between two tries, default 20. */
  readonly intervalMs?: number;
}

/**
 * Calls `attempt` until it neither throws nor returns `false`, and returns what it returned. After `timeoutMs` the last
 * failure is thrown as it was, so that an assertion's difference is what the test shows.
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { timeoutMs = 120_000, intervalMs = 20 }: EventuallyOptions = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const result = await attempt();
      if (result !== false) return result;
      failure = new Error(`Still false after ${timeoutMs} ms.`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= deadline) throw failure;
    await sleep(intervalMs);
  }
}
