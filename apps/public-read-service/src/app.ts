import type { RequestListener } from 'node:http';
import type { VerifySession } from '@blog-content/credentials';
import { Router } from 'express';
import {
  createHttpApp,
  problemErrorHandler,
  problemNotFoundHandler,
  queueByAccount,
  queueByToken,
  requireOwnerSession,
  type Logger,
  type Metrics,
  type RevokedSessionStore,
} from '@blog-content/service-runtime';
import { createImageFiles, type ImageFilesDependencies } from './images/image-files.ts';
import { keyUsageRoutes } from './keys/key-usage-routes.ts';
import type { KeyUsageStore } from './keys/key-usage-store.ts';
import { createPublicApi, type PublicApiDependencies } from './public-api/public-api.ts';
import { createOperatorRoutes, OPERATOR_PATH, type OperatorRoutesDependencies } from './operator/operator-routes.ts';
import { publicKeyRoutes } from './keys/public-key-routes.ts';
import type { PublicKeyStore } from './keys/public-key-store.ts';
import type { PublicKeys } from './keys/public-keys.ts';

export interface AppDependencies extends Pick<OperatorRoutesDependencies, 'tenantRequests' | 'parkedEvents'> {
  readonly publicApi: Omit<PublicApiDependencies, 'metrics'>;
  readonly images: Omit<ImageFilesDependencies, 'metrics'>;
  readonly keyStore: PublicKeyStore;
  readonly keys: PublicKeys;
  readonly usageStore: KeyUsageStore;
  readonly verifySession: VerifySession;
  readonly revokedSessions: Pick<RevokedSessionStore, 'has'>;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The HTTP surface of this service: the public API, images, and the owner's operations on the public key. Never
 * listens.
 */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { publicApi, images, keyStore, keys, usageStore, verifySession, revokedSessions, now, logger, metrics } =
    dependencies;
  const app = createHttpApp({ logger, metrics });
  const requireSession = Router().use(
    queueByToken(),
    requireOwnerSession(verifySession, ({ sessionId }) => revokedSessions.has(sessionId)),
    queueByAccount((_request, { locals: { account } }) => account?.id),
  );
  app.use(publicKeyRoutes({ keys, store: keyStore, requireOwnerSession: requireSession }));
  const memberOf = (projectId: string, accountId: string) => keyStore.memberOf(projectId, accountId);
  app.use(keyUsageRoutes({ store: usageStore, memberOf, requireOwnerSession: requireSession, now }));
  app.use(OPERATOR_PATH, createOperatorRoutes({ ...dependencies, requireOwnerSession: requireSession }));
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));

  // In front of Express, which takes longer to find its way than an answer from memory does.
  return createPublicApi({ ...publicApi, metrics }, createImageFiles({ ...images, metrics }, app));
}
