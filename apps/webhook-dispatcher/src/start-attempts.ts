import { randomUUID } from 'node:crypto';
import { createSecretBox } from '@blog-content/credentials';
import type { ServiceContext } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { type RetryPolicy, RETRY_POLICY } from './http/judge.ts';
import type { Lease } from './concurrency/lease-runner.ts';
import { createReceiverTests } from './connection-tests/test-receiver.ts';
import type { TestRequestStore } from './connection-tests/test-request-store.ts';
import { createSentBodyStore } from './delivery-log/sent-body-store.ts';
import { startDeployHooks } from './deploy-hooks/start-deploy-hooks.ts';
import { createDestinations } from './destinations/create-destinations.ts';
import { createDestinationStore } from './destinations/destination-store.ts';
import type { ProviderApis } from './destinations/open-destination.ts';
import { sendUnleased, sendWebhook } from './http/send-webhook.ts';
import type { OutgoingRequest, WebhookRequest } from './http/exchange.ts';
import {
  INDEX_NOW_PACE,
  INDEX_NOW_TIMEOUT_MS,
  MAX_WATCHED_PAGE_BYTES,
  startIndexNow,
} from './index-now/start-index-now.ts';
import { createIntegrationSecrets } from './integrations/integration-secrets.ts';
import { type DeliveryParts, startDeliveries } from './start-deliveries.ts';

/** The share of the time for shutting down in which running attempts may end; the rest is for recording and closing. */
const GRACE_SHARE = 0.6;

export interface AttemptParts
  extends
    Pick<ServiceContext, 'logger' | 'resources'>,
    Pick<DeliveryParts, 'config' | 'database' | 'queuePool' | 'events' | 'bodyCache' | 'metrics' | 'random' | 'now'> {
  readonly version: string;
  readonly tests: TestRequestStore;
  readonly urlGuard: UrlGuard;
  readonly providerApis: ProviderApis;
  /** Aborted when attempts have had the time to end by themselves. */
  readonly ending: AbortController;
}

/** Starts all that sends requests: deliveries, deploy hooks, IndexNow and the tests that owners ask for. */
export function startAttempts({
  version,
  resources,
  config,
  events,
  bodyCache,
  tests,
  urlGuard,
  providerApis,
  ending,
  ...shared
}: AttemptParts) {
  const { database, queuePool, now, logger } = shared;
  const running: { stop(graceMs: number): Promise<void> }[] = [];
  // All at once: each may take as long.
  resources.defer(async () => {
    const graceMs = GRACE_SHARE * config.SHUTDOWN_TIMEOUT_MS;
    const grace = setTimeout(() => ending.abort(), graceMs);
    await Promise.all(running.map((part) => part.stop(graceMs)));
    clearTimeout(grace);
  });

  const policy: RetryPolicy = {
    ...RETRY_POLICY,
    maxAttempts: config.DELIVERY_MAX_ATTEMPTS,
    delaysMs: config.RETRY_DELAYS_MS,
  };
  const userAgent = `BlogContentService/${version}`;
  const timeoutMs = config.DELIVERY_TIMEOUT_MS;
  const leaseMs = config.LEASE_MS;
  const { agents } = urlGuard;
  const secretBox = createSecretBox(config.ENCRYPTION_KEYS);
  const secrets = createIntegrationSecrets(secretBox);
  const bodies = createSentBodyStore(database, queuePool, logger);
  const send = (request: WebhookRequest, lease: Lease, onWritten?: () => void) =>
    sendWebhook(request, { agents, timeoutMs, lease, onWritten });
  const sendNow = (request: OutgoingRequest, interrupted: AbortSignal) =>
    sendUnleased(request, { agents, timeoutMs, interrupted });
  const { deliver: toDestination, test: testDestination } = createDestinations({
    store: createDestinationStore(database),
    bodies,
    agents,
    userAgent,
    timeoutMs,
    now,
    apis: providerApis,
  });

  const deployHooks = startDeployHooks(
    {
      quietMs: config.DEPLOY_HOOK_QUIET_MS,
      maxWaitMs: config.DEPLOY_HOOK_MAX_WAIT_MS,
      servedWaitMs: config.DEPLOY_HOOK_SERVED_WAIT_MS,
      concurrency: config.DEPLOY_HOOK_CONCURRENCY,
      perAccount: config.DEPLOY_HOOK_CONCURRENCY_PER_ACCOUNT,
      historyDays: config.DELIVERY_LOG_DAYS,
      leaseMs,
      timeoutMs,
    },
    { ...shared, secretBox, policy, userAgent, send: sendNow },
  );
  running.push(deployHooks);
  const indexNow = startIndexNow({
    ...shared,
    ...INDEX_NOW_PACE,
    leaseMs,
    send: (request, interrupted) =>
      sendUnleased(request, {
        agents,
        timeoutMs: Math.min(timeoutMs, INDEX_NOW_TIMEOUT_MS),
        interrupted,
        maxAnswerBytes: MAX_WATCHED_PAGE_BYTES,
      }),
    lookDelaysMs: config.INDEX_NOW_LOOK_DELAYS_MS,
    quietMs: config.INDEX_NOW_QUIET_MS,
    endpoint: config.INDEX_NOW_ENDPOINT,
    userAgent,
    policy,
  });
  running.push(indexNow);
  const receiverTests = createReceiverTests({
    store: tests,
    bodies,
    secrets,
    send: sendNow,
    testDestination,
    userAgent,
    newId: randomUUID,
    now,
    logger,
  });
  running.push(receiverTests);
  const deliveries = startDeliveries({
    ...shared,
    config,
    events,
    secrets,
    bodies,
    bodyCache,
    userAgent,
    policy,
    send,
    toDestination,
    ending: ending.signal,
  });
  running.push(deliveries);
  return {
    deliveries,
    deployHooks,
    indexNow,
    receiverTests,
    secrets,
    bodies,
    stopClaiming: () => {
      for (const part of [deliveries, deployHooks, indexNow]) part.stopClaiming();
    },
  };
}
