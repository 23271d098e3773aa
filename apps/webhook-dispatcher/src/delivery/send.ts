import { performance } from 'node:perf_hooks';
import { isAddressRefused, type UrlGuard } from '@blog-content/url-guard';
import got, { type Request, type Response } from 'got';
import type { Outcome, Timings } from './outcome.ts';

/** Most of a receiver's answer that is read, in bytes (decisions "Webhooks"). */
export const MAX_ANSWER_BYTES = 64 * 1024;

export interface WebhookRequest {
  readonly url: string;
  /** Header names as they are to be sent; `content-length` and `host` are made here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface SendOptions {
  readonly gotOptions: UrlGuard['gotOptions'];
  /** Deadline of the whole exchange, name resolution to the answer's end, in milliseconds (spec §7.2). */
  readonly timeoutMs: number;
  /** Aborted when the process must end before the exchange does. */
  readonly interrupted: AbortSignal;
}

/**
 * POSTs once and tells what came of it; whatever the receiver does, nothing is thrown. No redirect is followed, nothing
 * is decompressed, and the answer counts by its status however long its body is.
 */
export async function send(request: WebhookRequest, options: SendOptions): Promise<Outcome> {
  const startedMs = performance.now();
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([deadline, options.interrupted]);
  let exchange: Request | undefined;
  const timings = () => readTimings(exchange, performance.now() - startedMs);
  try {
    signal.throwIfAborted();
    exchange = got.stream(request.url, {
      ...options.gotOptions,
      method: 'POST',
      // A pooled connection may be closed by the receiver just as the request leaves, and there is only one attempt.
      headers: { ...request.headers, connection: 'close' },
      body: Buffer.from(request.body),
      signal,
    });
    const { response, body } = await readAnswer(exchange);
    const retryAfter = response.headers['retry-after'] ?? null;
    return { kind: 'answered', statusCode: response.statusCode, retryAfter, body, timings: timings() };
  } catch (error) {
    if (options.interrupted.aborted) return { kind: 'interrupted' };
    if (deadline.aborted) return { kind: 'timeout', limitMs: options.timeoutMs, timings: timings() };
    return failureOf(error, exchange, timings());
  } finally {
    exchange?.destroy();
  }
}

async function readAnswer(exchange: Request): Promise<{ response: Response; body: Uint8Array }> {
  // An exchange that was given up may still report its end; nobody is interested, but an unheard error ends the process.
  exchange.on('error', () => undefined);
  let response: Response | undefined;
  exchange.once('response', (answer: Response) => {
    response = answer;
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of exchange as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  if (response === undefined) throw new Error('the exchange ended without an answer');
  return { response, body: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES) };
}

function readTimings(exchange: Request | undefined, totalMs: number): Timings {
  const points = exchange?.timings;
  const since = (point: number | undefined) =>
    points === undefined || point === undefined ? null : Math.max(0, point - points.start);
  return {
    firstByteMs: since(connectedAt(exchange)),
    answerMs: since(points?.response),
    totalMs: Math.round(totalMs),
  };
}

function connectedAt(exchange: Request | undefined): number | undefined {
  const isSecure = exchange?.options.url instanceof URL && exchange.options.url.protocol === 'https:';
  return isSecure ? exchange?.timings?.secureConnect : exchange?.timings?.connect;
}

/** Errors that say the request could not be made, not that the way to the receiver is bad. */
const UNSENDABLE = new Set([
  'ERR_INVALID_URL',
  'ERR_UNSUPPORTED_PROTOCOL',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_HTTP_INVALID_HEADER_VALUE',
]);

function failureOf(error: unknown, exchange: Request | undefined, timings: Timings): Outcome {
  if (isAddressRefused(error)) {
    return { kind: 'address_refused', detail: error instanceof Error ? error.message : 'it is not public', timings };
  }
  const code = codeOf(error);
  if (UNSENDABLE.has(code)) return { kind: 'unsendable', detail: `The request could not be built (${code}).` };
  return { kind: 'network', stage: stageOf(code, exchange), code, timings };
}

function stageOf(code: string, exchange: Request | undefined): 'dns' | 'tcp' | 'tls' | 'exchange' {
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code.startsWith('EAI_')) return 'dns';
  if (exchange?.timings?.connect === undefined) return 'tcp';
  return connectedAt(exchange) === undefined ? 'tls' : 'exchange';
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}
