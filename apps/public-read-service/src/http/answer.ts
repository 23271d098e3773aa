import type { ServerResponse } from 'node:http';
import type { Reservation } from './answer-budget.ts';
import type { ContentCoding } from './content-coding.ts';

/** A whole answer, ready to be sent. */
export interface Answer {
  readonly status: number;
  /** Name, value, name, value, …; names in lowercase. */
  readonly headers: readonly string[];
  /** Null for an answer that has no body whatever the method. */
  readonly body: Body | null;
}

/** The bytes of an answer, a large one's in pieces. */
export type Body = Buffer | readonly Buffer[];

/** How many bytes an answer has. */
export function lengthOf(body: Body): number {
  return Buffer.isBuffer(body) ? body.length : body.reduce((sum, piece) => sum + piece.length, 0);
}

/**
 * How long a client should wait before it repeats a request that met trouble of ours (contract §7.1 "a few seconds").
 */
const RETRY_AFTER_S = 2;

/**
 * Answers differ by key and by coding; no cache but the reader's own may store them, and it has to revalidate each
 * time.
 */
const VARY = ['vary', 'Authorization, Accept-Encoding'] as const;
const NOSNIFF = ['x-content-type-options', 'nosniff'] as const;
const PRIVATE = ['cache-control', 'private, no-cache'] as const;

/**
 * Last-Modified is sent so long after its time: until then a change with an earlier time may still be committed, and
 * would be answered 304. This is twice what a change's transaction may take, because clocks differ.
 */
const SETTLED_AFTER_MS = 60_000;

/** The answer to a query, in one content coding. */
export interface Representation {
  readonly etag: string;
  /** Whole seconds, in milliseconds since 1970. The version came about before. */
  readonly lastModifiedMs: number;
  readonly bytes: number;
  /** A large answer's. It is held until all who asked for the answer together have got it. */
  readonly reservation: Reservation | null;
  /** 200 with the body. `nowMs` decides whether it has Last-Modified yet, see {@link SETTLED_AFTER_MS}. */
  full(nowMs: number): Answer;
  /** 304. */
  notModified(nowMs: number): Answer;
}

/** Makes a representation's answers once, for all requests. */
export function createRepresentation(parts: {
  readonly body: Body;
  readonly reservation?: Reservation;
  readonly contentType: string;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly lastModifiedMs: number;
}): Representation {
  const { body, contentType, coding, etag, lastModifiedMs, reservation = null } = parts;
  const bytes = lengthOf(body);
  let isDated = false;
  let full: Answer;
  let notModified: Answer;
  const make = (date: readonly string[]): void => {
    const shared = [...PRIVATE, ...VARY, ...NOSNIFF, 'etag', etag, ...date];
    const encoding = coding === 'identity' ? [] : ['content-encoding', coding];
    const length = ['content-length', String(bytes)];
    full = { status: 200, headers: [...shared, 'content-type', contentType, ...encoding, ...length], body };
    notModified = { status: 304, headers: shared, body: null };
  };
  make([]);
  const date = (nowMs: number): void => {
    if (isDated || nowMs < lastModifiedMs + SETTLED_AFTER_MS) return;
    isDated = true;
    make(['last-modified', new Date(lastModifiedMs).toUTCString()]);
  };
  return {
    etag,
    lastModifiedMs,
    bytes,
    reservation,
    full(nowMs) {
      date(nowMs);
      return full;
    },
    notModified(nowMs) {
      date(nowMs);
      return notModified;
    },
  };
}

/** An error: `{"detail": …}` and nothing else (contract §7.1). */
export function failure(status: number, detail: string, ...headers: string[]): Answer {
  const body = Buffer.from(JSON.stringify({ detail }));
  return {
    status,
    headers: [
      ...['cache-control', 'no-store', ...VARY, ...NOSNIFF, 'content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(body.length), ...headers],
    ],
    body,
  };
}

/** The one answer for a key that is missing, unknown, rotated, revoked or no project key at all (contract §5.1.6). */
export const unauthorized: Answer = failure(401, 'A valid public key is required.', 'www-authenticate', 'Bearer');

/** The answer for everything that goes wrong on our side (contract "Public API": never 502, 503 or 504). */
export const serverError: Answer = failure(
  500,
  'Internal error. Try again in a few seconds. If it persists, report the X-Request-Id header.',
  'retry-after',
  String(RETRY_AFTER_S),
);

/** The answer when the budget for answers is used up. */
export const budgetExhausted: Answer = failure(
  500,
  'Too many large responses in progress. Read the pending ones first, then try again in a few seconds.',
  'retry-after',
  String(RETRY_AFTER_S),
);

/** The answer when too many reads of the project wait for the database, or for too long. */
export const tooManyReads: Answer = failure(
  500,
  'Too many concurrent reads of this project. Try again in a few seconds.',
  'retry-after',
  String(RETRY_AFTER_S),
);

/** The answer to a key that was used more often than the setting allows. */
export function tooManyRequests(retryAfterS: number): Answer {
  const detail = `Rate limit exceeded for this key. Try again in ${retryAfterS} s.`;
  return failure(429, detail, 'retry-after', String(retryAfterS));
}

/** Sends an answer; to HEAD its headers only. */
export function send(response: ServerResponse, { status, headers, body }: Answer, method: string | undefined): void {
  response.writeHead(status, headers as string[]);
  if (body === null || method === 'HEAD') response.end();
  else if (Buffer.isBuffer(body)) response.end(body);
  else {
    for (const piece of body) response.write(piece);
    response.end();
  }
}
