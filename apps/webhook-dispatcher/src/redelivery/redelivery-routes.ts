import { redeliverFailedRequest, type redeliverFailedResult } from '@blog-content/payload-schemas';
import { methodNotAllowed, notFound, parseBody, readId, requireProjectOwner } from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { projectIdOf } from '../project-id-of.ts';
import type { DeliveryLogStore } from '../delivery-log/delivery-log-store.ts';
import type { IntegrationStore } from '../integrations/integration-store.ts';
import { refusalConflict, refusalDetail } from './judge-redelivery.ts';
import { MAX_REDELIVERIES, type RedeliveryStore } from './redelivery-store.ts';

/** Most refusals that one answer lists. */
const MAX_REFUSALS_SHOWN = 100;

export interface RedeliveryRoutesDependencies {
  readonly integrations: Pick<IntegrationStore, 'find'>;
  readonly deliveries: Pick<DeliveryLogStore, 'find'>;
  readonly redeliveries: RedeliveryStore;
}

/** `/projects/:projectId/deliveries/:deliveryId/redeliver` and `…/webhooks/:integrationId/redeliver-failed`. */
export function createRedeliveryRoutes(dependencies: RedeliveryRoutesDependencies): Router {
  const { integrations, deliveries, redeliveries } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.post('/deliveries/:deliveryId/redeliver', requireProjectOwner, async (req, res) => {
    const projectId = projectIdOf(req.params);
    const outcome = await redeliveries.redeliver(projectId, readId(req.params['deliveryId'], 'delivery'));
    if (outcome.kind === 'unknown') throw notFound('Delivery not found.');
    if (outcome.kind === 'refused') throw refusalConflict(outcome.reason);
    const created = await deliveries.find(projectId, outcome.id);
    if (created === null) throw notFound('Delivery not found.');
    res.status(202).location(`${req.baseUrl}/deliveries/${outcome.id}`).json(created.delivery);
  });

  routes.post('/webhooks/:integrationId/redeliver-failed', requireProjectOwner, async (req, res) => {
    const { since } = parseBody(redeliverFailedRequest, req.body);
    const id = readId(req.params['integrationId'], 'integration');
    const integration = await integrations.find(projectIdOf(req.params), id);
    if (integration === null) throw notFound('Integration not found.');
    if (!integration.active) throw refusalConflict('integration_inactive');
    const from = new Date(Math.max(0, Date.parse(since)));
    const { created, refused, more } = await redeliveries.redeliverFailed(integration.projectId, integration.id, from);
    const answer: z.infer<typeof redeliverFailedResult> = {
      created: created.length,
      deliveries: created.slice(0, MAX_REDELIVERIES).map(({ id, blogId }) => ({ id, blog_id: blogId })),
      refused: refused.slice(0, MAX_REFUSALS_SHOWN).map(({ deliveryId, blogId, reason }) => ({
        delivery_id: deliveryId,
        blog_id: blogId,
        reason,
        detail: refusalDetail(reason),
      })),
      more,
    };
    res.status(202).json(answer);
  });

  routes.all('/deliveries/:deliveryId/redeliver', methodNotAllowed('POST'));
  routes.all('/webhooks/:integrationId/redeliver-failed', methodNotAllowed('POST'));
  return routes;
}
