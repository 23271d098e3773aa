import { createFairQueue } from '@blog-content/service-runtime';
import type { Request, RequestHandler, Response } from 'express';
import { untilClosed } from '../http/until-closed.ts';
import { refuseWhenBusy } from './refuse-when-busy.ts';

/** Methods that change nothing. */
export const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Most writes of one owner that run at once in a process: one more than a request and the repetitions that may wait for
 * it.
 */
const MAX_RUNNING = 5;
/** Most of an account in all its projects, writes and reads: together they leave connections to the database. */
const MAX_RUNNING_OF_ACCOUNT = 6;
const MAX_RUNNING_READS = 2;
/**
 * Of these, searches and long lists: one search looks at all that a project has, and keeps a processor of the database
 * busy; a long list keeps the event loop.
 */
const MAX_RUNNING_LONG_READS = 1;
/** A list is long beyond this. */
const LONG_LIST = 50;
/** Most writes of one owner with large bodies that run at once. */
const MAX_RUNNING_LARGE = 2;
/** A body is large beyond this. */
const LARGE_BODY_BYTES = 64 * 1024;
/** Most of one owner that wait, and how long. */
const WAITING = { waitingEach: 1_000, waiting: Infinity, maxWaitMs: 20_000 };
const RETRY_AFTER_S = 2;
/** Paths of answers that last: streams of events and exports, whose numbers are limited where they are made. */
const LASTING = /\/(?:events|export)\/?$/i;

/** Whose request it is; undefined lets it pass. */
type OwnerOf = (request: Request, response: Response) => string | undefined;

/**
 * Runs a few writes of each owner at a time, so that a thousand at once delay only each other. Those that wait too
 * long, or are too many, are answered 429.
 */
export const queueWritesOf = (ownerOf: OwnerOf): RequestHandler => queueWrites(ownerOf, MAX_RUNNING);

/** The same for an account, whatever number of projects and credentials it has. */
export const queueWritesOfAccount = (ownerOf: OwnerOf): RequestHandler => queueWrites(ownerOf, MAX_RUNNING_OF_ACCOUNT);

/**
 * The same for writes with large bodies, fewer at a time: a body is received and parsed before its content can be
 * refused.
 */
export const queueLargeWritesOf = (ownerOf: OwnerOf): RequestHandler =>
  queueWrites((request, response) => (isLarge(request) ? ownerOf(request, response) : undefined), MAX_RUNNING_LARGE);

/** The same for reads. */
export const queueReadsOf = (ownerOf: OwnerOf): RequestHandler =>
  queueRequests(
    (request, response) => (isRead(request) ? ownerOf(request, response) : undefined),
    MAX_RUNNING_READS,
    'Too many reads at once.',
  );

/** The same for reads that search, or list much. */
export const queueLongReadsOf = (ownerOf: OwnerOf): RequestHandler =>
  queueRequests(
    (request, response) => (isRead(request) && isLong(request) ? ownerOf(request, response) : undefined),
    MAX_RUNNING_LONG_READS,
    'Too many searches and long lists at once.',
  );

const isLong = ({ query: { q, limit } }: Request): boolean => Boolean(q) || Number(limit) > LONG_LIST;

const isRead = ({ method, path }: Request): boolean => READS.has(method) && !LASTING.test(path);

/** A body of unknown length counts as large. */
function isLarge({ headers: { 'transfer-encoding': coding, 'content-length': length = '0' } }: Request): boolean {
  return coding !== undefined || Number(length) > LARGE_BODY_BYTES;
}

const queueWrites = (ownerOf: OwnerOf, atOnce: number): RequestHandler =>
  queueRequests(
    (request, response) => (READS.has(request.method) ? undefined : ownerOf(request, response)),
    atOnce,
    'Too many writes at once.',
  );

function queueRequests(ownerOf: OwnerOf, atOnce: number, refusal: string): RequestHandler {
  const queue = createFairQueue({ ...WAITING, slots: Infinity, slotsEach: atOnce });
  return async (request, response, next) => {
    const owner = ownerOf(request, response);
    if (owner === undefined) {
      next();
      return;
    }
    const closed = untilClosed(response);
    const release = await queue.enter(owner, closed).catch(refuseWhenBusy(tryAgain(refusal), RETRY_AFTER_S));
    if (closed.aborted) release();
    else closed.addEventListener('abort', release, { once: true });
    next();
  };
}

/** The token of a request as it was sent, whoever it belongs to. */
export function presentedToken({ headers }: Request): string | undefined {
  return headers.authorization?.trimEnd().split(' ').at(-1);
}

export const tryAgain = (why: string) => `${why} Please try again after the time that Retry-After says.`;
