import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { GuardedGotOptions } from '@blog-content/url-guard';

/** The answer was longer than it may be. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** The answer had begun, and then nothing more came. */
export class AnswerFellSilent extends Error {
  override readonly name = 'AnswerFellSilent';
}

export interface BoundedFetchOptions {
  /** The guard's options for addresses that tenants give; null for the operator's own. */
  readonly guarded: GuardedGotOptions | null;
  /** Most time from the request to the end of its answer. */
  readonly timeoutMs: number;
  /** Longest silence within an answer. Before its first byte a model may think. */
  readonly silenceMs: number;
  readonly maxAnswerBytes: number;
  /**
   * The same of an answer as server-sent events, which wrap each token into some hundred bytes. One event, which is
   * parsed in one piece, is no longer than an answer.
   */
  readonly maxStreamBytes: number;
}

const PLAIN = {
  followRedirect: false,
  retry: { limit: 0 },
  throwHttpErrors: false,
  decompress: false,
  http2: false,
} as const;

/** Whether an answer comes as server-sent events. */
export const isEventStream = (contentType: string | null | undefined): boolean =>
  /^text\/event-stream\b/i.test(contentType ?? '');

/**
 * A `fetch` for the SDK that gives the answer on as it comes, reads no more and waits no longer than it may, follows no
 * redirect, and connects through the guard's agents where the address is a stranger's.
 */
export function createBoundedFetch(options: BoundedFetchOptions): typeof fetch {
  const { guarded, timeoutMs, silenceMs, maxAnswerBytes, maxStreamBytes } = options;
  return async (input, init = {}) => {
    const { default: got } = await import('got');
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = got.stream(input instanceof Request ? input.url : String(input), {
      method: (init.method ?? 'GET') as 'GET' | 'POST',
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      ...PLAIN,
      ...guarded,
      timeout: { request: timeoutMs },
    });
    let limits = { bytes: maxAnswerBytes, eventBytes: Infinity };
    request.once('response', ({ headers: { 'content-type': type } }: IncomingMessage) => {
      if (isEventStream(type)) limits = { bytes: maxStreamBytes, eventBytes: maxAnswerBytes };
    });
    const body = limited(() => limits, silenceMs);
    // Whoever waits for the answer or reads it is told of what has gone wrong.
    pipeline(request, body, () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    try {
      const status = response.statusCode ?? 0;
      const answered = new Headers();
      for (const [name, value] of Object.entries(response.headers)) {
        // What comes is what it is: its length is none of the SDK's business.
        if (value !== undefined && name !== 'content-length') answered.set(name, String(value));
      }
      const isEmpty = status === 204 || status === 304;
      if (isEmpty) body.resume();
      const given = isEmpty ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>);
      return new Response(given, { status, headers: answered });
    } catch (error) {
      body.destroy();
      throw error;
    }
  };
}

/** What ends a server-sent event, in each spelling of a line's end. */
const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r'];
const MAX_BLANK_LINE_BYTES = 4;

/** Lets so many bytes pass, and of an event, without a longer silence between them. */
function limited(limits: () => { readonly bytes: number; readonly eventBytes: number }, silenceMs: number): Transform {
  let length = 0;
  let eventLength = 0;
  let tail: Uint8Array = new Uint8Array();
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      silence ??= setTimeout(() => body.destroy(new AnswerFellSilent()), silenceMs);
      silence.refresh();
      length += chunk.length;
      // A blank line may come in two chunks.
      const seen = Buffer.concat([tail, chunk]);
      const end = Math.max(...BLANK_LINES.map((line) => seen.lastIndexOf(line)));
      eventLength = end === -1 ? eventLength + chunk.length : seen.length - end;
      tail = seen.subarray(1 - MAX_BLANK_LINE_BYTES);
      const { bytes, eventBytes } = limits();
      if (length > bytes) done(new AnswerTooLong(`The response exceeds ${bytes} bytes.`));
      else if (eventLength > eventBytes) done(new AnswerTooLong(`An event exceeds ${eventBytes} bytes.`));
      else done(null, chunk);
    },
    destroy(error, done) {
      clearTimeout(silence);
      done(error);
    },
  });
  let silence: NodeJS.Timeout | undefined;
  return body;
}
