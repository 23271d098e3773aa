import { type Response, Router } from 'express';
import { type deliveryDetail, deliveryKind, deliveryStatus } from '@blog-content/payload-schemas';
import { methodNotAllowed, notFound, parseQuery, readId, readPage, toPage } from '@blog-content/service-runtime';
import { z } from 'zod';
import { projectIdOf } from '../project-id-of.ts';
import type { CustomHeaders } from '../integrations/custom-headers.ts';
import type { IntegrationSecrets } from '../integrations/integration-secrets.ts';
import type { DeliveryLogStore, DetailedDelivery } from './delivery-log-store.ts';
import type { SentBodyStore } from './sent-body-store.ts';
import { showExchange } from './show-exchange.ts';

/** Nothing is older than the epoch, and PostgreSQL has no year 0. */
const time = z.iso.datetime().transform((text) => new Date(Math.max(0, Date.parse(text))));
const filterQuery = z.object({
  integration_id: z.uuid().optional(),
  blog_id: z.uuid().optional(),
  kind: deliveryKind.optional(),
  status: deliveryStatus.optional(),
  event: z.string().max(100).optional(),
  since: time.optional(),
  until: time.optional(),
});

export interface DeliveryRoutesDependencies {
  readonly deliveries: DeliveryLogStore;
  readonly bodies: Pick<SentBodyStore, 'load'>;
  readonly secrets: Pick<IntegrationSecrets, 'openHeaders'>;
}

/** `/projects/:projectId/deliveries`: the delivery log, newest first. */
export function createDeliveryRoutes(dependencies: DeliveryRoutesDependencies): Router {
  const { deliveries } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const { integration_id: integrationId, blog_id: blogId, ...others } = parseQuery(filterQuery, req.query);
    const { from, limit } = readPage(req.query);
    const found = await deliveries.list(projectIdOf(req.params), { integrationId, blogId, ...others }, from, limit + 1);
    res.json(toPage(found, limit, ({ delivery }) => delivery));
  });

  routes.get('/:deliveryId', async (req, res) => {
    const found = await deliveries.find(projectIdOf(req.params), readId(req.params['deliveryId'], 'delivery'));
    if (found === null) throw notFound('Delivery not found.');
    res.json(await showDetail(found, res, dependencies));
  });

  routes.all('/', methodNotAllowed('GET', 'HEAD'));
  routes.all('/:deliveryId', methodNotAllowed('GET', 'HEAD'));
  return routes;
}

async function showDetail(
  { delivery, nextAttemptAt, exchanges, sealedHeaders }: DetailedDelivery,
  res: Response,
  { bodies, secrets }: DeliveryRoutesDependencies,
): Promise<z.infer<typeof deliveryDetail>> {
  const kept = await bodies.load([...exchanges.values()].flatMap(({ request }) => request.body ?? []));
  const customHeaders = (fingerprint: string | null): CustomHeaders | null => {
    const sealed = fingerprint === null ? undefined : sealedHeaders.get(fingerprint);
    return sealed === undefined ? null : openOrNull(secrets, delivery.integration_id, sealed);
  };
  return {
    ...delivery,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    attempts: delivery.attempts.map((attempt) => {
      const exchange = exchanges.get(attempt.number);
      if (exchange === undefined) return { ...attempt, request: null, answer: null, timings: null };
      const parts = {
        customHeaders: customHeaders(exchange.request.custom),
        body: kept.get(exchange.request.body ?? '') ?? null,
      };
      return { ...attempt, ...showExchange(exchange, attempt.status_code, parts, res.locals.role ?? 'editor') };
    }),
  };
}

/** Headers sealed with a key that is gone must not make the rest of the log unreadable. */
function openOrNull(
  secrets: Pick<IntegrationSecrets, 'openHeaders'>,
  integrationId: string,
  sealedHeaders: string,
): CustomHeaders | null {
  try {
    return secrets.openHeaders(integrationId, sealedHeaders);
  } catch {
    return null;
  }
}
