import { accountOf } from '@blog-content/service-runtime';
import { Router } from 'express';
import { callerOf } from '../platform/http/caller.ts';
import type { ProjectWatch } from './watch-projects.ts';

export interface ProjectEventRoutesDependencies {
  readonly projectWatch: ProjectWatch;
}

/** `/events` of a project. */
export function createProjectEventRoutes({ projectWatch }: ProjectEventRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  routes.head('/events', (_req, res) => {
    res.type('text/event-stream').end();
  });

  routes.get('/events', async (req, res) => {
    const { id: accountId, sessionId, sessionExpiresAt: expiresAt } = accountOf(res);
    const lastEventId = req.get('Last-Event-ID');
    const { projectId } = callerOf(res);
    await projectWatch.watch({ projectId, accountId, sessionId, expiresAt, lastEventId }, res);
  });
  return routes;
}
