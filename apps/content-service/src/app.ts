import {
  createHttpApp,
  problemErrorHandler,
  problemNotFoundHandler,
  requireOwnerSession,
  requireProjectMember,
  type Logger,
  type Metrics,
} from '@blog-content/service-runtime';
import { Router, type Express } from 'express';
import { createSessionRoutes, type SessionRoutesDependencies } from './accounts/session-routes.ts';
import { createBlogRoutes } from './blogs/blog-routes.ts';
import type { BlogStore } from './blogs/blog-store.ts';
import { createProjectRoutes } from './projects/project-routes.ts';
import type { ProjectStore } from './projects/project-store.ts';
import { createPublishRoutes, type PublishRoutesDependencies } from './publishing/publish-routes.ts';

/** Room for 500,000 characters of content in any script, as JSON. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export interface AppDependencies extends Omit<SessionRoutesDependencies, 'requireSession'>, PublishRoutesDependencies {
  readonly projects: ProjectStore;
  readonly blogs: BlogStore;
  readonly verifySession: Parameters<typeof requireOwnerSession>[0];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The owner's HTTP surface of this service; never listens. */
export function createApp(dependencies: AppDependencies): Express {
  const { projects, blogs, verifySession, logger, metrics } = dependencies;
  const requireSession = requireOwnerSession(verifySession);
  const app = createHttpApp({ logger, metrics, bodyLimit: BODY_LIMIT_BYTES });

  const owner = Router();
  owner.use(createSessionRoutes({ ...dependencies, requireSession }));
  const ofProject = Router({ mergeParams: true });
  ofProject.use(createPublishRoutes(dependencies));
  ofProject.use('/blogs', createBlogRoutes(blogs));
  owner.use('/projects', requireSession, createProjectRoutes(projects));
  owner.use(
    '/projects/:projectId',
    requireSession,
    requireProjectMember((projectId, accountId) => projects.isMember(projectId, accountId)),
    ofProject,
  );

  app.use('/blog/api/v1/owner', owner);
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));
  return app;
}
