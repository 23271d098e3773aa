import { createRequire } from 'node:module';
import { createSecretBox, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, openEventLog } from '@blog-content/event-log';
import { servedTopic } from '@blog-content/payload-schemas';
import {
  createEventLogCounters,
  createMetrics,
  createRequestObserver,
  describeConfig,
  eventLogConfigFrom,
  eventLogRemarks,
  loadConfig,
  observeEventLog,
  runService,
  serveAdmin,
  serveHttp,
  startTracing,
} from '@blog-content/service-runtime';
import { createApp } from './app.ts';
import { environment } from './config.ts';
import { CONSUMER_GROUP, createProjectionMetrics, topicHandlers } from './consume.ts';
import { createKeyUsageStore } from './keys/key-usage-store.ts';
import { startUsageSweep } from './keys/sweep-usage.ts';
import { startUsageCounter } from './keys/usage-counter.ts';
import { openPools } from './open-database.ts';
import { openReadPath } from './open-read-path.ts';
import { createProjectionStore } from './projection/projection-store.ts';
import { createCors } from './http/cors.ts';
import { createPublicKeyStore } from './keys/public-key-store.ts';
import { createPublicKeys } from './keys/public-keys.ts';
import { createRevokedSessionStore } from './sessions/revoked-session-store.ts';

const MIB = 1_048_576;
/** The share of the time for stopping in which running answers may end. */
const DRAIN_SHARE = 0.4;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('public-read-service', async ({ name, env, logger, resources, isDraining }) => {
  const config = loadConfig(environment, env, name);
  const now = () => new Date();
  const tracing = startTracing({ service: name, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(name);

  const onLost = (error: Error) => logger.warn('database.connection_lost', { error });
  const pools = openPools(config.DATABASE_URL, config.DATABASE_POOL_SIZE, onLost);
  const { ownerDatabase, readPool, largePages, projectionPool } = pools;
  resources.defer(() => ownerDatabase.$disconnect());
  for (const pool of [readPool, largePages, projectionPool]) resources.defer(() => pool.end());
  const readPath = openReadPath({
    databaseUrl: config.DATABASE_URL,
    pool: readPool,
    projectionPool,
    largePages,
    cacheBytes: config.READ_CACHE_MB * MIB,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    logger,
  });
  resources.defer(() => readPath.close());
  const keyStore = createPublicKeyStore(ownerDatabase);
  const revokedSessions = createRevokedSessionStore(ownerDatabase);
  const usageStore = createKeyUsageStore(readPool);
  const usage = startUsageCounter({ store: usageStore, logger, now });
  resources.defer(() => usage.stop());
  const usageSweep = startUsageSweep({ store: usageStore, logger, now });
  resources.defer(() => usageSweep.stop());

  const projection = createProjectionStore(projectionPool);
  const projectionMetrics = createProjectionMetrics(metrics);
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, name), logger),
    group: CONSUMER_GROUP,
    handlers: ({ append }) =>
      topicHandlers({
        projection,
        revokedSessions,
        logger,
        metrics: projectionMetrics,
        now,
        waitForReplicas: (visible) => readPath.waitForReplicas(visible),
        announce: append,
      }),
    produces: [servedTopic],
    logger,
    metrics: createEventLogCounters(metrics),
    unreachableAfterMs: config.EVENT_LOG_UNREACHABLE_AFTER_MS,
  });
  resources.defer(() => eventLog.close());
  observeEventLog(eventLog, metrics);

  const host = config.HOST;
  const admin = await serveAdmin({
    host,
    port: config.ADMIN_PORT,
    checks: { database: () => readPath.ping(), start: () => eventLog.checkStarted() },
    remarks: () => eventLogRemarks(eventLog),
    registry: metrics.registry,
    isDraining,
  });
  resources.defer(() => admin.close());
  const app = createApp({
    publicApi: {
      ...readPath,
      cors: createCors(config.CORS_ORIGINS),
      countUse: usage.count,
      observe: createRequestObserver({ logger, metrics }),
    },
    keyStore,
    keys: createPublicKeys({
      store: keyStore,
      replicas: readPath.replicas,
      secretBox: createSecretBox(config.ENCRYPTION_KEYS),
      now,
    }),
    usageStore,
    verifySession: createSessionVerifier(config.OWNER_SESSION_JWKS),
    revokedSessions,
    now,
    logger,
    metrics,
  });
  const http = await serveHttp(app, {
    host,
    port: config.PORT,
    drainTimeoutMs: DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS,
    lastRequestMs: config.LAST_REQUEST_MS,
    logger,
    refusalForm: 'detail',
  });
  resources.defer(() => http.close());
  return { port: http.port, admin_port: admin.port, version, config: describeConfig(environment, config) };
});
