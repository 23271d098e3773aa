import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { GuardedAgents } from '@blog-content/url-guard';
import { failureOf, pairsOf } from './network-failure.ts';
import type { Outcome, Timings } from './outcome.ts';
import { headersOnWire, MAX_ANSWER_BYTES, type Target, targetOf, type WebhookRequest } from './webhook-request.ts';

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
 * For deliveries: on Node's own client, on connections that are kept for the next delivery to the same receiver (ADR 25).
 */
export function send(request: WebhookRequest, options: SendOptions): Promise<Outcome> {
  if (options.interrupted.aborted) return Promise.resolve({ kind: 'interrupted' });
  return new Promise<Outcome>((resolve) => {
    new Exchange(request, options, resolve).start();
  });
}

/** One request and its answer. It settles once, whatever is heard of the connection afterwards. */
class Exchange {
  readonly #request: WebhookRequest;
  readonly #options: SendOptions;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #points: Points = { started: performance.now() };
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #isSettled = false;
  #call: ClientRequest | undefined;
  #answer: IncomingMessage | undefined;

  constructor(request: WebhookRequest, options: SendOptions, resolve: (outcome: Outcome) => void) {
    this.#request = request;
    this.#options = options;
    this.#resolve = resolve;
    const { timeoutMs: limitMs, interrupted } = options;
    this.#deadline = setTimeout(() => {
      this.#settle({ kind: 'timeout', limitMs, timings: timingsOf(this.#points) });
    }, limitMs);
    interrupted.addEventListener('abort', this.#interrupt);
  }

  start(): void {
    try {
      const target = targetOf(this.#request.url);
      const admitted = this.#options.agents.admit(target.host);
      if (admitted === undefined) this.#begin(target);
      else admitted.then(() => this.#begin(target)).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #begin(target: Target): void {
    if (this.#isSettled) return;
    this.#points.admitted = performance.now();
    const call = requestTo(target, this.#request, this.#options.agents);
    this.#call = call;
    watchConnection(call, target, this.#points);
    call.on('error', (error) => this.#fail(error));
    // A switch of protocols is an answer without a body. Its connection is handed over, and would stay open.
    call.once('upgrade', (head: IncomingMessage, socket: Socket) => {
      this.#points.answer = performance.now();
      socket.destroy();
      this.#answered(head);
    });
    call.once('response', (head) => this.#read(head));
    call.end(this.#request.method === 'GET' ? undefined : this.#request.body);
  }

  #read(head: IncomingMessage): void {
    this.#points.answer = performance.now();
    this.#answer = head;
    head.on('error', (error) => this.#fail(error));
    head.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (this.#length >= MAX_ANSWER_BYTES) this.#answered(head);
    });
    head.once('end', () => this.#answered(head, true));
  }

  #answered(head: IncomingMessage, isOver = false): void {
    if (this.#isSettled) return;
    const outcome: Outcome = {
      kind: 'answered',
      statusCode: head.statusCode ?? 0,
      retryAfter: head.headers['retry-after'] ?? null,
      headers: pairsOf(head.rawHeaders),
      body: Buffer.concat(this.#chunks).subarray(0, MAX_ANSWER_BYTES),
      timings: timingsOf(this.#points),
    };
    this.#settle(outcome, isOver);
  }

  #fail(error: unknown): void {
    // What a receiver says after the end of its answer is wrong, and no part of it: a 204 with a body is still a 204.
    if (this.#answer?.complete === true) {
      this.#answered(this.#answer);
      return;
    }
    const { connect, ready } = this.#points;
    const reached = { tcp: connect !== undefined || ready !== undefined, ready: ready !== undefined };
    this.#settle(failureOf(error, reached, timingsOf(this.#points)));
  }

  readonly #interrupt = (): void => {
    this.#settle({ kind: 'interrupted' });
  };

  /** @param isOver after its end an exchange has given its connection back, which is not to be closed then. */
  #settle(outcome: Outcome, isOver = false): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    this.#options.interrupted.removeEventListener('abort', this.#interrupt);
    this.#resolve(outcome);
    // Where the answer ended before the request has left, the connection would be in use for as long as the receiver does not read.
    if (!isOver || this.#call?.writableFinished !== true) this.#call?.destroy();
  }
}

function requestTo(target: Target, request: WebhookRequest, agents: GuardedAgents): ClientRequest {
  const { isSecure, host, port, path } = target;
  // Its type knows pairs as one flat list only; `node:http` takes both, and neither is made into an object and back.
  const headers = headersOnWire(request, 'keep-alive') as unknown as readonly string[];
  const options = { host, port, path, method: request.method ?? 'POST', headers };
  return isSecure ? httpsRequest({ ...options, agent: agents.https }) : httpRequest({ ...options, agent: agents.http });
}

function watchConnection(call: ClientRequest, { isSecure }: Target, points: Points): void {
  call.once('socket', (socket) => {
    points.socket = performance.now();
    if (call.reusedSocket) {
      points.ready = points.socket;
      return;
    }
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
  });
  call.once('finish', () => {
    points.sent = performance.now();
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
