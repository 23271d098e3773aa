import { once } from 'node:events';
import { connect } from 'node:net';
import {
  createHttpApp,
  createMetrics,
  problemErrorHandler,
  problemNotFoundHandler,
  serveHttp,
  type HttpAppOptions,
  type HttpServer,
  type Metrics,
  type ServeHttpOptions,
} from '../src/index.ts';
import type { Express } from 'express';
import got, { type Got } from 'got';
import { recordingLogger } from './recording-logger.ts';

export interface ServedApp {
  readonly server: HttpServer;
  readonly origin: string;
  /** Takes every status as an answer, and never tries twice. */
  readonly http: Got;
  readonly metrics: Metrics;
  readonly log: ReturnType<typeof recordingLogger>;
  /** The `http.request` lines, once there are that many: a line is written after its answer has gone out. */
  requestLines(count: number): Promise<Record<string, unknown>[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves an app with the given routes and the problem error handlers, on any free port. */
export async function serveApp(
  addRoutes: (app: Express) => void,
  options: Partial<ServeHttpOptions> = {},
  appOptions: Pick<HttpAppOptions, 'trustedProxyHops'> = {},
): Promise<ServedApp> {
  const log = recordingLogger();
  const metrics = createMetrics('example-service');
  const app = createHttpApp({ logger: log.logger, metrics, ...appOptions });
  addRoutes(app);
  app.use(problemNotFoundHandler, problemErrorHandler(log.logger));
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0, logger: log.logger, ...options });
  const origin = `http://127.0.0.1:${String(server.port)}`;
  const requestLines = () => log.lines.filter(({ event }) => event === 'http.request');
  return {
    server,
    origin,
    http: got.extend({ prefixUrl: origin, throwHttpErrors: false, retry: { limit: 0 } }),
    metrics,
    log,
    async requestLines(count) {
      while (requestLines().length < count) await new Promise((resolve) => setImmediate(resolve));
      return requestLines();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Sends bytes as they are and gives all that comes back until the other side closes. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  // A refused sender may be reset while it is still sending; what it has received counts.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}
