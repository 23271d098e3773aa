import { createFairQueue, TooBusy } from '@blog-content/concurrency';
import type { Request, RequestHandler, Response } from 'express';
import { OperationalError, tooManyRequests } from '../operational-error.ts';

/** Methods that change nothing. */
export const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Most concurrent writes of one owner in a process: one more than a request and the repetitions that may wait for it.
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
/** Most concurrent writes of one owner with large bodies. */
const MAX_RUNNING_LARGE = 2;
/** A body is large beyond this. */
const LARGE_BODY_BYTES = 64 * 1024;
/** Most of one owner that wait, and how long. */
const WAITING = { waitingEach: 1_000, maxWaitMs: 20_000 };
const RETRY_AFTER_S = 2;

/** Whose request it is; undefined lets it pass. */
export type OwnerOf = (request: Request, response: Response) => string | undefined;

/** Requests of which a few of each owner run concurrently. */
export interface RequestClass {
  readonly has: (request: Request) => boolean;
  /** Most of one owner that run concurrently. */
  readonly atOnce: number;
  /** Most of all owners that run concurrently; undefined for no limit. */
  readonly inAll?: number;
  /** Most of one owner that wait, and how long. */
  readonly waitingEach?: number;
  readonly maxWaitMs?: number;
  /** What a 429 says. */
  readonly refusal: string;
  readonly retryAfterS?: number;
}

/** The requests of a service whose answers last: they take no turns, as their number is limited where they are made. */
export type LastingRequests = (request: Request) => boolean;
const NONE_LASTS: LastingRequests = () => false;

/** For requests with a credential, before the database is asked whose it is. */
export const queueByToken = (lasts = NONE_LASTS): RequestHandler =>
  queueRequests(presentedToken, classesOf(MAX_RUNNING, lasts));

/** For requests whose account is known, over all of its projects and credentials. */
export const queueByAccount = (accountOf: OwnerOf, lasts = NONE_LASTS): RequestHandler =>
  queueRequests(accountOf, classesOf(MAX_RUNNING_OF_ACCOUNT, lasts));

/** For writes to a project. Fewer at a time have large bodies: one is received and parsed before it can be refused. */
export const queueByProject = (projectOf: OwnerOf): RequestHandler =>
  queueRequests(projectOf, [
    writes(MAX_RUNNING, isWrite),
    writes(MAX_RUNNING_LARGE, (request) => isWrite(request) && isLarge(request)),
  ]);

/** A request that follows another waits for it, also when its client has just given up the other. */
const LASTING = { waitingEach: 3, maxWaitMs: 5_000, retryAfterS: 10 };

/** For requests that last: of each owner one at a time, so that nobody keeps the others out. */
export const queueLasting = (ownerOf: OwnerOf, limits: Pick<RequestClass, 'inAll' | 'refusal'>): RequestHandler =>
  queueRequests(ownerOf, [{ has: () => true, atOnce: 1, ...LASTING, ...limits }]);

const writes = (atOnce: number, has: RequestClass['has']) => ({ has, atOnce, refusal: 'Too many concurrent writes.' });

function classesOf(writesAtOnce: number, lasts: LastingRequests): RequestClass[] {
  const isShortRead = (request: Request) => READS.has(request.method) && !lasts(request);
  return [
    writes(writesAtOnce, (request) => isWrite(request) && !lasts(request)),
    // Before the other reads: those that wait for each other are not to keep these waiting.
    {
      has: (request) => isShortRead(request) && isLong(request),
      atOnce: MAX_RUNNING_LONG_READS,
      refusal: 'Too many concurrent searches and long lists.',
    },
    { has: isShortRead, atOnce: MAX_RUNNING_READS, refusal: 'Too many concurrent reads.' },
  ];
}

/**
 * Runs a few requests of each class and owner at a time, until they are answered, so that a thousand concurrent ones
 * delay only each other. One that is of several classes waits for each in their order. Those that wait too long, or are
 * too many, are answered 429.
 */
export function queueRequests(ownerOf: OwnerOf, classes: readonly RequestClass[]): RequestHandler {
  const queues = classes.map(({ has, atOnce, inAll, refusal, retryAfterS = RETRY_AFTER_S, ...waiting }) => ({
    has,
    queue: createFairQueue({ ...WAITING, ...waiting, slotsEach: atOnce, ...(inAll !== undefined && { slots: inAll }) }),
    refuse: refuseWhenBusy(tryAgain(refusal), retryAfterS),
  }));
  return async (request, response, next) => {
    const owner = ownerOf(request, response);
    for (const { has, queue, refuse } of queues) {
      if (owner === undefined || !has(request)) continue;
      const closed = untilClosed(response);
      const release = await queue.enter(owner, closed).catch(refuse);
      if (closed.aborted) release();
      else closed.addEventListener('abort', release, { once: true });
    }
    next();
  };
}

const isWrite = ({ method }: Request): boolean => !READS.has(method);

const isLong = ({ query: { q, limit } }: Request): boolean => Boolean(q) || Number(limit) > LONG_LIST;

/** A body of unknown length counts as large. */
function isLarge({ headers: { 'transfer-encoding': coding, 'content-length': length = '0' } }: Request): boolean {
  return coding !== undefined || Number(length) > LARGE_BODY_BYTES;
}

/** The token of a request as it was sent, valid or not. */
function presentedToken({ headers }: Request): string | undefined {
  return headers.authorization?.trimEnd().split(' ').at(-1);
}

export const tryAgain = (why: string) => `${why} Wait for the time in Retry-After, then try again.`;

/** Whether others keep busy what was needed: it may be free in a moment. */
export const isBusy = (error: unknown): boolean =>
  error instanceof TooBusy || (error instanceof OperationalError && error.code === 'too_many_requests');

/**
 * For a queued request: throws a 429 problem where too many waited or it took too long, and passes on what else went
 * wrong.
 */
export const refuseWhenBusy =
  (detail: string, retryAfterS: number) =>
  (error: unknown): never => {
    if (error instanceof TooBusy) throw tooManyRequests(detail, retryAfterS);
    throw error;
  };

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
