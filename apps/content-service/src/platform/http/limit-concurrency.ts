import { untilClosed, type OperationalError } from '@blog-content/service-runtime';
import type { RequestHandler, Response } from 'express';

export interface ConcurrencyOptions {
  /** Most requests of this process at once. */
  readonly inAll: number;
  /** Whose request it is. Each of these has one at a time, so that nobody keeps the others out. */
  readonly takenBy: (response: Response) => readonly string[];
  readonly refusal: () => OperationalError;
}

/** Lets few requests of this process through at once, until they are answered. Others are refused. */
export function limitConcurrency({ inAll, takenBy, refusal }: ConcurrencyOptions): RequestHandler {
  let running = 0;
  const holders = new Set<string>();
  return (_request, response, next) => {
    const taking = takenBy(response);
    if (running >= inAll || taking.some((holder) => holders.has(holder))) throw refusal();
    running += 1;
    for (const holder of taking) holders.add(holder);
    const leave = () => {
      running -= 1;
      for (const holder of taking) holders.delete(holder);
    };
    const closed = untilClosed(response);
    if (closed.aborted) leave();
    else closed.addEventListener('abort', leave, { once: true });
    next();
  };
}
