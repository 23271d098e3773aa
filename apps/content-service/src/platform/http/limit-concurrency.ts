import { createFairQueue, type FairQueue } from '@blog-content/concurrency';
import { refuseWhenBusy, untilClosed } from '@blog-content/service-runtime';
import type { RequestHandler, Response } from 'express';

export interface ConcurrencyOptions {
  /** Most requests of this process at once. */
  readonly inAll: number;
  /** Whose request it is. Each of these has one at a time, so that nobody keeps the others out. */
  readonly takenBy: (response: Response) => readonly [string, ...string[]];
  /** What a 429 says. */
  readonly refusal: string;
}

const RETRY_AFTER_S = 10;
/**
 * A request that follows another waits for it, and so does one whose client has just given up the other: the service
 * may hear of that later.
 */
const WAITING = { waitingEach: 3, maxWaitMs: 5_000 };

/** Limits how many requests this process handles at the same time. Others wait briefly, or are refused. */
export function limitConcurrency({ inAll, takenBy, refusal }: ConcurrencyOptions): RequestHandler {
  const own = createFairQueue({ ...WAITING, slotsEach: 1 });
  const all = createFairQueue({ ...WAITING, slots: inAll });
  const refuse = refuseWhenBusy(refusal, RETRY_AFTER_S);
  return async (_request, response, next) => {
    const closed = untilClosed(response);
    const enter = async (queue: FairQueue, holder: string) => {
      const leave = await queue.enter(holder, closed).catch(refuse);
      if (closed.aborted) leave();
      else closed.addEventListener('abort', leave, { once: true });
    };
    const holders = takenBy(response);
    for (const holder of holders) await enter(own, holder);
    await enter(all, holders[0]);
    next();
  };
}
