import { type Express, Router } from 'express';
import {
  createHttpApp,
  type Logger,
  type Metrics,
  problemErrorHandler,
  problemNotFoundHandler,
  requireOwnerSession,
  requireProjectMember,
} from '@blog-content/service-runtime';
import { createDeliveryRoutes } from './delivery/delivery-routes.ts';
import type { DeliveryLogStore } from './delivery/delivery-log-store.ts';
import { createIntegrationRoutes, type IntegrationRoutesDependencies } from './integrations/integration-routes.ts';
import type { ProjectStore } from './projects/project-store.ts';

export interface AppDependencies extends IntegrationRoutesDependencies {
  readonly projects: Pick<ProjectStore, 'roleOf'>;
  readonly deliveries: DeliveryLogStore;
  readonly verifySession: Parameters<typeof requireOwnerSession>[0];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The owner's HTTP surface of this service; never listens. */
export function createApp(dependencies: AppDependencies): Express {
  const { projects, verifySession, logger, metrics } = dependencies;
  const app = createHttpApp({ logger, metrics });
  const ofProject = Router({ mergeParams: true });
  ofProject.use(
    requireOwnerSession(verifySession),
    requireProjectMember((projectId, accountId) => projects.roleOf(projectId, accountId)),
  );
  ofProject.use('/webhooks', createIntegrationRoutes(dependencies));
  ofProject.use('/deliveries', createDeliveryRoutes(dependencies));
  app.use('/blog/api/v1/owner/projects/:projectId', ofProject);
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));
  return app;
}
