import { createSecretBox, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, createParkedEventStore, openEventLog } from '@blog-content/event-log';
import { openImageStorage } from '@blog-content/image-storage';
import { sessionUrlOf } from '@blog-content/postgres';
import { servedTopic } from '@blog-content/payload-schemas';
import {
  createEventLogCounters,
  createMetrics,
  createRequestObserver,
  eventLogConfigFrom,
  eventLogRemarks,
  observeEventLog,
  serveAdmin,
  serveHttp,
  startTracing,
  watchWrites,
  type ServiceContext,
  createRevokedSessionStore,
} from '@blog-content/service-runtime';
import { createApp } from './app.ts';
import { createReadCache } from './cache/read-cache.ts';
import type { Config } from './config.ts';
import { CONSUMER_GROUP, createProjectionMetrics, topicHandlers } from './consume.ts';
import { openPools } from './database/open-database.ts';
import { pingDatabase } from './database/ping-database.ts';
import { createCors } from './http/cors.ts';
import { createLargeAnswers } from './http/large-answers.ts';
import { createReaders } from './http/readers.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { IMAGE_READERS } from './images/image-files.ts';
import { createKeyUsageStore } from './keys/key-usage-store.ts';
import { createPublicKeyStore } from './keys/public-key-store.ts';
import { createPublicKeys } from './keys/public-keys.ts';
import { startDeletingOldUsage } from './keys/delete-old-usage.ts';
import { startUsageCounter } from './keys/usage-counter.ts';
import { usageDay } from './keys/usage-days.ts';
import { createTenantRequestsStore } from './operator/tenant-requests-store.ts';
import { createChangeLogStore } from './projection/change-log-store.ts';
import { startKeepingChangeLogs } from './projection/keep-change-log.ts';
import { createProjectionStore, type CommittedChange } from './projection/projection-store.ts';
import { createAnswerRequest } from './public-api/answer-request.ts';
import { createFindAccount } from './images/find-account.ts';
import { createFindProject } from './public-api/find-project.ts';
import { createPublicReadStore } from './queries/public-read-store.ts';
import { startReplicaLease } from './replicas/replica-lease.ts';
import { createReplicaBarrier } from './replicas/wait-for-replicas.ts';

/** A metric has no more projects as labels. */
const MAX_MEASURED_PROJECTS = 20;
const SERVICE = 'public-read-service';
const MIB = 1_048_576;
/** The share of the time for stopping in which running answers may end. */
const DRAIN_SHARE = 0.4;

export interface StartContext extends Pick<ServiceContext, 'resources' | 'logger' | 'isDraining'> {
  /** Of this service's package. */
  readonly version: string;
  /** The time of day, in milliseconds since 1970: requests read it, and make no `Date` of it. */
  readonly nowMs: () => number;
}

/** A service that runs, with the parts that tests look at. */
export type StartedService = Awaited<ReturnType<typeof startService>>;

/**
 * Wires the service and starts it. It defers the release of all that it acquires to `resources`: disposing of them
 * stops the service in the reverse order. Until there is a lease every request asks the database; readers need no event
 * log.
 */
export async function startService(config: Config, { version, nowMs, resources, logger, isDraining }: StartContext) {
  const monotonicMs = performance.now.bind(performance);
  const now = () => new Date(nowMs());
  const tracing = await startTracing({ service: SERVICE, version, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics(SERVICE, version);

  const sessionUrl = sessionUrlOf(config);
  const writes = watchWrites(logger, monotonicMs);
  const { ownerDatabase, readPool, pagePool, projectionPool } = openPools(
    { databaseUrl: config.DATABASE_URL, sessionUrl },
    config.DATABASE_POOL_SIZE,
    (error) => logger.warn('database.connection_lost', { error }),
    writes.note,
  );
  resources.defer(() => ownerDatabase.$disconnect());
  for (const pool of [readPool, pagePool, projectionPool]) resources.defer(() => pool.end());

  const cache = createReadCache(config.READ_CACHE_MB * MIB, monotonicMs, nowMs);
  const replicas = createReplicaBarrier(projectionPool, monotonicMs);
  const lease = startReplicaLease({
    databaseUrl: sessionUrl,
    cache,
    onSeen: (replicaId, epoch) => replicas.noteSeen(replicaId, epoch),
    logger,
    monotonicMs,
    nowMs,
  });
  resources.defer(() => lease.close());
  /** Resolves when no replica, this one included, answers from before a change of the projection. */
  const waitForReplicas = ({ epoch, changedProjects }: CommittedChange): Promise<void> => {
    if (changedProjects !== null) lease.noteCommitted({ epoch, projectIds: changedProjects });
    return replicas.wait(epoch);
  };

  const usageStore = createKeyUsageStore(readPool);
  const usage = startUsageCounter({ store: usageStore, logger, now });
  resources.defer(() => usage.stop());
  metrics.reading('public_read_usage', () => usageStore.busiest(usageDay(now()), MAX_MEASURED_PROJECTS), {
    public_read_project_requests: {
      help: 'Requests of today (UTC), of the projects with the most.',
      label: 'project_id',
      value: (requests) => requests,
    },
  });
  const usageSweep = startDeletingOldUsage({ store: usageStore, logger, now });
  resources.defer(() => usageSweep.stop());

  const projection = createProjectionStore(projectionPool);
  const changeLog = createChangeLogStore(projectionPool);
  const changeLogs = startKeepingChangeLogs({ store: changeLog, logger, now });
  resources.defer(() => changeLogs.stop());
  const revokedSessions = createRevokedSessionStore(ownerDatabase);
  const projectionMetrics = createProjectionMetrics(metrics);
  const parkedEvents = createParkedEventStore(sessionUrl);
  resources.defer(() => parkedEvents.close());
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, SERVICE), logger),
    group: CONSUMER_GROUP,
    parkingDatabaseUrl: sessionUrl,
    handlers: ({ append: announce }) =>
      topicHandlers({
        projection,
        revokedSessions,
        logger,
        metrics: projectionMetrics,
        now,
        waitForReplicas,
        announce,
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
    checks: {
      database: async () => writes.notePing(await pingDatabase(readPool)),
      start: () => eventLog.checkStarted(),
    },
    partial: { writes: writes.check },
    remarks: () => eventLogRemarks(eventLog),
    metrics,
    isDraining,
  });
  resources.defer(() => admin.close());

  const imageStorage = await openImageStorage(config);
  resources.defer(() => imageStorage.close());
  const observe = createRequestObserver({ logger, metrics });
  const store = createPublicReadStore(readPool, pagePool);
  const findProject = createFindProject(store);
  const rateLimit = createRateLimit(config.RATE_LIMIT_PER_MINUTE);
  const largeAnswers = createLargeAnswers(monotonicMs);
  const keyStore = createPublicKeyStore(ownerDatabase);
  const keys = createPublicKeys({ store: keyStore, replicas, secretBox: createSecretBox(config.ENCRYPTION_KEYS), now });
  const app = createApp({
    publicApi: {
      answerRequest: createAnswerRequest({
        store,
        connections: config.DATABASE_POOL_SIZE,
        findProject,
        cache,
        rateLimit,
        nowMs,
      }),
      store,
      largeAnswers,
      cache,
      rateLimit,
      cors: createCors(config.CORS_ORIGINS),
      countUse: usage.count,
      observe,
      nowMs,
    },
    images: {
      storage: imageStorage,
      findAccount: createFindAccount(store, monotonicMs),
      observe,
      bytesPerS: config.IMAGE_MB_PER_S * MIB,
      monotonicMs,
      readers: createReaders(IMAGE_READERS, monotonicMs),
    },
    keyStore,
    keys,
    usageStore,
    tenantRequests: createTenantRequestsStore(readPool),
    parkedEvents,
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

  return {
    port: http.port,
    adminPort: admin.port,
    metrics,
    eventLog,
    cache,
    lease,
    largeAnswers,
    replicas,
    waitForReplicas,
    projection,
    changeLog,
    revokedSessions,
    keys,
    usage,
    usageStore,
    imageStorage,
  };
}
