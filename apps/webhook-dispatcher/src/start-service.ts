import { listen } from '@blog-content/postgres';
import { randomUUID } from 'node:crypto';
import { createSecretBox, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, openEventLog } from '@blog-content/event-log';
import { deliveriesTopic } from '@blog-content/payload-schemas';
import {
  createEventLogCounters,
  createMetrics,
  eventLogConfigFrom,
  eventLogRemarks,
  observeEventLog,
  repeat,
  serveAdmin,
  serveHttp,
  startTracing,
  type Logger,
  type ServiceContext,
  createRevokedSessionStore,
} from '@blog-content/service-runtime';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { CONSUMER_GROUP, createTopicHandlers } from './consume.ts';
import { pingDatabase } from './database/ping-database.ts';
import { createDestinations } from './destinations/create-destinations.ts';
import { MAX_DESTINATION_ATTEMPT_MS } from './destinations/target-client.ts';
import { createDestinationStore } from './destinations/destination-store.ts';
import { PROVIDER_APIS, type ProviderApis } from './destinations/open-destination.ts';
import { createDeliveryLogStore } from './delivery-log/delivery-log-store.ts';
import { createEventCache } from './queue/event-cache.ts';
import { DUE_CHANNEL } from './queue/queue-transaction-store.ts';
import { type RetryPolicy, RETRY_POLICY } from './attempt/judge.ts';
import { clearRetiredIntegrations, endSomeOfRetired } from './queue/waiting-store.ts';
import type { Lease } from './concurrency/lease.ts';
import { createBodyCache } from './payload/body-cache.ts';
import { createPlanStore } from './planning/plan-store.ts';
import { purgeEvents } from './planning/purge-store.ts';
import { createRedeliveryStore } from './redelivery/redelivery-store.ts';
import { type OutgoingRequest, sendRequest } from './http/send-request.ts';
import { sendWebhook } from './http/send-webhook.ts';
import { createSentBodyStore } from './delivery-log/sent-body-store.ts';
import { startLogSweeper } from './delivery-log/sweep-log.ts';
import { createSweepLogStore } from './delivery-log/sweep-log-store.ts';
import type { WebhookRequest } from './http/webhook-request.ts';
import { startDeliveries } from './start-deliveries.ts';
import { startDeployHooks } from './deploy-hooks/start-deploy-hooks.ts';
import { INDEX_NOW_TIMEOUT_MS, MAX_WATCHED_PAGE_BYTES, startIndexNow } from './index-now/start-index-now.ts';
import { startLinkHealing } from './link-healing/start-link-healing.ts';
import { createIntegrationSecrets } from './integrations/integration-secrets.ts';
import { createIntegrationStore } from './integrations/integration-store.ts';
import { openPools } from './database/open-database.ts';
import { createProjectStore } from './projects/project-store.ts';
import { createReceiverTests } from './connection-tests/test-receiver.ts';
import { createTestRequestStore } from './connection-tests/test-request-store.ts';

const SERVICE = 'webhook-dispatcher';
/** The share of the time for shutting down in which running answers to owners may end. */
const DRAIN_SHARE = 0.2;
const PURGE_INTERVAL_MS = 10 * 60_000;
/** How often it is looked whether something waits for receivers that are gone. */
const CLEAR_INTERVAL_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
/** A test that has not been recorded so long after its deadline never will be. */
const ABANDONED_AFTER_MS = 60_000;
/** The share of the time for shutting down in which running attempts may end; the rest is for recording and closing. */
const GRACE_SHARE = 0.6;

export interface StartContext extends Omit<ServiceContext, 'name' | 'env'> {
  /** Of this service's package. */
  readonly version: string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly now: () => Date;
  /** Which addresses may be called; made from the configuration when left out. */
  readonly urlGuard?: UrlGuard;
  /** Where providers have their APIs; tests have some of their own. */
  readonly providerApis?: ProviderApis;
}

/** The running service. */
export interface RunningService {
  readonly port: number;
  readonly adminPort: number;
  /** Each rejects while its part of the service is out of order. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Resolves once the event log has been reached. */
  readonly connected: Promise<void>;
}

/**
 * Wires the service by hand and starts it. Needs neither the database nor the event log to be there yet. Disposing of
 * `resources` stops it: it answers the requests that run, takes no more events, lets attempts end and records them,
 * then closes its connections. It claims nothing more from the moment `draining` is aborted.
 */
export async function startService(
  config: Config,
  { version, logger, resources, draining, isDraining, random, now, ...chosen }: StartContext,
): Promise<RunningService> {
  const { urlGuard = guardOf(config), providerApis = PROVIDER_APIS } = chosen;
  const tracing = await startTracing({ service: SERVICE, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(SERVICE);
  warnOfOpenings(config, logger);
  const onLost = (error: Error) => {
    logger.warn('database.connection_lost', { error });
  };
  const { database, queuePool, planPool } = openPools(config.DATABASE_URL, config.DATABASE_POOL_SIZE, onLost);
  const events = createEventCache();
  const bodyCache = createBodyCache();
  const bodies = createSentBodyStore(database, queuePool, logger);
  const tests = createTestRequestStore(
    database,
    Math.max(config.DELIVERY_TIMEOUT_MS, MAX_DESTINATION_ATTEMPT_MS) + ABANDONED_AFTER_MS,
  );
  const projects = createProjectStore(database);
  const revokedSessions = createRevokedSessionStore(database);
  const secretBox = createSecretBox(config.ENCRYPTION_KEYS);
  const secrets = createIntegrationSecrets(secretBox);
  const shutDown = new AbortController();

  const policy: RetryPolicy = {
    ...RETRY_POLICY,
    maxAttempts: config.DELIVERY_MAX_ATTEMPTS,
    delaysMs: config.RETRY_DELAYS_MS,
  };
  const userAgent = `BlogContentService/${version}`;
  const timeoutMs = config.DELIVERY_TIMEOUT_MS;
  const send = (request: WebhookRequest, lease: Lease, onWritten?: () => void) =>
    sendWebhook(request, { agents: urlGuard.agents, timeoutMs, lease, onWritten });
  const sendToHook = (request: OutgoingRequest, interrupted: AbortSignal) =>
    sendRequest(request, { gotOptions: urlGuard.gotOptions, timeoutMs, interrupted });
  const destinations = createDestinations({
    store: createDestinationStore(database),
    bodies,
    agents: urlGuard.agents,
    userAgent,
    timeoutMs,
    now,
    apis: providerApis,
  });
  const { deliver: toDestination, test: testDestination } = destinations;
  const deployHooks = startDeployHooks(
    {
      quietMs: config.DEPLOY_HOOK_QUIET_MS,
      maxWaitMs: config.DEPLOY_HOOK_MAX_WAIT_MS,
      servedWaitMs: config.DEPLOY_HOOK_SERVED_WAIT_MS,
      concurrency: config.DEPLOY_HOOK_CONCURRENCY,
      perAccount: config.DEPLOY_HOOK_CONCURRENCY_PER_ACCOUNT,
      historyDays: config.DELIVERY_LOG_DAYS,
      leaseMs: config.LEASE_MS,
      timeoutMs: config.DELIVERY_TIMEOUT_MS,
    },
    { database, secretBox, policy, random, now, send: sendToHook, userAgent, metrics, logger },
  );
  const indexNow = startIndexNow({
    database,
    metrics,
    leaseMs: config.LEASE_MS,
    send: (request, interrupted) =>
      sendRequest(request, {
        gotOptions: urlGuard.gotOptions,
        timeoutMs: Math.min(timeoutMs, INDEX_NOW_TIMEOUT_MS),
        interrupted,
        maxAnswerBytes: MAX_WATCHED_PAGE_BYTES,
      }),
    lookDelaysMs: config.INDEX_NOW_LOOK_DELAYS_MS,
    quietMs: config.INDEX_NOW_QUIET_MS,
    endpoint: config.INDEX_NOW_ENDPOINT,
    userAgent,
    policy,
    random,
    now,
    logger,
  });
  const receiverTests = createReceiverTests({
    store: tests,
    bodies,
    secrets,
    send,
    testDestination,
    userAgent,
    newId: randomUUID,
    now,
    logger,
  });
  const worker = startDeliveries({
    config,
    database,
    queuePool,
    events,
    secrets,
    bodies,
    bodyCache,
    userAgent,
    policy,
    send,
    toDestination,
    random,
    now,
    metrics,
    ending: shutDown.signal,
    logger,
  });
  const purge = repeat('delivery.purge', PURGE_INTERVAL_MS, () => purgeEvents(database, shutDown.signal), logger);
  const clearing = repeat(
    'integration.clear',
    CLEAR_INTERVAL_MS,
    () => clearRetiredIntegrations(database, shutDown.signal),
    logger,
  );
  const logSweeper = startLogSweeper({
    store: createSweepLogStore(database),
    endAbandonedTests: () => tests.endAbandoned(),
    keepMs: config.DELIVERY_LOG_DAYS * DAY_MS,
    now,
    stopping: shutDown.signal,
    logger,
  });
  const linkHealing = startLinkHealing(
    { quietMs: config.LINK_HEALING_QUIET_MS, perHour: config.LINK_HEALING_PER_HOUR },
    { database, logger },
  );
  const listener = listen({
    databaseUrl: config.DATABASE_URL,
    channel: DUE_CHANNEL,
    onNotification: worker.wake,
    logger,
  });
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, CONSUMER_GROUP), logger),
    outboxDatabaseUrl: config.DATABASE_URL,
    group: CONSUMER_GROUP,
    handlers: createTopicHandlers({
      projects,
      revokedSessions,
      plans: createPlanStore(database, planPool, events),
      prepareContents: (contents) => bodyCache.prepare(contents),
      wake: worker.wake,
      claimOnServed: (served) => worker.claimOnServed(served),
      deployHooks: deployHooks.events,
      indexNow: indexNow.events,
      servedWaitMs: config.SERVED_WAIT_MS,
    }),
    produces: [deliveriesTopic],
    logger,
    metrics: createEventLogCounters(metrics),
    unreachableAfterMs: config.EVENT_LOG_UNREACHABLE_AFTER_MS,
  });
  observeEventLog(eventLog, metrics);

  const app = createApp({
    projects,
    integrations: createIntegrationStore(database, endSomeOfRetired),
    deliveries: createDeliveryLogStore(database),
    redeliveries: createRedeliveryStore(database),
    bodies,
    receiverTests,
    ...deployHooks.routes,
    ...indexNow.routes,
    secrets,
    urlGuard,
    verifySession: createSessionVerifier(config.OWNER_SESSION_JWKS),
    revokedSessions,
    logger,
    metrics,
  });

  const stopClaiming = () => {
    worker.stopClaiming();
    deployHooks.stopClaiming();
    indexNow.stopClaiming();
  };
  draining.addEventListener('abort', stopClaiming);
  // Last in, first out: intake first, the running attempts next, the connections at the end.
  resources.defer(() => database.$disconnect());
  resources.defer(() => queuePool.end());
  resources.defer(() => planPool.end());
  resources.defer(() => {
    urlGuard.agents.destroy();
  });
  resources.defer(() => eventLog.close());
  resources.defer(() => listener.stop());
  resources.defer(() => linkHealing.stop());
  resources.defer(() => logSweeper.stop());
  resources.defer(() => clearing.stop());
  resources.defer(() => purge.stop());
  resources.defer(() => {
    shutDown.abort();
  });
  resources.defer(async () => {
    const graceMs = GRACE_SHARE * config.SHUTDOWN_TIMEOUT_MS;
    const grace = setTimeout(() => {
      shutDown.abort();
    }, graceMs);
    await Promise.all([worker.stop(graceMs), deployHooks.stop(graceMs), indexNow.stop(graceMs), receiverTests.stop()]);
    clearTimeout(grace);
  });
  resources.defer(() => eventLog.stopConsuming());
  resources.defer(stopClaiming);

  const checks = {
    database: () => pingDatabase(database),
    start: () => eventLog.checkStarted(),
    deliveries: worker.checkProgress,
    deploy_hooks: deployHooks.checkProgress,
    index_now: indexNow.checkProgress,
  };
  const remarks = () => eventLogRemarks(eventLog);
  const { registry } = metrics;
  const host = config.HOST;
  const admin = await serveAdmin({ host, port: config.ADMIN_PORT, checks, remarks, registry, isDraining });
  resources.defer(() => admin.close());
  const drainTimeoutMs = DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS;
  const lastRequestMs = config.LAST_REQUEST_MS;
  const http = await serveHttp(app, { host, port: config.PORT, drainTimeoutMs, lastRequestMs, logger });
  resources.defer(() => http.close());
  return { port: http.port, adminPort: admin.port, checks, connected: eventLog.connected };
}

function guardOf(config: Config): UrlGuard {
  return createUrlGuard({
    allowHttp: config.RECEIVER_ALLOW_HTTP,
    allowedRanges: config.RECEIVER_ALLOWED_RANGES,
    refusedRanges: config.RECEIVER_REFUSED_RANGES,
  });
}

/** The address rules guard the network this service runs in: whoever opens them is to see it in the log. */
function warnOfOpenings(config: Config, logger: Logger): void {
  if (config.RECEIVER_ALLOWED_RANGES.length === 0 && !config.RECEIVER_ALLOW_HTTP) return;
  logger.warn('receiver_rules.opened', {
    warning: 'WEBHOOKS MAY REACH ADDRESSES THAT ARE NOT PUBLIC, OR GO UNENCRYPTED. For development and tests only.',
    allowed_ranges: config.RECEIVER_ALLOWED_RANGES,
    allow_http: config.RECEIVER_ALLOW_HTTP,
  });
}
