import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics.ts';
import { watchRoutes } from './route-name.ts';
import { limitBodyDepth } from './limit-body-depth.ts';
import { observeRequests } from './observe-requests.ts';

export interface HttpAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Most bytes of a JSON body, counted after decompression; 1 MiB unless given. */
  readonly bodyLimit?: number;
  /**
   * How many proxies stand between clients and this service; none unless given. With n of them `request.ip` is the n-th address
   * from the end of `X-Forwarded-For`, because each adds the one it was called from. Told of more than there are, the service
   * lets clients choose their address themselves.
   */
  readonly trustedProxyHops?: number;
}

export const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;

/**
 * An Express app with what every service puts in front of its routes: request id, log line, metrics and trace of each
 * request, cautious headers, JSON bodies. The service adds its routes, then a handler for what no route has answered and one
 * for errors (such as {@link problemNotFoundHandler} and {@link problemErrorHandler}). Other kinds of body are left unread.
 */
export function createHttpApp({
  logger,
  metrics,
  bodyLimit = DEFAULT_BODY_LIMIT_BYTES,
  trustedProxyHops = 0,
}: HttpAppOptions): Express {
  const app = express();
  app.set('trust proxy', trustedProxyHops);
  app.disable('x-powered-by');
  // Hashing every body for a weak tag is wasted where answers are not to be stored; routes that are cached set their own.
  app.disable('etag');
  watchRoutes(app);
  app.use(observeRequests({ logger, metrics }));
  app.use(cautiousHeaders);
  app.use(express.json({ limit: bodyLimit, type: ['application/json', 'application/*+json'] }));
  app.use(limitBodyDepth);
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
