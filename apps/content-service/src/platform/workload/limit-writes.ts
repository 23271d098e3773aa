import { createFairQueue, tooManyRequests } from '@blog-content/service-runtime';
import type { Request, RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { untilClosed } from '../http/until-closed.ts';
import { refuseWhenBusy } from './refuse-when-busy.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Most writes of one owner that run at once in a process: one more than a request and the repetitions that may wait for
 * it.
 */
const MAX_RUNNING = 5;
/** Most writes of one owner with large bodies that run at once. */
const MAX_RUNNING_LARGE = 2;
/** A body is large beyond this. */
const LARGE_BODY_BYTES = 64 * 1024;
/** Most writes of one owner that wait, and how long. */
const MAX_WAITING = 1_000;
const WAIT_MS = 20_000;
const RETRY_AFTER_S = 2;
const MINUTE_S = 60;

/** Whose request it is; undefined lets it pass. */
type OwnerOf = (request: Request, response: Response) => string | undefined;

/**
 * Runs a few writes of each owner at a time, so that a thousand at once delay only each other. Those that wait too
 * long, or are too many, are answered 429.
 */
export const queueWritesOf = (ownerOf: OwnerOf): RequestHandler => queueWrites(ownerOf, MAX_RUNNING);

/**
 * The same for writes with large bodies, fewer at a time: a body is received and parsed before its content can be
 * refused.
 */
export const queueLargeWritesOf = (ownerOf: OwnerOf): RequestHandler =>
  queueWrites((request, response) => (isLarge(request) ? ownerOf(request, response) : undefined), MAX_RUNNING_LARGE);

/** A body of unknown length counts as large. */
function isLarge({ headers: { 'transfer-encoding': coding, 'content-length': length = '0' } }: Request): boolean {
  return coding !== undefined || Number(length) > LARGE_BODY_BYTES;
}

function queueWrites(ownerOf: OwnerOf, atOnce: number): RequestHandler {
  const queue = createFairQueue({ slots: Infinity, slotsEach: atOnce, waitingEach: MAX_WAITING, waiting: Infinity });
  return async (request, response, next) => {
    const owner = READS.has(request.method) ? undefined : ownerOf(request, response);
    if (owner === undefined) {
      next();
      return;
    }
    const closed = untilClosed(response);
    const release = await queue
      .enter(owner, AbortSignal.any([closed, AbortSignal.timeout(WAIT_MS)]))
      .catch(refuseWhenBusy(tryAgain('Too many writes at once.'), RETRY_AFTER_S));
    response.once('close', release);
    if (closed.aborted) release();
    next();
  };
}

/** Answers 429 to the writes of one credential beyond `perMinute` in this process. @param credentialOf its id. */
export function limitWrites(perMinute: number, credentialOf: (response: Response) => string): RequestHandler {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE_S });
  return async (request, response, next) => {
    if (!READS.has(request.method)) {
      try {
        await limiter.consume(credentialOf(response));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw tooManyRequests(tryAgain(`More than ${perMinute} writes in a minute.`), error.msBeforeNext / 1_000);
      }
    }
    next();
  };
}

/** The token of a request as it was sent, whoever it belongs to. */
export function presentedToken({ headers }: Request): string | undefined {
  return headers.authorization?.trimEnd().split(' ').at(-1);
}

const tryAgain = (why: string) => `${why} Please try again after the time that Retry-After says.`;
