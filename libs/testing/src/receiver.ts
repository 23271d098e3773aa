import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkSignature, type SignatureVerdict } from './check-signature.ts';
import type { TestCertificate } from './test-certificate.ts';

/** One request as it arrived. */
export interface ReceivedRequest {
  /** 0 for the first request of this receiver. */
  readonly index: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Names as sent, alternating with values. */
  readonly rawHeaders: readonly string[];
  /** The body's exact bytes. */
  readonly body: Buffer;
  /** The body parsed as JSON; throws when it is none. */
  json<T = Record<string, unknown>>(): T;
  /** When its head had arrived: milliseconds since the epoch, with fractions. */
  readonly receivedAtMs: number;
  /** The check of `X-Webhook-Signature` over `body` (contract §5.2); `unchecked` without a secret. */
  readonly signature: SignatureVerdict;
}

/** What the receiver does with a request. Without any of it: 200 and `{"ok":true}`. */
export interface ReceiverAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON; an iterable is sent piece by piece. */
  readonly body?: string | Uint8Array | object | AsyncIterable<string | Uint8Array>;
  /** Waits before answering. */
  readonly delayMs?: number;
  /** Never answers; the connection stays open until one side closes it. */
  readonly hang?: boolean;
  /** Closes the connection without an answer. */
  readonly disconnect?: boolean;
}

/** Chooses the answer to a request. */
export type Respond = (request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>;

/** What `startReceiver` is given. */
export interface StartReceiverOptions {
  /** Checks signatures, and by default answers 401 to what is not signed with it. */
  readonly secret?: string;
  readonly respond?: Respond;
  /** Serves HTTPS with it. */
  readonly certificate?: TestCertificate;
  /** Loopback port; a free one when not given. */
  readonly port?: number;
}

/** A webhook receiver under the test's control. */
export interface Receiver {
  /** `http://127.0.0.1:<port>/hook`, or `https://localhost:<port>/hook`. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in the order of their completion. */
  readonly requests: readonly ReceivedRequest[];
  /** Resolves with the first request that matches, past or coming; rejects after `timeoutMs` (default 10 000). */
  readonly waitFor: (matches: (request: ReceivedRequest) => boolean, timeoutMs?: number) => Promise<ReceivedRequest>;
  /** Replaces how later requests are answered. */
  readonly respondWith: (respond: Respond) => void;
  /** Replaces the secret later requests are checked with. */
  readonly useSecret: (secret: string | undefined) => void;
  /** Forgets the requests so far. */
  readonly clear: () => void;
  /** Closes every connection, answered or not. */
  readonly close: () => Promise<void>;
}

const answerBySignature: Respond = ({ signature }) =>
  signature === 'valid' || signature === 'unchecked' ? {} : { status: 401, body: { error: 'signature' } };

/** Starts a receiver on a loopback port. */
export async function startReceiver(options: StartReceiverOptions = {}): Promise<Receiver> {
  let { secret, respond = answerBySignature } = options;
  let received = 0;
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<(request: ReceivedRequest) => void>();

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAtMs = performance.timeOrigin + performance.now();
    const index = received++;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const request: ReceivedRequest = {
      index,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      rawHeaders: incoming.rawHeaders,
      body,
      json: <T>() => JSON.parse(body.toString('utf8')) as T,
      receivedAtMs,
      signature: checkSignature(body, incoming.headers['x-webhook-signature'], secret),
    };
    requests.push(request);
    for (const notify of waiting) notify(request);
    await send(response, await respond(request));
  }

  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    // A sender that gives up half-way is its own business; anything else is a mistake in the test's `respond`.
    handle(incoming, response).catch((error: unknown) => {
      if (incoming.destroyed || response.destroyed) return;
      response.writeHead(500).end(`The test's receiver failed: ${String(error)}`);
    });
  };
  const server = options.certificate
    ? createHttpsServer({ key: options.certificate.key, cert: options.certificate.certificate }, listener)
    : createHttpServer(listener);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: options.certificate ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`,
    port,
    requests,
    async waitFor(matches, timeoutMs = 60_000) {
      const past = requests.find(matches);
      if (past) return past;
      const { promise, resolve, reject } = Promise.withResolvers<ReceivedRequest>();
      const notify = (request: ReceivedRequest) => {
        if (matches(request)) resolve(request);
      };
      const timer = setTimeout(
        () => reject(new Error(`No such request within ${timeoutMs} ms; ${requests.length} others arrived.`)),
        timeoutMs,
      );
      waiting.add(notify);
      try {
        return await promise;
      } finally {
        waiting.delete(notify);
        clearTimeout(timer);
      }
    },
    respondWith(next) {
      respond = next;
    },
    useSecret(next) {
      secret = next;
    },
    clear() {
      requests.length = 0;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function send(response: ServerResponse, answer: ReceiverAnswer): Promise<void> {
  if (answer.hang) return;
  if (answer.disconnect) return void response.destroy();
  if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { ref: false });
  const { status = 200, headers = {}, body = status === 204 ? '' : { ok: true } } = answer;
  if (isStream(body)) {
    response.writeHead(status, headers);
    for await (const piece of body) {
      if (response.destroyed) return;
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    response.writeHead(status, headers).end(body);
  } else {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }
}

function isStream(body: NonNullable<ReceiverAnswer['body']>): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}
