import type { Response } from 'express';

/**
 * Aborted once the request is answered, or its client has left, also when that was before this was asked. One signal of
 * each response, and one listener, however many gates a request passes.
 */
export function untilClosed(response: Response): AbortSignal {
  response.locals.closed ??= signalOf(response);
  return response.locals.closed;
}

function signalOf(response: Response): AbortSignal {
  const closed = new AbortController();
  if (response.closed || response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
