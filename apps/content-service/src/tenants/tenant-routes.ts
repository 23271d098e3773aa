import { suspensionRequest, tenantListQuery, type Quotas, type tenant } from '@blog-content/payload-schemas';
import {
  createParkedEventRoutes,
  notFound,
  parseBody,
  parseQuery,
  readId,
  readPage,
  toPage,
} from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import { showSuspension } from '../projects/project-routes.ts';
import { NO_QUOTAS, type QuotaStore } from '../quotas/quota-store.ts';
import type { SuspensionStore } from './suspension-store.ts';
import type { Tenant, TenantStore } from './tenant-store.ts';

export interface TenantRoutesDependencies {
  readonly tenants: TenantStore;
  readonly suspensions: SuspensionStore;
  readonly quotas: Pick<QuotaStore, 'of'>;
  readonly parkedEvents: Parameters<typeof createParkedEventRoutes>[0];
  /** Lets only the administrator pass, signed in. */
  readonly requireAdministrator: RequestHandler;
}

/** `/tenants`: every project, and `/operator`: what this service could not process. For the administrator. */
export function createTenantRoutes(dependencies: TenantRoutesDependencies): Router {
  const { tenants, suspensions, quotas, parkedEvents, requireAdministrator } = dependencies;
  const routes = Router();
  routes.use(['/tenants', '/operator'], requireAdministrator);
  routes.use('/operator/content-service/parked-events', createParkedEventRoutes(parkedEvents));

  routes.get('/tenants', async (req, res) => {
    const page = readPage(req.query);
    const found = await tenants.list(parseQuery(tenantListQuery, req.query), page);
    const allowed = await quotas.of(found.map(({ id }) => id));
    res.json(toPage(found, page.limit, (each) => show(each, allowed.get(each.id) ?? NO_QUOTAS)));
  });

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

function show(
  { id, name, siteUrl, createdAt, owners, posts, storageBytes, publishes, ...row }: Tenant,
  quotas: Quotas,
) {
  const shown: z.infer<typeof tenant> = {
    id,
    name,
    site_url: siteUrl,
    created_at: createdAt.toISOString(),
    owners: [...owners],
    posts,
    storage_bytes: storageBytes,
    publishes,
    suspension: showSuspension(row),
    quotas,
  };
  return shown;
}
