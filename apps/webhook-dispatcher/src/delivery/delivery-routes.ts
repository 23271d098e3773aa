import { Router } from 'express';
import { methodNotAllowed, notFound, parseQuery, readId, readPage, toPage } from '@blog-content/service-runtime';
import { z } from 'zod';
import type { DeliveryLogStore } from './delivery-log-store.ts';

const filterQuery = z.object({ integration_id: z.uuid().optional(), blog_id: z.uuid().optional() });

/** `/projects/:projectId/deliveries`: the delivery log, newest first. */
export function createDeliveryRoutes({ deliveries }: { deliveries: DeliveryLogStore }): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const projectId = readId((req.params as { projectId?: string }).projectId, 'project');
    const { integration_id: integrationId, blog_id: blogId } = parseQuery(filterQuery, req.query);
    const { from, limit } = readPage(req.query);
    const found = await deliveries.list(projectId, { integrationId, blogId }, from, limit + 1);
    res.json(toPage(found, limit, ({ delivery }) => delivery));
  });

  routes.get('/:deliveryId', async (req, res) => {
    const params: { projectId?: string; deliveryId: string } = req.params;
    const found = await deliveries.find(readId(params.projectId, 'project'), readId(params.deliveryId, 'delivery'));
    if (found === null) throw notFound('No such delivery.');
    res.json(found.delivery);
  });

  routes.all('/', methodNotAllowed('GET', 'HEAD'));
  routes.all('/:deliveryId', methodNotAllowed('GET', 'HEAD'));
  return routes;
}
