import { validateHeaderName, validateHeaderValue } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Connection, Exchange, GuardedAgents } from '@blog-content/url-guard';
import { AnswerReader } from './answer-reader.ts';
import { failureOf, pairsOf } from './network-failure.ts';
import type { Outcome, Timings } from './outcome.ts';
import { headersOnWire, type Target, targetOf, type WebhookRequest } from './webhook-request.ts';

export interface SendOptions {
  readonly agents: GuardedAgents;
  /** Deadline of the whole exchange, name resolution to the answer's end, in milliseconds (spec §7.2). */
  readonly timeoutMs: number;
  /** Aborted when the process must end before the exchange does. */
  readonly interrupted: AbortSignal;
}

/** When, by the monotonic clock, an exchange reached each point; undefined where it did not. */
interface Points {
  readonly started: number;
  /** The receiver's name was found to be allowed. */
  admitted?: number;
  /** It had a connection, or one to be made. */
  socket?: number;
  lookup?: number;
  connect?: number;
  secureConnect?: number;
  /** The first byte could leave. */
  ready?: number;
  sent?: number;
  answer?: number;
}

/**
 * Requests once and tells what came of it; whatever the receiver does, nothing is thrown. No redirect is followed, nothing
 * is decompressed, and the answer counts by its status however long its body is.
 *
 * For deliveries: one request is written and one answer read, on connections that are kept for the next delivery to the same
 * receiver, without a client between (ADR 25, 32).
 */
export function send(request: WebhookRequest, options: SendOptions): Promise<Outcome> {
  if (options.interrupted.aborted) return Promise.resolve({ kind: 'interrupted' });
  return new Promise<Outcome>((resolve) => {
    new Delivering(request, options, resolve).start();
  });
}

/** One request and its answer. It settles once, whatever is heard of the connection afterwards. */
class Delivering implements Exchange {
  readonly #request: WebhookRequest;
  readonly #options: SendOptions;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #points: Points = { started: performance.now() };
  readonly #deadline: NodeJS.Timeout;
  readonly #reader = new AnswerReader();
  #head = '';
  #connection: Connection | undefined;
  #isSettled = false;

  constructor(request: WebhookRequest, options: SendOptions, resolve: (outcome: Outcome) => void) {
    this.#request = request;
    this.#options = options;
    this.#resolve = resolve;
    const { timeoutMs: limitMs, interrupted } = options;
    this.#deadline = setTimeout(() => {
      this.#settle({ kind: 'timeout', limitMs, timings: timingsOf(this.#points) });
    }, limitMs);
    interruptedWith(interrupted).add(this);
  }

  start(): void {
    try {
      const target = targetOf(this.#request.url);
      this.#head = headOf(this.#request, target);
      const admitted = this.#options.agents.admit(target.host);
      if (admitted === undefined) this.#connect(target);
      else admitted.then(() => this.#connect(target)).catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  #connect(target: Target): void {
    if (this.#isSettled) return;
    this.#points.admitted = performance.now();
    const { http, https } = this.#options.agents.kept;
    (target.isSecure ? https : http).connect(this, target);
  }

  begin(connection: Connection, isUsed: boolean): void {
    const { socket } = connection;
    if (this.#isSettled) {
      socket.destroy();
      return;
    }
    this.#connection = connection;
    this.#points.socket = performance.now();
    if (isUsed) this.#points.ready = this.#points.socket;
    else watchOpening(socket, this.#points);
    const { body, method } = this.#request;
    socket.cork();
    socket.write(this.#head, 'latin1', method === 'GET' ? this.#sent : undefined);
    if (method !== 'GET') socket.write(body, this.#sent);
    socket.uncork();
  }

  read(bytes: Buffer): void {
    const reader = this.#reader;
    try {
      reader.read(bytes);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (reader.statusCode === undefined) return;
    this.#points.answer ??= performance.now();
    if (reader.isComplete) this.#answered(reader.statusCode);
  }

  end(): void {
    const { statusCode } = this.#reader;
    if (this.#reader.end() && statusCode !== undefined) this.#answered(statusCode);
    else this.fail(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
  }

  fail(error: unknown): void {
    const { connect, ready } = this.#points;
    const reached = { tcp: connect !== undefined || ready !== undefined, ready: ready !== undefined };
    this.#settle(failureOf(error, reached, timingsOf(this.#points)));
  }

  #answered(statusCode: number): void {
    const { rawHeaders, body, mayFollow } = this.#reader;
    const headers = pairsOf(rawHeaders);
    const [, retryAfter = null] = headers.find(([name]) => name.toLowerCase() === 'retry-after') ?? [];
    const timings = timingsOf(this.#points);
    this.#settle({ kind: 'answered', statusCode, retryAfter, headers, body, timings }, mayFollow ? rawHeaders : null);
  }

  readonly #sent = (): void => {
    this.#points.sent = performance.now();
  };

  interrupt(): void {
    this.#settle({ kind: 'interrupted' });
  }

  /** `keptFor`: the headers of an answer that another may follow on its connection. */
  #settle(outcome: Outcome, keptFor: readonly string[] | null = null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    interruptedWith(this.#options.interrupted).delete(this);
    const connection = this.#connection;
    connection?.leave();
    // Where the answer ended before the request has left, the connection would be in use for as long as the receiver does not read.
    if (connection === undefined || keptFor === null || connection.socket.writableLength > 0) {
      connection?.socket.destroy();
      this.#resolve(outcome);
      return;
    }
    // What came with the answer, behind it, is heard of in this turn, and closes the connection: it is no answer to the next request.
    setImmediate(() => {
      connection.release(keptFor);
      this.#resolve(outcome);
    });
  }
}

/** What each signal interrupts: all that was claimed together has one, and it is listened to once. */
const interrupting = new WeakMap<AbortSignal, Set<Delivering>>();

function interruptedWith(signal: AbortSignal): Set<Delivering> {
  const known = interrupting.get(signal);
  if (known !== undefined) return known;
  const underWay = new Set<Delivering>();
  interrupting.set(signal, underWay);
  const interruptAll = () => {
    for (const delivering of underWay) delivering.interrupt();
  };
  signal.addEventListener('abort', interruptAll, { once: true });
  return underWay;
}

/**
 * The request’s first line and headers.
 *
 * @throws TypeError when a header cannot be sent (`ERR_INVALID_HTTP_TOKEN`, `ERR_INVALID_CHAR`).
 */
function headOf(request: WebhookRequest, { path }: Target): string {
  let [head, names, values] = [`${request.method ?? 'POST'} ${path} HTTP/1.1\r\n`, '', ''];
  for (const [name, value] of headersOnWire(request, 'keep-alive')) {
    // A name that is empty would not be seen among the others.
    if (name === '') validateHeaderName(name);
    names += name;
    values += value;
    head += `${name}: ${value}\r\n`;
  }
  // What all of them are made of: one look at each is enough to know that none has anything else.
  validateHeaderName(names);
  validateHeaderValue(names, values);
  return `${head}\r\n`;
}

function watchOpening(socket: Socket, points: Points): void {
  const isSecure = socket instanceof TLSSocket;
  socket.once('lookup', () => {
    points.lookup = performance.now();
  });
  socket.once('connect', () => {
    points.connect = performance.now();
    if (!isSecure) points.ready = points.connect;
  });
  socket.once('secureConnect', () => {
    points.secureConnect = performance.now();
    points.ready = points.secureConnect;
  });
}

function timingsOf(points: Points): Timings {
  const { started, admitted, socket, lookup, connect, secureConnect, ready, sent, answer } = points;
  const between = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? null : Math.max(0, Math.round(to - from));
  return {
    firstByteMs: between(started, ready),
    answerMs: between(started, answer),
    dnsMs: between(started, lookup ?? admitted),
    connectMs: between(lookup ?? socket, connect),
    tlsMs: between(connect, secureConnect),
    waitMs: between(sent, answer),
    totalMs: Math.round(performance.now() - started),
  };
}
