import { backoffMs, pause, type Backoff } from '@blog-content/concurrency';
import { isBusy } from '@blog-content/service-runtime';

const MAX_BUSY_TRIES = 10;
const BUSY_BACKOFF: Backoff = { firstMs: 200, maxMs: 10_000 };

/**
 * Tries again where others keep busy what the work needs. For what follows a model's answer within one step: the step
 * as a whole would ask the model again, and pay again.
 *
 * @throws what the work does: immediately where it is anything else, where the last try was busy too, or on an abort.
 */
export async function waitWhileBusy<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || tries === MAX_BUSY_TRIES || signal.aborted) throw error;
      await pause(backoffMs(tries, BUSY_BACKOFF), signal);
    }
  }
}
