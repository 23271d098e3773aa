import { quotas, type projectQuotas } from '@blog-content/payload-schemas';
import { notFound, parseBody, readId } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { QuotaStore } from './quota-store.ts';

export interface QuotaRoutesDependencies {
  readonly quotas: QuotaStore;
  /** Lets only the administrator pass, signed in. */
  readonly requireAdministrator: RequestHandler;
}

/** `/tenants/{projectId}/quotas` and `/accounts/{accountId}/quotas`, for the administrator. */
export function createQuotaRoutes({ quotas: store, requireAdministrator }: QuotaRoutesDependencies): Router {
  const routes = Router();

  routes.put('/tenants/:projectId/quotas', requireAdministrator, async (req, res) => {
    const projectId = readId(req.params['projectId'], 'project');
    const given = parseBody(quotas, req.body);
    if (!(await store.setOfProject(projectId, given))) throw notFound('Project not found.');
    res.locals.log['project_id'] = projectId;
    res.json(given);
  });

  routes.put('/accounts/:accountId/quotas', requireAdministrator, async (req, res) => {
    const accountId = readId(req.params['accountId'], 'account');
    const given = parseBody(quotas, req.body);
    if (!(await store.setOfAccount(accountId, given))) throw notFound('Account not found.');
    res.json(given);
  });
  return routes;
}

/** `/quotas` of a project, for its members. */
export function createProjectQuotaRoutes({ quotas: store }: Pick<QuotaRoutesDependencies, 'quotas'>): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/quotas', async (_req, res) => {
    const { uses, resetsAt, held } = await store.usesOf(callerOf(res).projectId);
    const shown: z.infer<typeof projectQuotas> = {
      quotas: uses,
      resets_at: resetsAt.toISOString(),
      held_publishes: held,
    };
    res.json(shown);
  });
  return routes;
}
