import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { GuardedAgents } from '@blog-content/url-guard';
import {
  MAX_INTERIM_ANSWERS,
  TOO_MANY_INTERIM_ANSWERS,
  codeOf,
  failureOf,
  type NotSent,
  type Outcome,
  type Timings,
  type HeaderPair,
  type WebhookRequest,
  MAX_ANSWER_BYTES,
  type Lease,
  type OutgoingRequest,
} from './exchange.ts';
import { BoundedBuffer, decodeBody } from './answer-body.ts';

/** Most of an answer's head and body together that is kept, in bytes: a long head leaves less for the body. */
const MAX_HELD_ANSWER_BYTES = 68 * 1024;
/** Most header fields of an answer that are kept. */
const MAX_ANSWER_FIELDS = 100;
/** What Node says of a connection that its other side has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

export interface SendOptions {
  readonly agents: GuardedAgents;
  /** Deadline of the whole exchange, name resolution to the answer's end, in milliseconds (contract §7.2). */
  readonly timeoutMs: number;
  readonly lease: Lease;
  /** Most of the answer's body that is read; {@link MAX_ANSWER_BYTES} when left out, less after a long head. */
  readonly maxAnswerBytes?: number | undefined;
  /** Called when the request has been handed to its connection. */
  readonly onWritten?: (() => void) | undefined;
}

/** When, by the monotonic clock, an exchange reached each point; undefined where it did not. */
interface Points {
  readonly started: number;
  /** The receiver's name was found to be allowed. */
  admitted?: number;
  /** There was a connection, or one was being opened. */
  socket?: number;
  lookup?: number;
  connect?: number;
  secureConnect?: number;
  /** The connection stood, with TLS: the first byte could leave. */
  ready?: number;
  sent?: number;
  answer?: number;
}

/**
 * Sends once and resolves to the outcome; no behavior of a receiver makes it throw. No redirect is followed. The answer
 * counts by its status, however long its body is, and whether or not it can be decompressed. A head of more than {@link
 * MAX_ANSWER_BYTES} is a network error: Node reads no status out of it.
 *
 * The request is written once its connection is open, in the tick of the event loop in which the lease was found to be
 * held: a process that was paused while it connected sends nothing that another process may have sent since.
 *
 * A kept connection may be closed by its other side just as the request leaves. A request that is repeatable then goes
 * once more, on a connection of its own, within the same deadline.
 */
export function sendWebhook(request: OutgoingRequest, options: SendOptions): Promise<Outcome | NotSent> {
  return new Promise((resolve) => {
    new Exchange(request, options, resolve).start();
  });
}

/** Sends under leases, with the same agents and deadline each time. */
export function createSender(shared: Pick<SendOptions, 'agents' | 'timeoutMs'>) {
  return (request: WebhookRequest, lease: Lease, onWritten?: () => void) =>
    sendWebhook(request, { ...shared, lease, onWritten });
}

/** Sends what nobody else would: it has no lease that could be lost. */
export async function sendUnleased(
  request: OutgoingRequest,
  { interrupted, ...options }: Omit<SendOptions, 'lease'> & Pick<Lease, 'interrupted'>,
): Promise<Outcome> {
  const outcome = await sendWebhook(request, { ...options, lease: { isHeld: () => true, interrupted } });
  return outcome.kind === 'not_sent' ? { kind: 'interrupted' } : outcome;
}

/** One request and its answer. It settles once, and ignores later events of the connection. */
class Exchange {
  readonly #request: OutgoingRequest;
  readonly #options: SendOptions;
  readonly #resolve: (outcome: Outcome | NotSent) => void;
  #points: Points = { started: performance.now() };
  #connection: OutgoingRequest['connection'];
  #body = new BoundedBuffer(0);
  #deadline: NodeJS.Timeout | undefined;
  #call: ClientRequest | undefined;
  /** What had come on its connection before it. */
  #bytesBefore = 0;
  #answer: IncomingMessage | undefined;
  #isWritten = false;
  /** There is a status: its body can't change the outcome any more. */
  #isAnswered = false;
  #isSettled = false;

  constructor(request: OutgoingRequest, options: SendOptions, resolve: (outcome: Outcome | NotSent) => void) {
    this.#request = request;
    this.#connection = request.connection;
    this.#options = options;
    this.#resolve = resolve;
  }

  start(): void {
    const { agents, timeoutMs: limitMs, lease } = this.#options;
    if (lease.interrupted.aborted) {
      this.#interrupt();
      return;
    }
    lease.interrupted.addEventListener('abort', this.#interrupt);
    this.#deadline = setTimeout(() => {
      this.#settle({ kind: 'timeout', limitMs, timings: timingsOf(this.#points) });
    }, limitMs);
    try {
      const url = new URL(this.#request.url);
      // A connection that is kept has its name judged again; a fresh one does that itself.
      const admitted = this.#request.connection === 'keep-alive' ? agents.admit(hostOf(url)) : undefined;
      if (admitted === undefined) this.#open(url);
      else admitted.then(() => this.#open(url)).catch(this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  #open(url: URL): void {
    if (this.#isSettled) return;
    this.#points.admitted = performance.now();
    const { fresh, keepAlive } = this.#options.agents;
    const agents = this.#connection === 'close' ? fresh : keepAlive;
    const isSecure = url.protocol === 'https:';
    const call = (isSecure ? httpsRequest : httpRequest)({
      protocol: url.protocol,
      host: hostOf(url),
      port: url.port,
      method: this.#request.method ?? 'POST',
      path: `${url.pathname}${url.search}`,
      headers: headersOnWire(this.#request).flat(),
      agent: isSecure ? agents.https : agents.http,
      maxHeaderSize: MAX_ANSWER_BYTES,
    });
    this.#call = call;
    call.maxHeadersCount = MAX_ANSWER_FIELDS;
    call.once('socket', (socket) => this.#connected(socket, isSecure));
    call.once('response', this.#read);
    // A switch of protocols is an answer without a body.
    call.once('upgrade', (answer, socket) => {
      socket.destroy();
      this.#answered(answer);
    });
    call.on('error', this.#fail);
    limitInterimAnswers(call, this.#fail);
  }

  #connected(socket: Socket, isSecure: boolean): void {
    this.#points.socket = performance.now();
    if (this.#call?.reusedSocket === true) {
      this.#bytesBefore = socket.bytesRead;
      this.#write();
      return;
    }
    const note = (point: 'lookup' | 'connect' | 'secureConnect') => {
      this.#points[point] = performance.now();
    };
    socket.once('lookup', () => note('lookup'));
    socket.once('connect', () => note('connect'));
    if (isSecure) socket.once('secureConnect', () => note('secureConnect'));
    socket.once(isSecure ? 'secureConnect' : 'connect', () => this.#write());
  }

  /** The check of the lease and the first byte are in one tick: nothing may come between them. */
  #write(): void {
    if (this.#isSettled) return;
    if (!this.#options.lease.isHeld()) {
      this.#interrupt();
      return;
    }
    this.#isWritten = true;
    const points = this.#points;
    points.ready = performance.now();
    this.#call?.end(this.#request.body, () => {
      points.sent = performance.now();
    });
    this.#options.onWritten?.();
  }

  readonly #read = (answer: IncomingMessage): void => {
    this.#points.answer = performance.now();
    this.#answer = answer;
    const headLength = answer.rawHeaders.reduce((sum, { length }) => sum + length, 0);
    const left = Math.min(MAX_ANSWER_BYTES, MAX_HELD_ANSWER_BYTES - headLength);
    this.#body = new BoundedBuffer(this.#options.maxAnswerBytes ?? left);
    answer.on('data', (chunk: Buffer) => {
      this.#body.add(chunk);
      if (this.#body.isFull) this.#answered(answer);
    });
    answer.once('end', () => this.#answered(answer));
    answer.on('error', this.#fail);
  };

  #answered({ statusCode = 0, rawHeaders }: IncomingMessage): void {
    if (this.#isAnswered || this.#isSettled) return;
    this.#isAnswered = true;
    this.#forgetDeadlines();
    const headers = pairsOf(rawHeaders);
    const [, retryAfter = null] = headers.find(([name]) => name.toLowerCase() === 'retry-after') ?? [];
    const timings = timingsOf(this.#points);
    const settle = (body: Uint8Array) =>
      this.#settle({ kind: 'answered', statusCode, retryAfter, headers, body, timings });
    const { bytes, limit } = this.#body;
    const decoded = decodeBody(bytes, codingsOf(headers), limit);
    if (decoded === null) settle(bytes);
    else decoded.then(settle, () => settle(bytes));
  }

  readonly #fail = (error: unknown): void => {
    if (this.#isSettled || this.#isAnswered) return;
    // What a receiver says after the end of its answer is wrong, and no part of it: a 204 with a body is still a 204.
    if (this.#answer?.complete === true) {
      this.#answered(this.#answer);
      return;
    }
    if (this.#request.isRepeatable === true && this.#wasStale(error)) {
      this.#sendAgain();
      return;
    }
    const { connect, ready } = this.#points;
    const progress = { tcp: connect !== undefined || ready !== undefined, ready: ready !== undefined };
    this.#settle(failureOf(error, progress, timingsOf(this.#points)));
  };

  /** Whether the connection was one that is kept, and closed before a byte of this answer came. */
  #wasStale(error: unknown): boolean {
    const call = this.#call;
    return call?.reusedSocket === true && call.socket?.bytesRead === this.#bytesBefore && CLOSED.has(codeOf(error));
  }

  /** Other kept connections may be closed, too. */
  #sendAgain(): void {
    this.#connection = 'close';
    this.#points = { started: performance.now() };
    this.#open(new URL(this.#request.url));
  }

  readonly #interrupt = (): void => {
    this.#settle({ kind: this.#isWritten ? 'interrupted' : 'not_sent' });
  };

  #forgetDeadlines(): void {
    clearTimeout(this.#deadline);
    this.#options.lease.interrupted.removeEventListener('abort', this.#interrupt);
  }

  #settle(outcome: Outcome | NotSent): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#forgetDeadlines();
    // Otherwise the agent has it, or closes it. Where the answer ended before the request has left, nobody would.
    const isOver = this.#answer?.complete === true && this.#call?.writableFinished === true;
    if (!isOver || this.#connection === 'close') this.#call?.destroy();
    this.#resolve(outcome);
  }
}

/** All codings of an answer, as one field. */
function codingsOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const fields = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').map(([, value]) => value);
  return fields.length === 0 ? undefined : fields.join(',');
}

/** A name or an address, an IPv6 one without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
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

/** All headers of a request in the order they are sent, those that come with the connection first. */
export function headersOnWire({ url, headers, body, connection }: OutgoingRequest): HeaderPair[] {
  const length: HeaderPair[] = body === null ? [] : [['content-length', String(body.byteLength)]];
  return [['host', new URL(url).host], ['connection', connection], ...length, ...Object.entries(headers)];
}

/** Names and values as they came. */
function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}

/** Calls `fail` when there are more interim answers than {@link MAX_INTERIM_ANSWERS}: Node takes any number. */
function limitInterimAnswers(call: ClientRequest, fail: (error: Error) => void): void {
  let count = 0;
  call.on('information', () => {
    count += 1;
    if (count <= MAX_INTERIM_ANSWERS) return;
    fail(Object.assign(new Error('too many interim responses'), { code: TOO_MANY_INTERIM_ANSWERS }));
  });
}
