import { createHash } from 'node:crypto';
import { badRequest, notFound, OperationalError, unprocessable } from '@blog-content/service-runtime';
import type { Request, RequestHandler, Response } from 'express';
import type { IdempotencyStore, OnceResult, StoredResult, Subject } from './idempotency-store.ts';

/** An answer that can be given again. */
export interface Reply {
  readonly status: number;
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What a repetition is answered with in place of `body`: without secrets, which are shown once and stored nowhere.
   */
  readonly repeatedBody?: object;
  /** What the body tells of, besides the caller's project: once that is deleted, a repetition is answered with 404. */
  readonly about?: Subject;
}

/** Who sends a key, and the project that the answer belongs to. */
export interface KeyOwner {
  /** The account or agent key; keys of different callers never meet. */
  readonly id: string;
  readonly projectId?: string;
}

/** How long a key is stored. */
export const KEY_LIFE_MS = 24 * 3_600_000;

const RETRY_AFTER_S = 2;

const KEY = /^[!-~]{1,255}$/;

/**
 * Makes a POST handler happen once for each `Idempotency-Key`: a repetition within 24 hours is answered as the first
 * request was, with `Idempotency-Replayed: true`. Only success is remembered, in the transaction of the change itself,
 * which `stores` are made on: the handler reads and writes by no others. Whatever was refused may be tried again.
 * Without the header every request is a new one.
 * When the blog or the project that the answer tells of has been deleted since, a repetition is 404.
 */
export function idempotent<Stores>(
  store: IdempotencyStore<Stores>,
  callerOf: (response: Response) => KeyOwner,
  handler: (request: Request, response: Response, stores: Stores) => Promise<Reply>,
): RequestHandler {
  return async (request, response) => {
    const key = readIdempotencyKey(request);
    if (key === null) {
      send(response, await handler(request, response, store.stores));
      return;
    }
    const { id: callerId, projectId } = callerOf(response);
    let fresh: Reply | undefined;
    const kept = resultOf(
      await store.once(
        { callerId, key, item: '', fingerprint: fingerprintOf(request) },
        async (stores) => {
          fresh = await handler(request, response, stores);
          const { status, body, headers = {}, repeatedBody } = fresh;
          return { status, headers, body: repeatedBody ?? body };
        },
        () => ({ projectId, ...fresh?.about }),
      ),
    ) as unknown as Reply;
    if (fresh === undefined) response.set('Idempotency-Replayed', 'true');
    send(response, fresh ?? kept);
  };
}

/** The request's `Idempotency-Key`; null without one. @throws a 400 problem for one that cannot be used. */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.');
  }
  return key;
}

/** SHA-256 of what makes a request the same one: method, path and body. */
export function fingerprintOf(request: Request): string {
  const body = Buffer.isBuffer(request.body) ? request.body : JSON.stringify(request.body ?? null);
  return createHash('sha256').update(`${request.method} ${request.originalUrl}\n`).update(body).digest('hex');
}

/** The result of `once`. @throws a 404, 409 or 422 problem when there is none. */
export function resultOf<Result extends StoredResult>(once: OnceResult<Result>): Result {
  switch (once.kind) {
    case 'done':
    case 'repeated':
      return once.result;
    case 'deleted':
      throw notFound('The result of this Idempotency-Key has been deleted. Use a new key to create it again.');
    case 'busy':
      throw stillBusy();
    case 'other_request':
      throw keyReused();
  }
}

function stillBusy(): OperationalError {
  return new OperationalError({
    code: 'conflict',
    status: 409,
    detail: 'A request with this Idempotency-Key is in progress. Try again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}

function keyReused(): OperationalError {
  return unprocessable([
    { field: 'Idempotency-Key', message: 'was used for a different request: use a new key for each request' },
  ]);
}

function send(response: Response, { status, body, headers = {} }: Reply): void {
  response.status(status).set(headers);
  if (body === null) response.end();
  else response.json(body);
}
