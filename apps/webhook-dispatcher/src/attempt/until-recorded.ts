import { backoffMs, pause } from '@blog-content/concurrency';

const BACKOFF = { firstMs: 100, maxMs: 5_000 };

export interface RecordingLimits {
  /** Aborted when the process must end. */
  readonly ending: AbortSignal;
  /** So long is tried at most, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Records an outcome, which is known here only. While the database is away, or refuses, it tries again, and calls
 * `onFailure` each time.
 */
export async function untilRecorded<Result>(
  record: () => Promise<Result>,
  { ending, patienceMs = Number.POSITIVE_INFINITY }: RecordingLimits,
  onFailure: (failure: { error: unknown; retry_in_ms: number }) => void,
): Promise<Result> {
  const untilMs = performance.now() + patienceMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await record();
    } catch (error) {
      if (ending.aborted || performance.now() > untilMs) throw error;
      const retryInMs = backoffMs(failures, BACKOFF);
      onFailure({ error, retry_in_ms: retryInMs });
      await pause(retryInMs, ending);
    }
  }
}
