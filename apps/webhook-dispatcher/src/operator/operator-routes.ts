import { tenantUseQuery, type tenantReceivers } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/http-surface';
import { createOperatorRouter, parseQuery, readPage, toPage } from '@blog-content/service-runtime';
import type { RequestHandler, Router } from 'express';
import type { z } from 'zod';
import type { TenantReceivers, TenantReceiversStore } from './tenant-receivers-store.ts';

export interface OperatorRoutesDependencies {
  readonly tenantReceivers: TenantReceiversStore;
  readonly parkedEvents: Parameters<typeof createOperatorRouter>[2];
}

export const OPERATOR_PATH = '/blog/api/v1/owner/operator/webhook-dispatcher';

/** What this service knows of all projects, for the administrator. @param requireSession signs in, or answers 401. */
export function createOperatorRoutes(
  { tenantReceivers: store, parkedEvents }: OperatorRoutesDependencies,
  requireSession: RequestHandler,
): Router {
  const operations = httpSurface.filter(({ path }) => path.startsWith(OPERATOR_PATH));
  const routes = createOperatorRouter(operations, requireSession, parkedEvents);
  routes.get('/failing-receivers', async (request, response) => {
    const page = readPage(request.query);
    const { ids } = parseQuery(tenantUseQuery, request.query);
    response.json(toPage(await store.list(ids?.toLowerCase().split(',') ?? null, page), page.limit, show));
  });
  return routes;
}

function show({ projectId, failing, receivers }: TenantReceivers): z.infer<typeof tenantReceivers> {
  return {
    project_id: projectId,
    failing,
    receivers: receivers.map(({ id, name, since, reason, failed }) => ({
      id,
      name,
      failing_since: since,
      reason,
      failed_deliveries: failed,
    })),
  };
}
