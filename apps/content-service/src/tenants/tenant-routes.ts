import { suspensionRequest } from '@blog-content/payload-schemas';
import { notFound, parseBody, readId } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import { showSuspension } from '../projects/project-routes.ts';
import type { SuspensionStore } from './suspension-store.ts';

export interface TenantRoutesDependencies {
  readonly suspensions: SuspensionStore;
  /** Lets only the administrator pass, signed in. */
  readonly requireAdministrator: RequestHandler;
}

/** `/tenants`: every project, for the administrator. */
export function createTenantRoutes({ suspensions, requireAdministrator }: TenantRoutesDependencies): Router {
  const routes = Router();
  routes.use('/tenants', requireAdministrator);

  routes.put('/tenants/:projectId/suspension', async (req, res) => {
    const projectId = readId(req.params.projectId, 'project');
    const { scope, reason } = parseBody(suspensionRequest, req.body);
    const suspended = await suspensions.suspend(projectId, scope, reason);
    if (suspended === null) throw noProject();
    res.locals.log['project_id'] = projectId;
    res.json(showSuspension(suspended));
  });

  routes.delete('/tenants/:projectId/suspension', async (req, res) => {
    const projectId = readId(req.params.projectId, 'project');
    if ((await suspensions.resume(projectId)) === null) throw noProject();
    res.locals.log['project_id'] = projectId;
    res.status(204).end();
  });
  return routes;
}

const noProject = () => notFound('Project not found.');
