import type { Request, RequestHandler, Response } from 'express';
import { createFairQueue } from '@blog-content/concurrency';
import { refuseWhenBusy } from './refuse-when-busy.ts';
import { untilClosed } from './until-closed.ts';

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
/** The same of writes: tests last as long as the remote end takes. */
const LASTING_WRITES = /\/(?:test|sample)\/?$/i;

/** Whose request it is; undefined lets it pass. */
export type OwnerOf = (request: Request, response: Response) => string | undefined;

/**
 * For requests with a credential, before the database is asked whose it is. The long reads come first: those that wait
 * for each other are not to keep other reads waiting.
 */
export const queueByToken = (): RequestHandler[] => [
  queueWritesOf(presentedToken),
  queueLongReadsOf(presentedToken),
  queueReadsOf(presentedToken),
];

/** For requests whose account is known, whatever number of projects and credentials it has. */
export const queueByAccount = (accountOf: OwnerOf): RequestHandler[] => [
  queueWrites(accountOf, MAX_RUNNING_OF_ACCOUNT),
  queueLongReadsOf(accountOf),
  queueReadsOf(accountOf),
];

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

/** The same for reads. */
const queueReadsOf = (ownerOf: OwnerOf): RequestHandler =>
  queueRequests((request, response) => (isRead(request) ? ownerOf(request, response) : undefined), {
    atOnce: MAX_RUNNING_READS,
    refusal: 'Too many reads at once.',
  });

/** The same for reads that search, or list much. */
const queueLongReadsOf = (ownerOf: OwnerOf): RequestHandler =>
  queueRequests((request, response) => (isRead(request) && isLong(request) ? ownerOf(request, response) : undefined), {
    atOnce: MAX_RUNNING_LONG_READS,
    refusal: 'Too many searches and long lists at once.',
  });

const isLong = ({ query: { q, limit } }: Request): boolean => Boolean(q) || Number(limit) > LONG_LIST;

const isRead = ({ method, path }: Request): boolean => READS.has(method) && !LASTING.test(path);
const isWrite = ({ method, path }: Request): boolean => !READS.has(method) && !LASTING_WRITES.test(path);

/** A body of unknown length counts as large. */
function isLarge({ headers: { 'transfer-encoding': coding, 'content-length': length = '0' } }: Request): boolean {
  return coding !== undefined || Number(length) > LARGE_BODY_BYTES;
}

const queueWrites = (ownerOf: OwnerOf, atOnce: number): RequestHandler =>
  queueRequests((request, response) => (isWrite(request) ? ownerOf(request, response) : undefined), {
    atOnce,
    refusal: 'Too many writes at once.',
  });

export interface QueueOptions {
  /** Most of one owner that run at once. */
  readonly atOnce: number;
  /** Most of one owner that wait. */
  readonly waitingEach?: number;
  /** What a 429 says. */
  readonly refusal: string;
}

/**
 * Runs a few requests of each owner at a time, until they are answered. Those that wait too long, or are too many, are
 * answered 429.
 */
export function queueRequests(ownerOf: OwnerOf, { atOnce, refusal, ...waiting }: QueueOptions): RequestHandler {
  const queue = createFairQueue({ ...WAITING, ...waiting, slots: Infinity, slotsEach: atOnce });
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
function presentedToken({ headers }: Request): string | undefined {
  return headers.authorization?.trimEnd().split(' ').at(-1);
}

export const tryAgain = (why: string) => `${why} Please try again after the time that Retry-After says.`;
