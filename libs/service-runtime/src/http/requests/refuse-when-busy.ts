import { TooBusy } from '@blog-content/concurrency';
import { tooManyRequests } from '../operational-error.ts';

/**
 * For what waits for its turn: throws a 429 problem where too many waited or it took too long, and passes on what else
 * went wrong.
 */
export const refuseWhenBusy =
  (detail: string, retryAfterS: number) =>
  (error: unknown): never => {
    if (error instanceof TooBusy) throw tooManyRequests(detail, retryAfterS);
    throw error;
  };
