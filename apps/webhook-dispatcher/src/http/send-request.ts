import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { UrlGuard } from '@blog-content/url-guard';
import got, { type Request, type RequestFunction, type Response } from 'got';
import { limitInterimAnswers } from './bad-answer.ts';
import { BoundedBuffer } from './bounded-buffer.ts';
import { failureOf, pairsOf } from './network-failure.ts';
import type { Outcome, Timings } from './outcome.ts';
import { MAX_ANSWER_BYTES } from './webhook-request.ts';

/** One request to a deploy hook, to a page of a site, or to IndexNow. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  /** A GET has none. */
  readonly body: Uint8Array;
}

export interface SendRequestOptions {
  readonly gotOptions: UrlGuard['gotOptions'];
  /** Deadline of the whole exchange, name resolution to the answer's end, in milliseconds (contract §7.2). */
  readonly timeoutMs: number;
  /** Aborted when the process must end before the exchange does. */
  readonly interrupted: AbortSignal;
  /** Most of the answer's body that is read; {@link MAX_ANSWER_BYTES} when left out. */
  readonly maxAnswerBytes?: number;
}

/**
 * Requests once and resolves to the outcome; whatever the receiver does, nothing is thrown. No redirect is followed,
 * nothing is decompressed, and the answer counts by its status however long its body is. Each request goes on a
 * connection of its own.
 */
export async function sendRequest(request: OutgoingRequest, options: SendRequestOptions): Promise<Outcome> {
  const startedMs = performance.now();
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([deadline, options.interrupted]);
  const { method } = request;
  let exchange: Request | undefined;
  const timings = () => readTimings(exchange, performance.now() - startedMs);
  try {
    signal.throwIfAborted();
    exchange = got.stream(request.url, {
      ...options.gotOptions,
      method,
      // A pooled connection may be closed by the receiver just as the request leaves, and there is only one attempt.
      headers: { ...request.headers, connection: 'close' },
      maxHeaderSize: MAX_ANSWER_BYTES,
      request: keepingCase(Object.keys(request.headers)),
      ...(method === 'POST' && { body: Buffer.from(request.body) }),
      signal,
    });
    const { response, body } = await readAnswer(exchange, options.maxAnswerBytes ?? MAX_ANSWER_BYTES);
    const retryAfter = response.headers['retry-after'] ?? null;
    const headers = pairsOf(response.rawHeaders);
    return { kind: 'answered', statusCode: response.statusCode, retryAfter, headers, body, timings: timings() };
  } catch (error) {
    if (options.interrupted.aborted) return { kind: 'interrupted' };
    if (deadline.aborted) return { kind: 'timeout', limitMs: options.timeoutMs, timings: timings() };
    const reached = { tcp: exchange?.timings?.connect !== undefined, ready: connectedAt(exchange) !== undefined };
    return failureOf(error, reached, timings());
  } finally {
    exchange?.destroy();
  }
}

/** got writes header names in lower case; they go out as their owner wrote them. */
function keepingCase(names: readonly string[]): RequestFunction {
  const spelling = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (url, { headers, ...options }, callback) => {
    const spelled: OutgoingHttpHeaders = {};
    for (const [name, value] of Object.entries((headers ?? {}) as OutgoingHttpHeaders)) {
      spelled[spelling.get(name) ?? name] = value;
    }
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return open(url, { ...options, headers: spelled } as RequestOptions, callback);
  };
}

type Head = Pick<IncomingMessage, 'headers' | 'rawHeaders'> & { readonly statusCode: number };

const headOf = ({ headers, rawHeaders, statusCode = 0 }: IncomingMessage): Head => ({
  headers,
  rawHeaders,
  statusCode,
});

async function readAnswer(exchange: Request, maxBytes: number): Promise<{ response: Head; body: Uint8Array }> {
  // An exchange that was interrupted may still report its end; an error without a listener would end the process.
  exchange.on('error', () => undefined);
  let response: Head | undefined;
  exchange.once('response', (answer: Response) => {
    response = answer;
  });
  // A switch of protocols is an answer without a body. Its connection is handed over, and would stay open.
  let switched: Head | undefined;
  exchange.once('upgrade', (answer: IncomingMessage, socket: Socket) => {
    switched = headOf(answer);
    socket.destroy();
    exchange.destroy();
  });
  let arriving: IncomingMessage | undefined;
  exchange.once('request', (request: ClientRequest) => {
    limitInterimAnswers(request, (error) => exchange.destroy(error));
    request.once('response', (answer) => {
      if (!exchange.destroyed) arriving = answer;
    });
  });
  const body = new BoundedBuffer(maxBytes);
  try {
    for await (const chunk of exchange as AsyncIterable<Buffer>) {
      body.add(chunk);
      if (body.isFull) break;
    }
  } catch (error) {
    // What a receiver says after the end of its answer is wrong, and no part of it: a 204 with a body is still a 204.
    if (switched === undefined && arriving?.complete !== true) throw error;
    response ??= arriving && headOf(arriving);
  }
  if (switched !== undefined) return { response: switched, body: Buffer.alloc(0) };
  if (response === undefined) throw new Error('the exchange ended without an answer');
  return { response, body: body.bytes };
}

function readTimings(exchange: Request | undefined, totalMs: number): Timings {
  const points = exchange?.timings;
  const phases = points?.phases;
  const since = (point: number | undefined) =>
    points === undefined || point === undefined ? null : Math.max(0, point - points.start);
  return {
    firstByteMs: since(connectedAt(exchange)),
    answerMs: since(points?.response),
    dnsMs: phases?.dns ?? null,
    connectMs: phases?.tcp ?? null,
    tlsMs: phases?.tls ?? null,
    waitMs: phases?.firstByte ?? null,
    totalMs: Math.round(totalMs),
  };
}

function connectedAt(exchange: Request | undefined): number | undefined {
  const isSecure = exchange?.options.url instanceof URL && exchange.options.url.protocol === 'https:';
  return isSecure ? exchange?.timings?.secureConnect : exchange?.timings?.connect;
}
