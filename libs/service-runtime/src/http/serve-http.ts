import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import type { Logger } from '../log/logger.ts';
import {
  NO_HOST,
  rawRefusal,
  refusalAnswer,
  refusalOf,
  TOO_MANY_HEADERS,
  UNKNOWN_EXPECTATION,
} from './connection-refusal.ts';
import type { Refusal, RefusalForm } from './connection-refusal.ts';

const MAX_HEADER_BYTES = 16_384;
const MAX_HEADERS = 100;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 s after which common load balancers give an idle connection up: they must be the first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
const DRAIN_TIMEOUT_MS = 10_000;

export interface ServeHttpOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How long `close` waits for running answers before it cuts them off, in milliseconds; 10 s unless given. */
  readonly drainTimeoutMs?: number;
  /**
   * How long `close` leaves idle connections open, in milliseconds; 0 unless given. A request may be on its way on each
   * of them: it is answered, and the answer says that the connection ends. At most half of `drainTimeoutMs`.
   */
  readonly lastRequestMs?: number;
  /** Told when answers are cut off, and of requests that never reach the app. */
  readonly logger?: Logger;
  /** The form of answers to requests that never reach the app: `problem` unless given. */
  readonly refusalForm?: RefusalForm;
}

export interface HttpServer {
  readonly port: number;
  /** Accepts no more connections, waits for the running answers (within the limit), closes everything. Idempotent. */
  close(): Promise<void>;
}

/**
 * Listens. Limits: headers of 16 kB and 100 fields (431 beyond), 10 s for the headers to arrive and 30 s for the whole
 * request (408 beyond). An `Expect` other than `100-continue` is 417. Rejects when the address is taken.
 *
 * A target in absolute form (RFC 9112 §3.2.2) reaches the app as its path and query.
 */
export async function serveHttp(app: RequestListener, options: ServeHttpOptions): Promise<HttpServer> {
  const { host, port, drainTimeoutMs = DRAIN_TIMEOUT_MS, lastRequestMs = 0, logger, refusalForm = 'problem' } = options;
  /** The last answer on each connection, which may be over. */
  const connections = new Map<Socket, ServerResponse | null>();
  let draining = false;
  let endsIdle = false;
  const endIdleAfter = (response: ServerResponse) =>
    response.once('close', () => {
      if (endsIdle) setImmediate(() => server.closeIdleConnections());
    });
  const refuse = (response: ServerResponse, refusal: Refusal) => {
    const { headers, body } = refusalAnswer(refusal, refusalForm);
    response.writeHead(refusal.status, headers).end(body);
  };

  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    (request, response) => {
      connections.set(request.socket, response);
      if (draining) endIdleAfter(response).setHeader('Connection', 'close');
      if (request.rawHeaders.length > 2 * MAX_HEADERS) refuse(response, TOO_MANY_HEADERS);
      else if (request.httpVersion === '1.1' && !namesHost(request.rawHeaders)) refuse(response, NO_HOST);
      else {
        request.url = originForm(request.url ?? '/');
        app(request, response);
      }
    },
  );
  // Node drops what is beyond this number without a word, so one more is let in to be noticed.
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on('connection', (socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });
  // Any but 100-continue, which Node answers itself.
  server.on('checkExpectation', (_request, response) => refuse(response, UNKNOWN_EXPECTATION));
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const last = connections.get(socket);
    // In the middle of another answer, a second one would be taken for its continuation.
    const isAnswering = last?.headersSent === true && !last.closed;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else {
      logger?.debug('http.refused', { code: error.code });
      socket.write(rawRefusal(refusalOf(error), refusalForm));
      socket.destroySoon();
    }
  });
  await listen(server, host, port);

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    draining = true;
    // The close of node:http would end idle connections immediately, and with them requests that are on their way.
    const allClosed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    for (const [socket, response] of connections) {
      if (response === null) {
        // Opened ahead of need and never used: neither Node's idle check nor its timeouts end it once the server
        // closes.
        if (socket.bytesRead === 0) socket.destroy();
      } else if (!response.closed) {
        endIdleAfter(response);
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
    }
    const endIdle = () => {
      endsIdle = true;
      server.close(() => undefined);
    };
    // What has arrived is read first: timers come before it, all the more where the process waited for a processor.
    const idleTimer = setTimeout(() => setImmediate(endIdle), Math.min(lastRequestMs, drainTimeoutMs / 2));
    const cutOff = setTimeout(() => {
      logger?.warn('http.drain_timed_out', { connections: connections.size, drain_timeout_ms: drainTimeoutMs });
      server.closeAllConnections();
    }, drainTimeoutMs);
    await allClosed;
    clearTimeout(cutOff);
    clearTimeout(idleTimer);
    endIdle();
  };
  return {
    port: (server.address() as AddressInfo).port,
    close: () => (closed ??= close()),
  };
}

/** Without `request.headers`, an object that Node makes of all of them when it is first asked for. */
function namesHost(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') return true;
  }
  return false;
}

/** A request's target without the scheme and host that proxies may put before its path. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

/** Starts listening; rejects when that fails, such as on an address in use. */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
