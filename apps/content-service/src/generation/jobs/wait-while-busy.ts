import { type Backoff, backoffMs, pause, TooBusy } from '@blog-content/concurrency';
import { OperationalError } from '@blog-content/service-runtime';

const MAX_BUSY_TRIES = 10;
const BUSY_BACKOFF: Backoff = { firstMs: 200, maxMs: 10_000 };
const TOO_MANY_REQUESTS = 429;

/**
 * Tries again where others keep busy what the work needs. For what follows a model's answer within one step: the step
 * as a whole would ask the model again, and pay again.
 *
 * @throws what the work does: at once where it is anything else, where the last try was busy too, or on an abort.
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

/** Whether others keep busy what was needed: it may be free in a moment. */
export const isBusy = (error: unknown): boolean =>
  error instanceof TooBusy || (error instanceof OperationalError && error.status === TOO_MANY_REQUESTS);
