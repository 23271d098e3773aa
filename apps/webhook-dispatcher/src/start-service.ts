import { listen, sessionUrlOf } from '@blog-content/postgres';
import { createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, createParkedEventStore, openEventLog } from '@blog-content/event-log';
import { deliveriesTopic } from '@blog-content/payload-schemas';
import {
  createEventLogCounters,
  createMetrics,
  eventLogConfigFrom,
  eventLogRemarks,
  observeEventLog,
  serveAdmin,
  serveHttp,
  startTracing,
  watchWrites,
  type Logger,
  type ServiceContext,
  createRevokedSessionStore,
} from '@blog-content/service-runtime';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { CONSUMER_GROUP, createTopicHandlers } from './consume.ts';
import { pingDatabase } from './database/ping-database.ts';
import { MAX_DESTINATION_ATTEMPT_MS } from './destinations/target-client.ts';
import { PROVIDER_APIS, type ProviderApis } from './destinations/open-destination.ts';
import { createDeliveryLogStore } from './delivery-log/delivery-log-store.ts';
import { createEventCache, createBodyCache } from './payload/event-cache.ts';
import { DUE_CHANNEL } from './queue/queue-transaction-store.ts';
import { endSomeOfRetired } from './queue/waiting-store.ts';
import { createRedeliveryStore } from './redelivery/redelivery-store.ts';
import { startAttempts } from './start-attempts.ts';
import { startUpkeep } from './start-upkeep.ts';
import { createIntegrationStore } from './integrations/integration-store.ts';
import { openPools } from './database/open-database.ts';
import { createTenantReceiversStore } from './operator/tenant-receivers-store.ts';
import { createProjectStore } from './projects/project-store.ts';
import { createTestRequestStore } from './connection-tests/test-request-store.ts';

/** A metric has no more projects as labels. */
const MAX_MEASURED_PROJECTS = 20;
const SERVICE = 'webhook-dispatcher';
/** The share of the time for shutting down in which running answers to owners may end. */
const DRAIN_SHARE = 0.2;
/** A test that has not been recorded so long after its deadline never will be. */
const ABANDONED_AFTER_MS = 60_000;

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
  // Last in, first out: intake first, the running attempts next, the connections at the end.
  const tracing = await startTracing({ service: SERVICE, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(SERVICE, version);
  warnOfOpenings(config, logger);
  const sessionUrl = sessionUrlOf(config);
  const databaseUrls = { databaseUrl: config.DATABASE_URL, sessionUrl };
  const writes = watchWrites(logger, () => performance.now());
  const { database, queuePool, planPool } = openPools(
    databaseUrls,
    config.DATABASE_POOL_SIZE,
    (error) => {
      logger.warn('database.connection_lost', { error });
    },
    writes.note,
  );
  resources.defer(() => database.$disconnect());
  resources.defer(() => queuePool.end());
  resources.defer(() => planPool.end());
  const { urlGuard = guardOf(config), providerApis = PROVIDER_APIS } = chosen;
  resources.defer(() => urlGuard.agents.destroy());
  // They are opened after the attempts, which they wake, and closed after them, whose events they publish.
  const connections = resources.use(new AsyncDisposableStack());

  const ending = new AbortController();
  const tests = createTestRequestStore(
    database,
    Math.max(config.DELIVERY_TIMEOUT_MS, MAX_DESTINATION_ATTEMPT_MS) + ABANDONED_AFTER_MS,
  );
  const redeliveries = createRedeliveryStore(database);
  startUpkeep({ resources, config, database, tests, redeliveries, now, ending: ending.signal, logger });
  resources.defer(() => ending.abort());
  const events = createEventCache();
  const bodyCache = createBodyCache();
  const attempts = startAttempts({
    version,
    resources,
    config,
    database,
    queuePool,
    planPool,
    events,
    bodyCache,
    tests,
    urlGuard,
    providerApis,
    random,
    now,
    metrics,
    ending,
    logger,
  });

  const projects = createProjectStore(database);
  const revokedSessions = createRevokedSessionStore(database);
  const parkedEvents = createParkedEventStore(sessionUrl);
  resources.defer(() => parkedEvents.close());
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, CONSUMER_GROUP), logger),
    outboxDatabaseUrl: sessionUrl,
    group: CONSUMER_GROUP,
    parkingDatabaseUrl: sessionUrl,
    handlers: createTopicHandlers({ projects, revokedSessions, kinds: attempts.kinds }),
    produces: [deliveriesTopic],
    logger,
    metrics: createEventLogCounters(metrics),
    unreachableAfterMs: config.EVENT_LOG_UNREACHABLE_AFTER_MS,
  });
  connections.defer(() => eventLog.close());
  resources.defer(() => eventLog.stopConsuming());
  observeEventLog(eventLog, metrics);
  const listener = listen({
    databaseUrl: sessionUrl,
    channel: DUE_CHANNEL,
    onNotification: attempts.wake,
    logger,
  });
  connections.defer(() => listener.stop());
  draining.addEventListener('abort', attempts.stopClaiming);
  resources.defer(attempts.stopClaiming);

  const integrations = createIntegrationStore(database, endSomeOfRetired);
  metrics.reading('webhook_integrations', () => integrations.countFailing(MAX_MEASURED_PROJECTS), {
    webhook_project_failing_integrations: {
      help: 'Failing webhooks and connected systems, of the projects with the most.',
      label: 'project_id',
      value: (failing) => failing,
    },
  });
  const app = createApp({
    projects,
    integrations,
    deliveries: createDeliveryLogStore(database),
    redeliveries,
    ...attempts.routes,
    urlGuard,
    tenantReceivers: createTenantReceiversStore(database),
    parkedEvents,
    verifySession: createSessionVerifier(config.OWNER_SESSION_JWKS),
    revokedSessions,
    logger,
    metrics,
  });

  const checks = {
    database: async () => writes.notePing(await pingDatabase(database)),
    start: () => eventLog.checkStarted(),
    ...Object.fromEntries(attempts.kinds.map(({ name, checkProgress }) => [name, checkProgress])),
  };
  const host = config.HOST;
  const admin = await serveAdmin({
    host,
    port: config.ADMIN_PORT,
    checks,
    partial: { writes: writes.check },
    remarks: () => eventLogRemarks(eventLog),
    metrics,
    isDraining,
  });
  resources.defer(() => admin.close());
  const http = await serveHttp(app, {
    host,
    port: config.PORT,
    drainTimeoutMs: DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS,
    lastRequestMs: config.LAST_REQUEST_MS,
    logger,
  });
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

/** The address rules guard the network this service runs in: opening them must show in the log. */
function warnOfOpenings(config: Config, logger: Logger): void {
  if (config.RECEIVER_ALLOWED_RANGES.length === 0 && !config.RECEIVER_ALLOW_HTTP) return;
  logger.warn('receiver_rules.opened', {
    warning: 'WEBHOOKS MAY REACH NON-PUBLIC ADDRESSES OR BE SENT UNENCRYPTED. For development and tests only.',
    allowed_ranges: config.RECEIVER_ALLOWED_RANGES,
    allow_http: config.RECEIVER_ALLOW_HTTP,
  });
}
