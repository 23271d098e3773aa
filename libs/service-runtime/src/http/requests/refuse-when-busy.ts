import { TooBusy } from '@blog-content/concurrency';
import { OperationalError, tooManyRequests } from '../operational-error.ts';

/** Whether others keep busy what was needed: it may be free in a moment. */
export const isBusy = (error: unknown): boolean =>
  error instanceof TooBusy || (error instanceof OperationalError && error.code === 'too_many_requests');

/**
 * For a queued request: throws a 429 problem where too many waited or it took too long, and passes on what else went
 * wrong.
 */
export const refuseWhenBusy =
  (detail: string, retryAfterS: number) =>
  (error: unknown): never => {
    if (error instanceof TooBusy) throw tooManyRequests(detail, retryAfterS);
    throw error;
  };
