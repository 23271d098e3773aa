import type { Response } from 'express';

/** Aborted once the request is answered, or its client has left, also when that was before this was asked. */
export function untilClosed(response: Response): AbortSignal {
  const closed = new AbortController();
  if (response.closed || response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
