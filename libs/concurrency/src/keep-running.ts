import { backoffMs, pause, type Backoff } from './backoff.ts';

/**
 * Runs `runOnce` again and again until `stopping` is aborted. After a failure it waits, with backoff. It does not
 * report a failure that comes after the abort.
 *
 * @param runOnce calls `progressed` once it works: the next failure then begins with the shortest backoff
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
