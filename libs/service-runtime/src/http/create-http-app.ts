import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics.ts';
import { observeRequests, watchRoutes } from './observe-requests.ts';

export interface HttpAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * How many proxies are between clients and this service; none unless given. With n of them `request.ip` is the n-th
   * address from the end of `X-Forwarded-For`, because each adds the one it was called from. Told of more than there
   * are, the service lets clients choose their address themselves.
   */
  readonly trustedProxyHops?: number;
}

/**
 * An Express app with what every service puts in front of its routes: request id, log line, metrics and trace of each
 * request, cautious headers. The service adds its routes, which read their bodies with {@link jsonBody} once they know
 * who asks, then a handler for what no route has answered and one for errors (such as {@link problemNotFoundHandler} and
 * {@link problemErrorHandler}).
 */
export function createHttpApp({ logger, metrics, trustedProxyHops = 0 }: HttpAppOptions): Express {
  const app = express();
  app.set('trust proxy', trustedProxyHops);
  app.disable('x-powered-by');
  // Hashing every body for a weak tag is wasted where answers are not to be stored; routes that are cached set their
  // own.
  app.disable('etag');
  // Express would answer 304 by the versions that routes give for If-Match, and to `If-None-Match: *` without any tag.
  Object.defineProperty(app.request, 'fresh', { get: () => false });
  watchRoutes(app);
  app.use(observeRequests({ logger, metrics }));
  app.use(cautiousHeaders);
  return app;
}

/** Defaults that a route may overwrite: answers of an API are no pages, and nobody may keep them. */
const cautiousHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  next();
};
