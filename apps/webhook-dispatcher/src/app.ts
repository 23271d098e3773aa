import type { VerifySession } from '@blog-content/credentials';
import { httpSurface } from '@blog-content/payload-schemas/http-surface';
import { type Express, type Request, Router } from 'express';
import {
  createHttpApp,
  jsonBody,
  type Logger,
  type Metrics,
  problemErrorHandler,
  problemNotFoundHandler,
  queueByAccount,
  queueByToken,
  queueRequests,
  refuseFields,
  requireOwnerSession,
  requireProjectMember,
  type RevokedSessionStore,
} from '@blog-content/service-runtime';
import type { DeliveryLogStore } from './delivery-log/delivery-log-store.ts';
import { createDeliveryRoutes, type DeliveryRoutesDependencies } from './delivery-log/delivery-routes.ts';
import { createRedeliveryRoutes, type RedeliveryRoutesDependencies } from './redelivery/redelivery-routes.ts';
import { createDeployHookRoutes, type DeployHookRoutesDependencies } from './deploy-hooks/deploy-hook-routes.ts';
import { createIndexNowRoutes, type IndexNowRoutesDependencies } from './index-now/index-now-routes.ts';
import { createIntegrationRoutes, type IntegrationRoutesDependencies } from './integrations/integration-routes.ts';
import type { IntegrationSecrets } from './integrations/integration-secrets.ts';
import type { IntegrationStore } from './integrations/integration-store.ts';
import type { ProjectStore } from './projects/project-store.ts';
import { createOperatorRoutes, OPERATOR_PATH, type OperatorRoutesDependencies } from './operator/operator-routes.ts';
import { createTestRoutes, type TestRoutesDependencies } from './connection-tests/test-routes.ts';

export interface AppDependencies
  extends
    IntegrationRoutesDependencies,
    TestRoutesDependencies,
    DeliveryRoutesDependencies,
    RedeliveryRoutesDependencies,
    DeployHookRoutesDependencies,
    IndexNowRoutesDependencies,
    OperatorRoutesDependencies {
  readonly deliveries: DeliveryLogStore;
  readonly projects: Pick<ProjectStore, 'memberOf'>;
  readonly integrations: IntegrationStore;
  readonly secrets: IntegrationSecrets;
  readonly verifySession: VerifySession;
  readonly revokedSessions: Pick<RevokedSessionStore, 'has'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Most bytes of a body that saves settings: they may have 100 headers of 4,096 characters. */
const MAX_SETTINGS_BODY_BYTES = 1024 * 1024;
/** And of any other. */
const MAX_PLAIN_BODY_BYTES = 64 * 1024;
const surface = httpSurface.filter(({ service }) => service === 'webhook-dispatcher');
/** Tests last as long as the remote end takes, within its deadline. */
const lasts = ({ method, path }: Request): boolean =>
  method === 'POST' && /\/(?:test|sample|index-now\/check)\/?$/i.test(path);
/** Most concurrent tests of one process, and of one account, in however many projects. None waits. */
const TESTS = { inAll: 32, atOnce: 8, waitingEach: 0, retryAfterS: 30 };

/** The owner's HTTP surface of this service; never listens. */
export function createApp(dependencies: AppDependencies): Express {
  const { projects, verifySession, revokedSessions, logger, metrics } = dependencies;
  const app = createHttpApp({ logger, metrics });
  const ofProject = Router({ mergeParams: true });
  const requireSession = Router().use(
    queueByToken(lasts),
    requireOwnerSession(verifySession, ({ sessionId }) => revokedSessions.has(sessionId)),
    queueByAccount((_request, { locals: { account } }) => account?.id, lasts),
  );
  ofProject.use(
    requireSession,
    queueRequests(
      (_request, { locals: { account } }) => account?.id,
      [{ has: lasts, ...TESTS, refusal: 'Too many tests are running.' }],
    ),
    requireProjectMember((projectId, accountId) => projects.memberOf(projectId, accountId), { hearsOfProjects: true }),
  );
  // Not before: a request without a session, or without a slot yet, must cost no memory.
  const settingsBody = jsonBody(MAX_SETTINGS_BODY_BYTES);
  ofProject.post('/webhooks', settingsBody);
  ofProject.patch('/webhooks/:integrationId', settingsBody);
  ofProject.put('/deploy-hook', settingsBody);
  ofProject.use(jsonBody(MAX_PLAIN_BODY_BYTES), refuseFields(surface));
  ofProject.use('/webhooks', createIntegrationRoutes(dependencies));
  ofProject.use('/webhooks', createTestRoutes(dependencies));
  ofProject.use('/deliveries', createDeliveryRoutes(dependencies));
  ofProject.use(createRedeliveryRoutes(dependencies));
  ofProject.use('/deploy-hook', createDeployHookRoutes(dependencies));
  ofProject.use('/index-now', createIndexNowRoutes(dependencies));
  app.use('/blog/api/v1/owner/projects/:projectId', ofProject);
  app.use(OPERATOR_PATH, createOperatorRoutes(dependencies, requireSession));
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));
  return app;
}
