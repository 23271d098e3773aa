import {
  createHttpApp,
  createLogger,
  createMetrics,
  problemErrorHandler,
  problemNotFoundHandler,
  serveHttp,
} from '@blog-content/service-runtime';
import type { Express } from 'express';

/** An app with a few routes, listening. */
export interface ServedApp extends AsyncDisposable {
  readonly origin: string;
}

/** Listens with what every service has around the routes that `addRoutes` adds. */
export async function serveApp(addRoutes: (app: Express) => void): Promise<ServedApp> {
  const logger = createLogger('test', 'error');
  const app = createHttpApp({ logger, metrics: createMetrics('test') });
  addRoutes(app);
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0, drainTimeoutMs: 1_000 });
  return { origin: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.close() };
}
