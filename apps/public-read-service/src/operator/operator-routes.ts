import { tenantUseQuery, type tenantRequests } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/http-surface';
import { createOperatorRouter, parseQuery, readPage, toPage } from '@blog-content/service-runtime';
import type { RequestHandler, Router } from 'express';
import type { z } from 'zod';
import { usageDay } from '../keys/usage-days.ts';
import type { TenantRequestsStore } from './tenant-requests-store.ts';

export interface OperatorRoutesDependencies {
  readonly tenantRequests: TenantRequestsStore;
  readonly parkedEvents: Parameters<typeof createOperatorRouter>[2];
  /** Puts the signed-in account into `response.locals.account`, or answers 401. */
  readonly requireOwnerSession: RequestHandler;
  readonly now: () => Date;
}

export const OPERATOR_PATH = '/blog/api/v1/owner/operator/public-read-service';
/** Today and the six days before. */
const DAYS = 7;

/** What this service knows of all projects, for the administrator. */
export function createOperatorRoutes({
  tenantRequests: store,
  parkedEvents,
  requireOwnerSession,
  now,
}: OperatorRoutesDependencies): Router {
  const operations = httpSurface.filter(({ path }) => path.startsWith(OPERATOR_PATH));
  const routes = createOperatorRouter(operations, requireOwnerSession, parkedEvents);
  routes.get('/requests', async (request, response) => {
    const page = readPage(request.query);
    const { ids } = parseQuery(tenantUseQuery, request.query);
    const found = await store.list(usageDay(now(), DAYS - 1), ids?.toLowerCase().split(',') ?? null, page);
    const show = ({ projectId, requests }: (typeof found)[number]): z.infer<typeof tenantRequests> => ({
      project_id: projectId,
      requests,
    });
    response.json(toPage(found, page.limit, show));
  });
  return routes;
}
