import type { Response } from 'express';

const signals = new WeakMap<Response, AbortSignal>();

/**
 * Aborted once the request is answered, or its client has left, also when that was before this was asked. One signal of
 * each response, and one listener, however many gates a request passes.
 */
export function untilClosed(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known !== undefined) return known;
  const closed = new AbortController();
  signals.set(response, closed.signal);
  if (response.closed || response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
