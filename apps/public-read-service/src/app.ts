import type { VerifySession } from '@blog-content/credentials';
import {
  createHttpApp,
  problemErrorHandler,
  problemNotFoundHandler,
  requireOwnerSession,
  type Logger,
  type Metrics,
} from '@blog-content/service-runtime';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { isPublicApiTarget, routePattern } from './public-api/match-route.ts';
import { createPublicApi } from './public-api/public-api.ts';
import type { PublicReadStore } from './public-api/public-read-store.ts';
import { publicKeyRoutes } from './public-key/public-key-routes.ts';
import type { PublicKeyStore } from './public-key/public-key-store.ts';
import type { PublicKeys } from './public-key/public-keys.ts';

export interface AppDependencies {
  readonly readStore: PublicReadStore;
  readonly keyStore: PublicKeyStore;
  readonly keys: PublicKeys;
  readonly verifySession: VerifySession;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The HTTP surface of this service: the public API and the owner's operations on the public key. Never listens. */
export function createApp({ readStore, keyStore, keys, verifySession, logger, metrics }: AppDependencies): Express {
  const app = createHttpApp({ logger, metrics });
  const publicApi = createPublicApi(readStore);

  const answerPublic: RequestHandler = async (request, response, next) => {
    const target = request.originalUrl;
    if (!isPublicApiTarget(target)) {
      next();
      return;
    }
    response.locals.route = routePattern(target);
    const projectId = await publicApi(request, response, target, response.locals.logger);
    if (projectId !== null) response.locals.log['project_id'] = projectId;
  };
  // The public API takes no body: what is wrong with one that was sent all the same decides nothing.
  const answerPublicDespiteBody: ErrorRequestHandler = (error, request, response, next) => {
    if (response.headersSent || !isPublicApiTarget(request.originalUrl)) next(error);
    else void answerPublic(request, response, next);
  };

  app.use(answerPublic);
  app.use(publicKeyRoutes({ keys, store: keyStore, requireOwnerSession: requireOwnerSession(verifySession) }));
  app.use(problemNotFoundHandler);
  app.use(answerPublicDespiteBody);
  app.use(problemErrorHandler(logger));
  return app;
}
