import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { MASK } from '@blog-content/credentials';
import type { DestinationKind } from '@blog-content/payload-schemas';
import type { Lease, NotSent, Outcome, WebhookRequest } from '../http/exchange.ts';
import { cut } from '../payload/build-payload.ts';
import type { PreparedRequest } from '../delivery-log/exchange.ts';
import { readRetryAfter, statusOf } from '../http/judge.ts';
import { readJson, readJsonAfterNoise } from '../http/read-json.ts';

/** Most of a system's answer that is read, in bytes. */
const MAX_TARGET_ANSWER_BYTES = 128 * 1024;
/**
 * So long an attempt waits, in all, for a system that asks for it, in milliseconds. One that asks for more is asked
 * again by another attempt.
 */
const MAX_PAUSES_MS = 30_000;
/** Longest attempt with all its requests, from its first one on, in milliseconds. */
export const MAX_DESTINATION_ATTEMPT_MS = 120_000;

export type Send = (
  request: WebhookRequest,
  options: { readonly lease: Lease; readonly timeoutMs: number; readonly maxAnswerBytes: number },
) => Promise<Outcome | NotSent>;

/** A request to the system. */
export interface TargetRequest {
  readonly method: NonNullable<WebhookRequest['method']>;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: Uint8Array;
  /** Whether its outcome is that of the attempt, and goes into the log. */
  readonly decides?: boolean;
  /** Statuses besides 2xx that say something: the others are failures. */
  readonly expected?: readonly number[];
  /** Whether a 2xx that is not JSON, such as a page for people, says something, too: else it is a failure. */
  readonly mayBePage?: boolean;
  /** Most of the answer that is read, in bytes; {@link MAX_TARGET_ANSWER_BYTES} when left out. */
  readonly maxAnswerBytes?: number;
  /**
   * Whether an answer that was accepted says that there were too many requests: for how long it asks to be left alone,
   * in milliseconds; null when it says nothing of the kind. 429 is known without it.
   */
  readonly throttled?: (json: unknown) => number | null;
}

export interface TargetAnswer {
  readonly statusCode: number;
  /** Null for an answer without a body, for one that is too long, and for one that may be, and is, not JSON. */
  readonly json: unknown;
  /** The beginning of an answer that is too long; null for any other. */
  readonly start: string | null;
}

/** A request and its outcome, for the log. */
export interface TargetExchange {
  readonly prepared: PreparedRequest;
  readonly outcome: Outcome;
}

/** A request that the system did not accept or answer: the attempt ends with it. */
export class TargetFailure extends Error {
  override readonly name = 'TargetFailure';
  readonly outcome: Outcome | NotSent;
  readonly exchange: TargetExchange | null;

  constructor(outcome: Outcome | NotSent, exchange: TargetExchange | null) {
    super(`a request to the destination ended as ${outcome.kind}`);
    this.outcome = outcome;
    this.exchange = exchange;
  }
}

/** Makes the requests of one attempt. */
export interface TargetClient {
  call(request: TargetRequest): Promise<TargetAnswer>;
  /** The last request that decides and was accepted, or, where none was, the last one. */
  readonly decisive: TargetExchange | null;
  /** What is left of the attempt's time, in milliseconds. */
  remainingMs(): number;
  /**
   * The failure of an attempt whose last request was answered, but not as it should have been. `detail` is a sentence
   * for people; it is tried again after `waitMs`, and not at all where that is null.
   */
  declined(detail: string, waitMs?: number | null): TargetFailure;
  /** The failure of an attempt whose last request was answered with something that this system does not answer. */
  unexpected(): TargetFailure;
}

export interface TargetClientOptions {
  readonly kind: DestinationKind;
  readonly send: Send;
  readonly lease: Lease;
  readonly secret: string;
  /** The credential as a header. Called for every request. */
  readonly authorization: () => Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly deliveryId: string;
  readonly connection: WebhookRequest['connection'];
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number;
  readonly now: () => Date;
}

export function createTargetClient(options: TargetClientOptions): TargetClient {
  const { send, lease, timeoutMs } = options;
  let untilMs: number | null = null;
  const remainingMs = () => {
    untilMs ??= performance.now() + MAX_DESTINATION_ATTEMPT_MS;
    return Math.max(0, untilMs - performance.now());
  };
  let last: TargetExchange | null = null;
  let decided: TargetExchange | null = null;
  let pausedMs = 0;

  const declined: TargetClient['declined'] = (detail, waitMs = null) => {
    if (last === null || !('timings' in last.outcome))
      throw new Error('The response contains nothing that could be rejected.');
    const statusCode = statusOf(last.outcome) ?? 0;
    const said = withoutSecret(detail, options.secret);
    const { timings } = last.outcome;
    return new TargetFailure({ kind: 'declined', statusCode, detail: said, waitMs, timings }, last);
  };
  // A page of a proxy, say, or of a site under maintenance: that goes by, and the system itself may not have been asked.
  const unexpected = () => declined(describeUnexpected(options.kind), 0);

  /** Makes the request once. */
  const callOnce = async (asked: TargetRequest): Promise<TargetAnswer | Throttling> => {
    const { maxAnswerBytes = MAX_TARGET_ANSWER_BYTES } = asked;
    const authorization = options.authorization();
    const request = requestOf(asked, authorization, options);
    // The request that finds no time left is given a moment, and ends as any other that takes too long.
    const limitMs = Math.max(1, Math.min(timeoutMs, remainingMs()));
    const outcome = await send(request, { lease, timeoutMs: limitMs, maxAnswerBytes });
    if (outcome.kind === 'not_sent') throw new TargetFailure(outcome, null);
    const exchange = { prepared: preparedOf(request, authorization, options.secret), outcome };
    last = exchange;
    if (outcome.kind !== 'answered') throw new TargetFailure(outcome, exchange);
    const { statusCode, body, retryAfter } = outcome;
    if (statusCode === 429) return { askedMs: retryAfter === null ? null : readRetryAfter(retryAfter, options.now()) };
    const isGood = statusCode >= 200 && statusCode <= 299;
    if (!isGood && asked.expected?.includes(statusCode) !== true) throw new TargetFailure(outcome, exchange);
    const isWhole = body.byteLength < maxAnswerBytes;
    const json = options.kind === 'wordpress' && isWhole ? readJsonAfterNoise(body) : readJson(body);
    const askedMs = isGood ? (asked.throttled?.(json) ?? null) : null;
    if (askedMs !== null) return { askedMs };
    if (isGood && asked.decides === true) decided = exchange;
    if (json !== undefined) return { statusCode, json, start: null };
    if (!isGood || body.byteLength === 0 || asked.mayBePage === true) return { statusCode, json: null, start: null };
    if (!isWhole) {
      return { statusCode, json: null, start: Buffer.from(body).toString('utf8') };
    }
    throw unexpected();
  };

  return {
    get decisive() {
      return decided ?? last;
    },
    remainingMs,
    declined,
    unexpected,
    async call(asked) {
      for (;;) {
        const answer = await callOnce(asked);
        if (!('askedMs' in answer)) return answer;
        const { askedMs } = answer;
        const pauseMs = Math.max(askedMs ?? Infinity, MIN_PAUSE_MS);
        if (pausedMs + pauseMs > MAX_PAUSES_MS || pauseMs >= remainingMs()) {
          throw declined(describeThrottling(askedMs), askedMs ?? 0);
        }
        pausedMs += pauseMs;
        // An attempt that is interrupted by then sends nothing more, and says so.
        await sleep(pauseMs, undefined, { signal: lease.interrupted }).catch(() => undefined);
      }
    },
  };
}

/** A system has had too many requests; null when it does not say how long it wants to be left alone. */
interface Throttling {
  readonly askedMs: number | null;
}

/** Most that is passed on of what a system says, in characters. */
const MAX_DETAIL = 500;

/** What a system says, without the credential, and as the database can hold it. */
function withoutSecret(detail: string, secret: string): string {
  const text = detail
    .replaceAll(secret, MASK)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return cut(text, MAX_DETAIL).toWellFormed();
}

/** Shortest pause, in milliseconds, however short a time the system asks for. */
const MIN_PAUSE_MS = 250;

function describeThrottling(askedMs: number | null): string {
  const asked = askedMs === null ? '' : ` and asks to wait ${Math.ceil(askedMs / 1_000)} s`;
  return `The destination is rate limiting${asked}.`;
}

const NAMES = {
  wordpress: 'WordPress',
  ghost: 'Ghost',
  webflow: 'Webflow',
  shopify: 'Shopify',
  devto: 'dev.to',
} as const satisfies Record<DestinationKind, string>;
/** Those whose API is where the service says, not below the address that an owner gives. */
const AT_OUR_ADDRESS: ReadonlySet<DestinationKind> = new Set(['webflow', 'devto']);

function describeUnexpected(kind: DestinationKind): string {
  const toDo = AT_OUR_ADDRESS.has(kind) ? 'Check the response body.' : 'Check the response body and the site URL.';
  return `The response is not what ${NAMES[kind]} returns. ${toDo}`;
}

function requestOf(
  { method, url, headers, json, body }: TargetRequest,
  authorization: Readonly<Record<string, string>>,
  { userAgent, deliveryId, connection }: TargetClientOptions,
): WebhookRequest {
  return {
    method,
    url,
    headers: {
      'user-agent': userAgent,
      accept: 'application/json',
      'x-webhook-delivery': deliveryId,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...authorization,
    },
    body: json === undefined ? (body ?? EMPTY) : Buffer.from(JSON.stringify(json), 'utf8'),
    connection,
  };
}

/** What the log may show: the method and the path as HTTP/2 names them, and no credential. */
function preparedOf(
  request: WebhookRequest,
  authorization: Readonly<Record<string, string>>,
  secret: string,
): PreparedRequest {
  const { method = 'POST', url, headers } = request;
  const { pathname, search } = new URL(url);
  return {
    request: { ...request, headers: { ':method': method, ':path': `${pathname}${search}`, ...headers } },
    secret,
    // As such it is neither kept nor shown, and taken out of answers that repeat it.
    customHeaders: authorization,
    sealedHeaders: null,
  };
}

const EMPTY = new Uint8Array();
