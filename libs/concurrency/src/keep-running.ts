import { backoffMs, pause, type Backoff } from './backoff.ts';

/**
 * Runs `runOnce` again and again until `stopping` is aborted, after a failure with backoff. A failure once that is
 * aborted counts for nothing.
 *
 * @param runOnce calls `progressed` when it has come so far that the next failure is the first again
 */
export async function keepRunning(
  runOnce: (progressed: () => void) => Promise<void>,
  onFailure: (failure: { error: unknown; failures: number; retryInMs: number }) => void,
  { backoff, stopping }: { backoff: Backoff; stopping: AbortSignal },
): Promise<void> {
  let failures = 0;
  const progressed = () => {
    failures = 0;
  };
  while (!stopping.aborted) {
    try {
      await runOnce(progressed);
    } catch (error) {
      if (stopping.aborted) return;
      failures += 1;
      const retryInMs = backoffMs(failures, backoff);
      onFailure({ error, failures, retryInMs });
      await pause(retryInMs, stopping);
    }
  }
}
