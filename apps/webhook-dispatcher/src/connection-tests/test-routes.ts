import { MASK } from '@blog-content/credentials';
import { Router } from 'express';
import type { samplePayload } from '@blog-content/payload-schemas';
import {
  conflict,
  methodNotAllowed,
  notFound,
  readId,
  requireProjectOwner,
  tooManyRequests,
} from '@blog-content/service-runtime';
import type { z } from 'zod';
import { projectIdOf } from '../project-id-of.ts';
import { showHeaders } from '../delivery-log/show-exchange.ts';
import type { IntegrationStore, StoredIntegration } from '../integrations/integration-store.ts';
import type { TestKind } from './build-test-body.ts';
import type { ReceiverTests } from './test-receiver.ts';
import { MAX_TESTS_PER_WINDOW } from './test-request-store.ts';

export interface TestRoutesDependencies {
  readonly integrations: Pick<IntegrationStore, 'find'>;
  readonly receiverTests: Pick<ReceiverTests, 'make' | 'prepareSample'>;
}

/** What an owner has sent to one receiver: `/projects/:projectId/webhooks/:integrationId/{test,sample}`. */
export function createTestRoutes({ integrations, receiverTests }: TestRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  const find = async (params: object): Promise<StoredIntegration> => {
    const { integrationId } = params as { integrationId?: string };
    const found = await integrations.find(projectIdOf(params), readId(integrationId, 'integration'));
    if (found === null) throw notFound('Integration not found.');
    return found;
  };

  /** A system has no way to take a post and write nothing. */
  const findWebhook = async (params: object): Promise<StoredIntegration> => {
    const found = await find(params);
    if (found.integrationKind !== 'webhook') throw conflict('Only webhooks have a sample payload.');
    return found;
  };

  const make = async (kind: TestKind, integration: StoredIntegration) => {
    const outcome = await receiverTests.make(kind, integration);
    if (outcome.kind === 'made') return outcome.result;
    const detail =
      outcome.kind === 'busy'
        ? 'A test of this receiver is already running.'
        : `Limit reached: ${MAX_TESTS_PER_WINDOW} tests per minute and project.`;
    throw tooManyRequests(detail, outcome.retryAfterS);
  };

  routes.post('/:integrationId/test', requireProjectOwner, async (req, res) => {
    res.json(await make('test', await find(req.params)));
  });

  routes.post('/:integrationId/sample', requireProjectOwner, async (req, res) => {
    res.json(await make('sample', await findWebhook(req.params)));
  });

  routes.get('/:integrationId/sample', async (req, res) => {
    res.json(showSample(receiverTests, await findWebhook(req.params), res.locals.role === 'owner'));
  });

  routes.all('/:integrationId/test', methodNotAllowed('POST'));
  routes.all('/:integrationId/sample', methodNotAllowed('GET', 'HEAD', 'POST'));
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
    throw conflict('The secret or the headers cannot be decrypted with the configured keys. Set them again.');
  }
}
