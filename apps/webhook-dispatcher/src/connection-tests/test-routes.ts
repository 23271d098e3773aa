import { Router } from 'express';
import { redeliverFailedRequest, type redeliverFailedResult, type samplePayload } from '@blog-content/payload-schemas';
import {
  conflict,
  methodNotAllowed,
  notFound,
  parseBody,
  readId,
  requireProjectOwner,
  tooManyRequests,
} from '@blog-content/service-runtime';
import type { z } from 'zod';
import { refusalConflict, refusalDetail } from '../redelivery/judge-redelivery.ts';
import { MAX_REDELIVERIES, type RedeliveryStore } from '../redelivery/redelivery-store.ts';
import { showHeaders } from '../delivery-log/show-exchange.ts';
import type { IntegrationStore, StoredIntegration } from '../integrations/integration-store.ts';
import { MASK } from '../integrations/mask-url.ts';
import type { TestKind } from './build-test-body.ts';
import type { ReceiverTests } from './test-receiver.ts';
import { MAX_TESTS_PER_WINDOW } from './test-request-store.ts';

/** Most refusals that one answer lists. */
const MAX_REFUSALS_SHOWN = 100;

export interface TestRoutesDependencies {
  readonly integrations: Pick<IntegrationStore, 'find'>;
  readonly receiverTests: Pick<ReceiverTests, 'make' | 'prepareSample'>;
  readonly redeliveries: Pick<RedeliveryStore, 'redeliverFailed'>;
}

/** What an owner has sent to one receiver: `/projects/:projectId/webhooks/:integrationId/{test,sample,redeliver-failed}`. */
export function createTestRoutes({ integrations, receiverTests, redeliveries }: TestRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  const find = async (params: object): Promise<StoredIntegration> => {
    const { projectId, integrationId } = params as { projectId?: string; integrationId?: string };
    const found = await integrations.find(readId(projectId, 'project'), readId(integrationId, 'integration'));
    if (found === null) throw notFound('No such integration.');
    return found;
  };

  const make = async (kind: TestKind, integration: StoredIntegration, accountId = '') => {
    const outcome = await receiverTests.make(kind, integration, accountId);
    if (outcome.kind === 'made') return outcome.result;
    const detail =
      outcome.kind === 'busy'
        ? 'A test of this receiver is under way, or too many tests are.'
        : `A project may make ${MAX_TESTS_PER_WINDOW} tests a minute.`;
    throw tooManyRequests(detail, outcome.retryAfterS);
  };

  routes.post('/:integrationId/test', requireProjectOwner, async (req, res) => {
    res.json(await make('test', await find(req.params), res.locals.account?.id));
  });

  routes.post('/:integrationId/sample', requireProjectOwner, async (req, res) => {
    res.json(await make('sample', await find(req.params), res.locals.account?.id));
  });

  routes.get('/:integrationId/sample', async (req, res) => {
    res.json(showSample(receiverTests, await find(req.params), res.locals.role === 'owner'));
  });

  routes.post('/:integrationId/redeliver-failed', requireProjectOwner, async (req, res) => {
    const { since } = parseBody(redeliverFailedRequest, req.body);
    const integration = await find(req.params);
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

  routes.all('/:integrationId/test', methodNotAllowed('POST'));
  routes.all('/:integrationId/sample', methodNotAllowed('GET', 'HEAD', 'POST'));
  routes.all('/:integrationId/redeliver-failed', methodNotAllowed('POST'));
  return routes;
}

function showSample(
  receiverTests: Pick<ReceiverTests, 'prepareSample'>,
  integration: StoredIntegration,
  isOwner: boolean,
): z.infer<typeof samplePayload> {
  const { request, customHeaders } = prepareSample(receiverTests, integration);
  const custom = new Set(Object.keys(customHeaders).map((name) => name.toLowerCase()));
  const isHidden = (name: string) => !isOwner && custom.has(name.toLowerCase());
  return {
    headers: showHeaders(Object.entries(request.headers).map(([name, value]) => [name, isHidden(name) ? MASK : value])),
    body: Buffer.from(request.body).toString('utf8'),
  };
}

function prepareSample(receiverTests: Pick<ReceiverTests, 'prepareSample'>, integration: StoredIntegration) {
  try {
    return receiverTests.prepareSample(integration);
  } catch {
    throw conflict('The secret, or the headers, cannot be opened with the keys that the service has: set them again.');
  }
}
