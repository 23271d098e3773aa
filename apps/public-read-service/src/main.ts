import { createRequire } from 'node:module';
import { createSecretBox, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, openEventLog } from '@blog-content/event-log';
import { servedTopic } from '@blog-content/payload-schemas';
import {
  createMetrics,
  describeConfig,
  eventLogConfigFrom,
  loadConfig,
  observeEventLog,
  runService,
  serveAdmin,
  serveHttp,
  startTracing,
} from '@blog-content/service-runtime';
import { createApp } from './app.ts';
import { environment } from './config.ts';
import { CONSUMER_GROUP, topicHandlers } from './consume.ts';
import { openDatabase } from './open-database.ts';
import { createProjectionStore } from './projection/projection-store.ts';
import { createPublicReadStore } from './public-api/public-read-store.ts';
import { createPublicKeyStore } from './public-key/public-key-store.ts';
import { createPublicKeys } from './public-key/public-keys.ts';

/** Requests fail rather than wait: a reader who is told 500 comes again in a few seconds. */
const REQUEST_LIMITS = { connectTimeoutMs: 2_000, statementTimeoutMs: 5_000 } as const;
/** A pool apart, so that a rush of readers does not keep changes from being served. */
const PROJECTION_LIMITS = { poolSize: 4, connectTimeoutMs: 10_000, statementTimeoutMs: 30_000 } as const;
/** The share of the time for stopping in which running answers may end. */
const DRAIN_SHARE = 0.4;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

await runService('public-read-service', async ({ name, env, logger, resources, isDraining }) => {
  const config = loadConfig(environment, env, name);
  const now = () => new Date();
  const tracing = startTracing({ service: name, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(name);

  const requestDatabase = openDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL_SIZE, ...REQUEST_LIMITS });
  resources.defer(() => requestDatabase.$disconnect());
  const projectionDatabase = openDatabase(config.DATABASE_URL, PROJECTION_LIMITS);
  resources.defer(() => projectionDatabase.$disconnect());
  const readStore = createPublicReadStore(requestDatabase);
  const keyStore = createPublicKeyStore(requestDatabase);

  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, name), logger),
    outboxDatabaseUrl: config.DATABASE_URL,
    group: CONSUMER_GROUP,
    handlers: topicHandlers({ projection: createProjectionStore(projectionDatabase), logger, metrics, now }),
    produces: [servedTopic],
    logger,
  });
  resources.defer(() => eventLog.close());
  observeEventLog(eventLog, metrics);

  const host = config.HOST;
  const admin = await serveAdmin({
    host,
    port: config.ADMIN_PORT,
    checks: { database: () => readStore.ping(), start: () => eventLog.checkStarted() },
    registry: metrics.registry,
    isDraining,
  });
  resources.defer(() => admin.close());
  const app = createApp({
    readStore,
    keyStore,
    keys: createPublicKeys(keyStore, createSecretBox(config.ENCRYPTION_KEYS), now),
    verifySession: createSessionVerifier(config.OWNER_SESSION_JWKS),
    logger,
    metrics,
  });
  const http = await serveHttp(app, {
    host,
    port: config.PORT,
    drainTimeoutMs: DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS,
    logger,
    refusalForm: 'detail',
  });
  resources.defer(() => http.close());
  return { port: http.port, admin_port: admin.port, version, config: describeConfig(environment, config) };
});
