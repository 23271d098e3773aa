import type { Response } from 'express';

/** Aborted once the request is answered, or its client has left. */
export function untilClosed(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => {
    closed.abort();
  });
  return closed.signal;
}
