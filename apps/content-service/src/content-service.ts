import { createSessionSigner, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, openEventLog } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic, sessionsTopic } from '@blog-content/payload-schemas';
import {
  createEventLogCounters,
  eventLogConfigFrom,
  eventLogRemarks,
  observeEventLog,
  repeat,
  type Logger,
  type Metrics,
} from '@blog-content/service-runtime';
import type { Express } from 'express';
import { createAgentKeyStore } from './agents/agent-key-store.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { bootstrapAdministrator } from './accounts/bootstrap-administrator.ts';
import { createInvitationStore } from './accounts/invitations/invitation-store.ts';
import { createPasswordStore } from './accounts/sign-in/password-store.ts';
import { createPasswords } from './accounts/sign-in/passwords.ts';
import { requireLiveSession } from './accounts/sessions/require-live-session.ts';
import { createSessionStore } from './accounts/sessions/session-store.ts';
import { sweepAccounts } from './accounts/sweep-store.ts';
import { createThrottle } from './accounts/sign-in/throttle-store.ts';
import { createApp } from './app.ts';
import { createBlogStore } from './blogs/writing/blog-store.ts';
import type { Config } from './config.ts';
import { CONSUMER_GROUP, createTopicHandlers } from './consume.ts';
import { createContentWork } from './content/content-work.ts';
import { countImportedFiles, countPublishes } from './count-work.ts';
import { createIdempotencyStore } from './platform/idempotency/idempotency-store.ts';
import { REMEMBERED_MS } from './platform/idempotency/idempotent.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { clearProject, clearProjects } from './blogs/clear-projects-store.ts';
import { createMemberInvitationStore } from './projects/member-invitation-store.ts';
import { createMemberStore } from './projects/member-store.ts';
import { createProjectStore } from './projects/project-store.ts';
import { createDeliveryOutcomeStore } from './blogs/publishing/delivery-outcome-store.ts';
import { createPublishStore } from './blogs/publishing/publish-store.ts';
import { createRevisionStore } from './blogs/revisions/revision-store.ts';
import { fireSchedules } from './blogs/scheduling/fire-schedules.ts';
import { createScheduleStore } from './blogs/scheduling/schedule-store.ts';
import { createArchiveReader } from './blogs/transfer/archive/archive-reader.ts';
import { createExportStore } from './blogs/transfer/export/export-store.ts';
import { createImportStore } from './blogs/transfer/import/import-store.ts';
import { startImportWorker } from './blogs/transfer/import/import-worker.ts';

/** How often what is no longer needed is swept. */
const SWEEP_INTERVAL_MS = 60_000;

/** The service but for its listening. */
export interface ContentService {
  readonly app: Express;
  /** For readiness; each rejects while its part does not work. */
  readonly checks: Readonly<Record<'database' | 'start', () => Promise<void>>>;
  /** What `/readyz` tells people besides. */
  readonly remarks: () => Readonly<Record<string, string>>;
  /** Takes in no more events, publishes what is on its way, and lets go of everything. */
  stop(): Promise<void>;
}

/** Wires the service. Requests are served with the event log away: what must be told waits in the outbox. */
export async function startContentService(
  config: Config,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): Promise<ContentService> {
  await using resources = new AsyncDisposableStack();
  const database = openDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE, (error) =>
    logger.warn('database.connection_lost', { error }),
  );
  resources.defer(() => database.$disconnect());
  const clock = () => new Date();
  const accounts = createAccountStore(database, clock);
  const passwords = createPasswords();
  await bootstrapAdministrator({ accounts, passwords }, config.BOOTSTRAP_OWNER_EMAIL, config.BOOTSTRAP_OWNER_PASSWORD);

  const outcomes = createDeliveryOutcomeStore(database);
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, CONSUMER_GROUP), logger),
    outboxDatabaseUrl: config.DATABASE_URL,
    group: CONSUMER_GROUP,
    handlers: createTopicHandlers(outcomes),
    produces: [lifecycleTopic, projectsTopic, sessionsTopic],
    logger,
    metrics: createEventLogCounters(metrics),
    unreachableAfterMs: config.EVENT_LOG_UNREACHABLE_AFTER_MS,
  });
  resources.defer(() => eventLog.close());
  observeEventLog(eventLog, metrics);

  const signer = createSessionSigner(config.OWNER_SESSION_PRIVATE_JWK);
  const verifySession = createSessionVerifier(JSON.stringify(signer.publicJwks()));
  const sessions = createSessionStore(database, clock);
  const projects = createProjectStore(database, clock, (projectId) => clearProject(database, projectId, clock()));
  const contentWork = createContentWork((projectId) => projects.ownerOf(projectId));
  resources.defer(() => contentWork.close());
  const publishing = countPublishes(createPublishStore(database, clock, contentWork), metrics);
  const schedules = createScheduleStore(database);
  const idempotency = createIdempotencyStore(database, clock);
  const blogs = createBlogStore(database, clock);
  const imports = countImportedFiles(createImportStore(database, clock), metrics);
  const archives = createArchiveReader();
  resources.defer(() => archives.close());
  const pollMs = config.IMPORT_POLL_MS;
  const importWorker = startImportWorker({ imports, blogs, contentWork, publishing, clock, logger, pollMs });
  resources.defer(() => importWorker.stop());
  const app = createApp({
    accounts,
    signer,
    throttle: createThrottle(database),
    passwords,
    passwordStore: createPasswordStore(database, clock),
    sessions,
    invitations: createInvitationStore(database, clock),
    sessionTtlS: config.SESSION_TTL_S,
    requireSession: requireLiveSession(verifySession, sessions),
    projects,
    members: createMemberStore(database, clock),
    memberInvitations: createMemberInvitationStore(database, clock),
    agentKeys: createAgentKeyStore(database, clock),
    blogs,
    contentWork,
    revisions: createRevisionStore(database, clock),
    publishing,
    schedules,
    outcomes,
    archives,
    imports,
    importWorker,
    exports: createExportStore(database),
    idempotency,
    clock,
    writesPerMinute: config.WRITES_PER_MINUTE,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    logger,
    metrics,
  });

  let isStopping = false;
  const fire = () => fireSchedules({ schedules, publishing, contentWork, clock, logger, isStopping: () => isStopping });
  const firing = repeat('schedule.round', config.SCHEDULE_POLL_MS, fire, logger);
  const sweep = async () => {
    const before = new Date(clock().getTime() - REMEMBERED_MS);
    while (!isStopping && (await idempotency.forgetBefore(before)) > 0);
    while (!isStopping && (await sweepAccounts(database, clock())) > 0);
  };
  const sweeping = repeat('content.sweep', SWEEP_INTERVAL_MS, sweep, logger);
  const clear = async () => {
    while (!isStopping && (await clearProjects(database, clock())) > 0);
  };
  const clearing = repeat('project.clear', SWEEP_INTERVAL_MS, clear, logger);
  resources.defer(async () => {
    isStopping = true;
    await Promise.all([firing.stop(), sweeping.stop(), clearing.stop()]);
  });
  const kept = resources.move();
  return {
    app,
    checks: {
      database: async () => {
        await database.$queryRaw`SELECT 1`;
      },
      start: () => eventLog.checkStarted(),
    },
    remarks: () => eventLogRemarks(eventLog),
    stop: () => kept.disposeAsync(),
  };
}
