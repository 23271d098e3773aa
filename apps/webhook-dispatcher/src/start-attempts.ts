import { randomUUID } from 'node:crypto';
import { createSecretBox } from '@blog-content/credentials';
import type { ServiceContext } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { createScarceWork } from './concurrency/scarce-work.ts';
import { type RetryPolicy, RETRY_POLICY } from './http/judge.ts';
import { createReceiverTests } from './connection-tests/test-receiver.ts';
import type { TestRequestStore } from './connection-tests/test-request-store.ts';
import { createSentBodyStore } from './delivery-log/sent-body-store.ts';
import { startDeployHooks } from './deploy-hooks/start-deploy-hooks.ts';
import { createDestinations } from './destinations/create-destinations.ts';
import { createDestinationStore } from './destinations/destination-store.ts';
import type { ProviderApis } from './destinations/open-destination.ts';
import { createSender, sendUnleased } from './http/send-webhook.ts';
import type { OutgoingRequest } from './http/exchange.ts';
import { INDEX_NOW_POLL_MS, INDEX_NOW_TIMEOUT_MS, startIndexNow } from './index-now/start-index-now.ts';
import { createIntegrationSecrets } from './integrations/integration-secrets.ts';
import { type DeliveryParts, startDeliveries } from './start-deliveries.ts';

/** The share of the time for shutting down in which running attempts may end; the rest is for recording and closing. */
const GRACE_SHARE = 0.6;

export interface AttemptParts
  extends
    Pick<ServiceContext, 'logger' | 'resources'>,
    Pick<
      DeliveryParts,
      'config' | 'database' | 'queuePool' | 'planPool' | 'events' | 'bodyCache' | 'metrics' | 'random' | 'now'
    > {
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
  planPool,
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
  // All concurrently: each may take as long.
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
  const send = createSender({ agents, timeoutMs });
  const sendNow = (request: OutgoingRequest, interrupted: AbortSignal) =>
    sendUnleased(request, { agents, timeoutMs, interrupted });
  const scarceWork = createScarceWork();
  const { deliver: toDestination, test: testDestination } = createDestinations({
    store: createDestinationStore(database),
    bodies,
    agents,
    scarceWork,
    userAgent,
    timeoutMs,
    now,
    apis: providerApis,
  });

  const indexNow = startIndexNow({
    ...shared,
    pollIntervalMs: INDEX_NOW_POLL_MS,
    delayMs: config.INDEX_NOW_DELAY_MS,
    leaseMs,
    send: (request, interrupted) =>
      sendUnleased(request, { agents, timeoutMs: Math.min(timeoutMs, INDEX_NOW_TIMEOUT_MS), interrupted }),
    endpoint: config.INDEX_NOW_ENDPOINT,
    userAgent,
    policy,
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
    {
      ...shared,
      secretBox,
      policy,
      userAgent,
      send: sendNow,
      siteRebuilds: indexNow.siteRebuilds,
    },
  );
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
  const deliveries = startDeliveries({
    ...shared,
    config,
    planPool,
    events,
    secrets,
    bodies,
    bodyCache,
    liveLinkQueue: scarceWork.liveLinks,
    userAgent,
    policy,
    send,
    toDestination,
    ending: ending.signal,
  });
  const kinds = [deployHooks, indexNow, deliveries];
  running.push(receiverTests, ...kinds);
  return {
    kinds,
    wake: deliveries.wake,
    routes: { ...deployHooks.routes, ...indexNow.routes, receiverTests, bodies, secrets },
    stopClaiming: () => {
      for (const kind of kinds) kind.stopClaiming();
    },
  };
}
