import type { DestinationKind, testResult } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { openTarget } from '../destinations/build-post.ts';
import type { Destinations } from '../destinations/create-destinations.ts';
import { buildRequest, fieldsOf, UNSENDABLE } from '../attempt/prepare-request.ts';
import { describeExchange, type PreparedRequest, type StoredExchange } from '../delivery-log/exchange.ts';
import { judge, RETRY_POLICY } from '../http/judge.ts';
import { untilRecorded } from '../attempt/record-outcome.ts';
import type { Outcome, WebhookRequest } from '../http/exchange.ts';
import { statusOf } from '../http/judge.ts';
import type { SentBodyStore } from '../delivery-log/sent-body-store.ts';
import { showExchange } from '../delivery-log/show-exchange.ts';
import type { IntegrationSecrets } from '../integrations/integration-secrets.ts';
import type { StoredIntegration } from '../integrations/integration-store.ts';
import { buildTestBody, type TestKind, testEvent } from './build-test-body.ts';
import { hintForDestination, suggest } from './suggest.ts';
import type { Admission, TestRequestStore } from './test-request-store.ts';

export interface TestReceiverDependencies {
  readonly store: Pick<TestRequestStore, 'begin' | 'end'>;
  readonly bodies: Pick<SentBodyStore, 'keep'>;
  readonly secrets: Pick<IntegrationSecrets, 'open'>;
  readonly send: (request: WebhookRequest, interrupted: AbortSignal) => Promise<Outcome>;
  readonly testDestination: Destinations['test'];
  readonly userAgent: string;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly logger: Logger;
}

export type TestOutcome =
  | { readonly kind: 'made'; readonly result: z.infer<typeof testResult> }
  | Exclude<Admission, { kind: 'admitted' }>;

/** Test Connection and Sample Payload (contract §1.7, §6). */
export interface ReceiverTests {
  /** Makes one request to a receiver, switched on or not, and resolves to its result. */
  make(kind: TestKind, integration: StoredIntegration): Promise<TestOutcome>;
  /**
   * The request that would be sent now. Nothing is sent or written.
   *
   * @throws when the secret cannot be opened: a sample without its signature would mislead.
   */
  prepareSample(integration: StoredIntegration): PreparedRequest;
  /** Interrupts the running tests, and resolves when all are recorded. */
  stop(): Promise<void>;
}

/** How long it tries to record a result, in milliseconds: the test does not count as abandoned by then. */
const RESULT_PATIENCE_MS = 30_000;
const BUSY = { kind: 'busy', retryAfterS: 5 } as const;

export function createReceiverTests(dependencies: TestReceiverDependencies): ReceiverTests {
  const { store, newId } = dependencies;
  const shutDown = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  return {
    async make(kind, integration) {
      if (shutDown.signal.aborted) return BUSY;
      const test = async (): Promise<TestOutcome> => {
        const id = newId();
        const admission = await store.begin({
          id,
          kind,
          projectId: integration.projectId,
          integrationId: integration.id,
        });
        if (admission.kind !== 'admitted') return admission;
        return { kind: 'made', result: await makeTest(id, kind, integration, shutDown.signal, dependencies) };
      };
      const making = test();
      underWay.add(making);
      return making.finally(() => underWay.delete(making));
    },

    prepareSample: (integration) => prepare(newId(), 'sample', integration, dependencies),

    async stop() {
      shutDown.abort();
      await Promise.allSettled(underWay);
    },
  };
}

async function makeTest(
  id: string,
  kind: TestKind,
  integration: StoredIntegration,
  interrupted: AbortSignal,
  dependencies: TestReceiverDependencies,
): Promise<z.infer<typeof testResult>> {
  const { store, now, logger } = dependencies;
  const { integrationKind } = integration;
  const { outcome, exchange, prepared, hint } =
    integrationKind === 'webhook'
      ? await askReceiver(id, kind, integration, interrupted, dependencies)
      : await askDestination(id, integrationKind, integration, interrupted, dependencies);
  const endedAt = now();
  const verdict = judge(outcome, { number: 1, retries: false }, RETRY_POLICY, { random: () => 0, now: endedAt });
  const failure = verdict.kind === 'succeeded' ? null : verdict;
  const statusCode = statusOf(outcome);
  // Known here only: without the record the log would say that the service had stopped during the test.
  await untilRecorded(
    () => store.end({ id, endedAt, statusCode, failure, exchange }),
    { ending: interrupted, patienceMs: RESULT_PATIENCE_MS },
    (tried) => logger.warn('receiver.test_not_recorded_yet', { delivery_id: id, ...tried }),
  );
  logger.info('receiver.tested', {
    delivery_id: id,
    kind,
    integration_id: integration.id,
    project_id: integration.projectId,
    outcome: verdict.kind,
    reason: failure?.reason ?? null,
    status_code: statusCode,
    ...(exchange !== null && { total_ms: exchange.timings.total }),
  });
  const hasSecret = integration.sealedSecret !== null;
  // Only owners test.
  const kept = { customHeaders: prepared?.customHeaders ?? null, body: prepared?.request.body ?? null };
  return {
    delivery_id: id,
    event: testEvent(kind),
    success: failure === null,
    status_code: statusCode,
    reason: failure?.reason ?? null,
    detail: failure?.detail ?? null,
    hint: hint ?? suggest(outcome, { kind, hasSecret, url: prepared?.request.url ?? integration.shownUrl }),
    ...(exchange === null
      ? { request: null, answer: null, timings: null }
      : showExchange(exchange, statusCode, kept, 'owner')),
  };
}

/** What a receiver, or a system, has said. */
interface TestExchange {
  readonly outcome: Outcome;
  readonly exchange: StoredExchange | null;
  readonly prepared: PreparedRequest | null;
  /** What is to be said of it before anything else. */
  readonly hint: string | null;
}

async function askReceiver(
  id: string,
  kind: TestKind,
  integration: StoredIntegration,
  interrupted: AbortSignal,
  dependencies: TestReceiverDependencies,
): Promise<TestExchange> {
  const prepared = prepareOrNull(id, kind, integration, dependencies);
  if (prepared === null) return { outcome: UNSENDABLE, exchange: null, prepared, hint: null };
  const outcome = await dependencies.send(prepared.request, interrupted);
  const body = await dependencies.bodies.keep(prepared.request.body);
  return { outcome, exchange: describeExchange(prepared, outcome, body), prepared, hint: null };
}

async function askDestination(
  id: string,
  kind: DestinationKind,
  integration: StoredIntegration,
  interrupted: AbortSignal,
  { secrets, testDestination, logger }: TestReceiverDependencies,
): Promise<TestExchange> {
  const { id: integrationId, projectId, settings } = integration;
  try {
    const target = openTarget({ kind, integrationId, projectId, settings }, secrets.open(integrationId, integration));
    const lease = { isHeld: () => true, interrupted };
    const { outcome, exchange, hint } = await testDestination(target, id, lease);
    const shown = outcome.kind === 'not_sent' ? ({ kind: 'interrupted' } as const) : outcome;
    return { outcome: shown, exchange, prepared: null, hint: hint ?? hintForDestination(shown) };
  } catch (error) {
    logger.error('delivery.unsendable', { delivery_id: id, integration_id: integrationId, error });
    return { outcome: UNSENDABLE, exchange: null, prepared: null, hint: null };
  }
}

function prepare(
  id: string,
  kind: TestKind,
  integration: StoredIntegration,
  { secrets, userAgent, now, newId }: TestReceiverDependencies,
): PreparedRequest {
  const { url, secret, headers: customHeaders } = secrets.open(integration.id, integration);
  const body = buildTestBody(kind, {
    projectId: integration.projectId,
    now: now(),
    newId,
    fields: fieldsOf(integration.settings),
  });
  const request = buildRequest({
    url,
    body,
    secret,
    customHeaders,
    userAgent,
    deliveryId: id,
    legacy: false,
    standardWebhooks: integration.standardWebhooks ? now() : null,
    connection: 'close',
  });
  return { request, secret, customHeaders, sealedHeaders: integration.sealedHeaders };
}

function prepareOrNull(
  id: string,
  kind: TestKind,
  integration: StoredIntegration,
  dependencies: TestReceiverDependencies,
): PreparedRequest | null {
  try {
    return prepare(id, kind, integration, dependencies);
  } catch (error) {
    // A sealed secret that no configured key opens: an unsigned request must never go out instead.
    dependencies.logger.error('delivery.unsendable', { delivery_id: id, integration_id: integration.id, error });
    return null;
  }
}
