import type { ServerResponse } from 'node:http';

/** A whole answer, ready to be sent. Headers are in lowercase; `content-length` is added on sending. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for an answer that has no body whatever the method. */
  readonly body: Buffer | null;
}

/** How long a client should wait before it repeats a request that met trouble of ours (spec §7.1 "a few seconds"). */
const RETRY_AFTER_S = 2;

/** Both answers differ by key and by coding; no cache but the reader's own may keep them, and it has to ask each time. */
const cachingHeaders = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
} as const;

/** 200 with a JSON body, already encoded. */
export function success(body: Buffer, etag: string, coding: string): Answer {
  return {
    status: 200,
    headers: {
      ...cachingHeaders,
      'content-type': 'application/json; charset=utf-8',
      etag,
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    },
    body,
  };
}

/** 304: what the reader has is what it would get. */
export function notModified(etag: string): Answer {
  return { status: 304, headers: { ...cachingHeaders, etag }, body: null };
}

/** An error: `{"detail": …}` and nothing else (spec §7.1). */
export function failure(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: {
      'cache-control': 'no-store',
      vary: cachingHeaders.vary,
      'content-type': 'application/json; charset=utf-8',
      ...headers,
    },
    body: Buffer.from(JSON.stringify({ detail })),
  };
}

/** The one answer for a key that is missing, unknown, rotated, revoked or no project key at all (spec §5.1.6). */
export const unauthorized: Answer = failure(401, 'A valid project key is required.', { 'www-authenticate': 'Bearer' });

/** The answer for everything that goes wrong on our side (decisions "Public API": never 502, 503 or 504). */
export const serverError: Answer = failure(500, 'Something went wrong on our side. Try again in a few seconds.', {
  'retry-after': String(RETRY_AFTER_S),
});

/** Sends an answer; to HEAD its headers only. */
export function send(response: ServerResponse, { status, headers, body }: Answer, method: string | undefined): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body !== null) response.setHeader('content-length', body.length);
  response.end(method === 'HEAD' || body === null ? undefined : body);
}
