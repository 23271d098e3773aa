import { createSessionSigner, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, createParkedEventStore, openEventLog } from '@blog-content/event-log';
import { sessionUrlOf } from '@blog-content/postgres';
import { openImageStorage } from '@blog-content/image-storage';
import { autopilotTopic, lifecycleTopic, projectsTopic, sessionsTopic } from '@blog-content/payload-schemas';
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
} from '@blog-content/service-runtime';
import { createUrlGuard } from '@blog-content/url-guard';
import { createAccountStore } from './accounts/account-store.ts';
import { createQuotaStore } from './quotas/quota-store.ts';
import { createSuspensionStore } from './tenants/suspension-store.ts';
import { createTenantStore } from './tenants/tenant-store.ts';
import { bootstrapAdministrator, startBootstrap } from './accounts/bootstrap-administrator.ts';
import { createInvitationStore } from './accounts/invitations/invitation-store.ts';
import { requireLiveSession } from './accounts/sessions/require-live-session.ts';
import { acceptedSessionKeys } from './accounts/sessions/session-keys.ts';
import { createSessionStore } from './accounts/sessions/session-store.ts';
import { createPasswordStore } from './accounts/sign-in/password-store.ts';
import { createPasswords } from './accounts/sign-in/passwords.ts';
import { createThrottle } from './accounts/sign-in/throttle-store.ts';
import { sweepAccounts } from './accounts/sweep-store.ts';
import { createAgentKeyStore } from './agents/agent-key-store.ts';
import { createAuthorStore } from './authors/author-store.ts';
import { createApp } from './app.ts';
import { createAutopilotStore } from './autopilot/autopilot-store.ts';
import { createDueAutopilotStore } from './autopilot/due-autopilot-store.ts';
import { startAutopilots } from './autopilot/fire-autopilots.ts';
import { hearJobEnd } from './autopilot/topic-end-store.ts';
import { createTopicStore } from './autopilot/topic-store.ts';
import { clearProject, clearProjects } from './blogs/clear-projects-store.ts';
import { createDeliveryOutcomeStore } from './blogs/publishing/delivery-outcome-store.ts';
import { createPublishCounters, createPublishStore } from './blogs/publishing/publish-store.ts';
import { createRevisionStore } from './blogs/revisions/revision-store.ts';
import { startSchedules } from './blogs/scheduling/fire-schedules.ts';
import { createScheduleStore } from './blogs/scheduling/schedule-store.ts';
import { createArchiveReader } from './blogs/transfer/archive/archive-reader.ts';
import { createExportPlaces } from './blogs/transfer/export/export-places.ts';
import { createExportStore } from './blogs/transfer/export/export-store.ts';
import { createPortableWriter } from './blogs/transfer/portable/portable-writer.ts';
import { createImportStore } from './blogs/transfer/import/import-store.ts';
import { startImportWorker } from './blogs/transfer/import/import-worker.ts';
import { createBacklinkStore } from './blogs/backlinks/backlink-store.ts';
import { createOutgoingLinkStore } from './blogs/links/outgoing-link-store.ts';
import { createSiblingStore } from './blogs/translations/sibling-store.ts';
import { createBlogStore } from './blogs/writing/blog-store.ts';
import type { Config } from './config.ts';
import { CONSUMER_GROUP, createTopicHandlers } from './consume.ts';
import { createBrandVoiceStore } from './brand-voice/brand-voice-store.ts';
import { createDataFieldStore } from './data-fields/data-field-store.ts';
import { createContentWork } from './content/content-work.ts';
import { countImportedFiles } from './count-work.ts';
import { startEmail } from './email/start-email.ts';
import { sweepEmails } from './email/sweep-store.ts';
import { findLinkSuggestions } from './link-suggestions/find-link-suggestions.ts';
import { createLinkTargetStore } from './link-suggestions/link-target-store.ts';
import { startGeneration } from './generation/start-generation.ts';
import { jobPictures } from './images/library/job-pictures.ts';
import { openImages } from './images/open-images.ts';
import { openDatabase, pingDatabase, type Database, type Transaction } from './platform/database/open-database.ts';
import { createDueWatch } from './platform/workload/due-watch-store.ts';
import { startWorkRunner } from './platform/workload/work-runner.ts';
import { createIdempotencyStore } from './platform/idempotency/idempotency-store.ts';
import { KEY_LIFE_MS } from './platform/idempotency/idempotent.ts';
import { createMemberInvitationStore } from './projects/member-invitation-store.ts';
import { createMemberStore } from './projects/member-store.ts';
import { createProjectEventStore } from './project-events/project-event-store.ts';
import { createProjectWatch } from './project-events/watch-projects.ts';
import type { ClearProject } from './projects/project-deletion-store.ts';
import { createProjectStore } from './projects/project-store.ts';

/** The share of the time for shutting down in which running answers to owners may end. */
const DRAIN_SHARE = 0.5;
/** How often what is no longer needed is swept. */
const SWEEP_INTERVAL_MS = 60_000;

export interface StartContext extends Pick<ServiceContext, 'resources' | 'logger' | 'isDraining'> {
  /** Of this service's package. */
  readonly version: string;
}

/** The running service. */
export interface RunningService {
  readonly port: number;
  readonly adminPort: number;
  /** Resolves once the event log has been reached. */
  readonly connected: Promise<void>;
  /** Resolves once there is the administrator whom the environment names. */
  readonly bootstrapped: Promise<void>;
}

/**
 * Wires the service and starts it. Whatever it acquires it defers the release of to `resources`, so that disposing of
 * them stops the service in the reverse order: it accepts no more requests and answers those that run, ends its rounds,
 * and closes its connections. Needs neither the database nor the event log to be there yet: requests are served with
 * the log away, and events wait in the outbox.
 */
export async function startService(
  config: Config,
  { version, resources, logger, isDraining }: StartContext,
): Promise<RunningService> {
  const tracing = await startTracing({
    service: 'content-service',
    version,
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  });
  resources.defer(() => tracing.stop());
  const metrics = createMetrics('content-service', version);
  const clock = () => new Date();
  const writes = watchWrites(logger, () => performance.now());
  const database = openDatabase(
    config.DATABASE_URL,
    config.DATABASE_POOL_SIZE,
    (error) => logger.warn('database.connection_lost', { error }),
    writes.note,
  );
  resources.defer(() => database.$disconnect());
  const dueWatch = createDueWatch(database, clock, config.WORK_POLL_MS, logger);
  resources.defer(() => dueWatch.stop());
  const imageStorage = await openImageStorage(config);
  resources.defer(() => imageStorage.close());
  warnOfOpenings(config, logger);
  const guard = createUrlGuard({
    allowHttp: config.FETCH_ALLOW_HTTP,
    allowedRanges: config.FETCH_ALLOWED_RANGES,
    refusedRanges: config.FETCH_REFUSED_RANGES,
  });
  const userAgent = `BlogContentService/${version}`;
  const clear: ClearProject = (projectId) => clearProject(database, projectId, clock());
  const projects = createProjectStore(database, clock, clear);
  const ownerOf = (projectId: string) => projects.ownerOf(projectId);
  const images = openImages({
    database,
    clock,
    imageStorage,
    logger,
    guard,
    userAgent,
    ownerOf,
    quota: { images: config.IMAGE_QUOTA_IMAGES, bytes: config.IMAGE_QUOTA_MIB * 1024 * 1024 },
    unusedMs: config.IMAGE_UNUSED_DAYS * 24 * 3_600_000,
    encoderMemoryMib: config.IMAGE_ENCODER_MEMORY_MIB,
    dueWatch,
  });
  resources.defer(() => images.close());
  const accounts = createAccountStore(database, clock);
  const passwords = createPasswords();
  const { BOOTSTRAP_OWNER_EMAIL: email, BOOTSTRAP_OWNER_PASSWORD: password } = config;
  const administrator = startBootstrap(() => bootstrapAdministrator({ accounts, passwords }, email, password), logger);
  resources.defer(() => administrator.stop());

  const emails = startEmail(resources, { settings: config, database, dueWatch, clock, logger, metrics });
  const parkedEvents = createParkedEventStore(sessionUrlOf(config));
  resources.defer(() => parkedEvents.close());
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, CONSUMER_GROUP), logger),
    outboxDatabaseUrl: sessionUrlOf(config),
    group: CONSUMER_GROUP,
    parkingDatabaseUrl: sessionUrlOf(config),
    handlers: createTopicHandlers(createDeliveryOutcomeStore(database, clock, emails)),
    produces: [lifecycleTopic, projectsTopic, sessionsTopic, autopilotTopic],
    logger,
    metrics: createEventLogCounters(metrics),
    unreachableAfterMs: config.EVENT_LOG_UNREACHABLE_AFTER_MS,
  });
  resources.defer(() => eventLog.close());
  observeEventLog(eventLog, metrics);

  const stopping = new AbortController();
  const contentWork = createContentWork(ownerOf, { stopping: stopping.signal });
  resources.defer(() => contentWork.close());
  const archives = createArchiveReader();
  resources.defer(() => archives.close());
  const portableWriter = createPortableWriter();
  resources.defer(() => portableWriter.close());
  const makingPublishes = {
    contentWork,
    imageBaseUrl: config.IMAGE_BASE_URL,
    counters: createPublishCounters(metrics),
  };
  const postStoresOn = (on: Database | Transaction) => ({
    authors: createAuthorStore(on, clock),
    blogs: createBlogStore(on, clock),
    publishing: createPublishStore(on, clock, makingPublishes),
  });
  const { authors, blogs, publishing } = postStoresOn(database);
  const imports = countImportedFiles(createImportStore(database, clock), metrics);
  const dataFields = createDataFieldStore(database, clock);
  const importing = {
    imports,
    authors,
    blogs,
    dataFields,
    publishing,
    contentWork,
    postStoresOn,
    images,
    clock,
    logger,
    imageBaseUrl: config.IMAGE_BASE_URL,
    dueWatch,
  };
  const importWorkers = [
    startImportWorker({ ...importing, hostImages: false }),
    startImportWorker({ ...importing, hostImages: true }),
  ];
  for (const worker of importWorkers) resources.defer(() => worker.stop());

  const linkTargets = createLinkTargetStore(database);
  const projectEvents = createProjectEventStore(database, clock);
  const agentKeys = createAgentKeyStore(database, clock);
  const brandVoices = createBrandVoiceStore(database, clock);
  const generation = startGeneration(resources, {
    brandVoices,
    projectEvents,
    agentKeys,
    database,
    dueWatch,
    blogs,
    contentWork,
    clock,
    logger,
    settings: config,
    onEnd: [(tx, end) => hearJobEnd(tx, end, clock(), emails.notifyOwners)],
    guard,
    userAgent,
    ...jobPictures(images, config.IMAGE_BASE_URL),
    suggestLinks: (projectId, html, limit, blogId) =>
      findLinkSuggestions({ linkTargets, contentWork }, { projectId, html, limit, blogId }),
  });

  const dueAutopilots = createDueAutopilotStore(
    database,
    clock,
    (tx, ...asked) => generation.storesOn(tx).refusePost(...asked),
    emails.notifyOwners,
  );
  const signer = createSessionSigner(config.OWNER_SESSION_PRIVATE_JWK);
  const sessions = createSessionStore(database, clock);
  const sessionJwks = acceptedSessionKeys(config);
  const verifySession = createSessionVerifier(JSON.stringify(sessionJwks));
  const schedules = createScheduleStore(database, clock);
  // What requests with an Idempotency-Key change, and read meanwhile: on the transaction that holds the key.
  const storesOn = (on: Database | Transaction) => ({
    ...postStoresOn(on),
    ...generation.storesOn(on),
    agentKeys: createAgentKeyStore(on, clock),
    autopilotTopics: createTopicStore(on, clock),
    imports: createImportStore(on, clock),
    invitations: createInvitationStore(on, clock, emails),
    memberInvitations: createMemberInvitationStore(on, clock, emails),
    outcomes: createDeliveryOutcomeStore(on, clock, emails),
    projects: createProjectStore(on, clock, clear),
    revisions: createRevisionStore(on, clock),
    backlinks: createBacklinkStore(on, clock),
    outgoingLinks: createOutgoingLinkStore(on),
    siblings: createSiblingStore(on, clock),
  });
  const idempotency = createIdempotencyStore(database, clock, storesOn);
  const app = createApp({
    accounts,
    suspensions: createSuspensionStore(database, clock),
    quotas: createQuotaStore(database, clock),
    tenants: createTenantStore(database, clock),
    parkedEvents,
    signer,
    sessionJwks,
    throttle: createThrottle(database, clock),
    passwords,
    passwordStore: createPasswordStore(database, clock, emails),
    emails,
    sessions,
    sessionTtlS: config.SESSION_TTL_S,
    requireSession: requireLiveSession(verifySession, sessions),
    members: createMemberStore(database, clock),
    contentWork,
    dataFields,
    brandVoices,
    linkTargets,
    schedules,
    archives,
    portableWriter,
    importWorker: { wake: () => importWorkers.forEach((worker) => worker.wake()) },
    exports: createExportStore(database),
    exportPlaces: createExportPlaces(() => performance.now()),
    ...generation,
    ...idempotency.stores,
    autopilots: createAutopilotStore(database, clock),
    projectWatch: createProjectWatch({ events: projectEvents, clock, logger, stopping: stopping.signal }),
    idempotency,
    clock,
    images,
    imageStorage,
    imageBaseUrl: config.IMAGE_BASE_URL,
    writesPerMinute: config.WRITES_PER_MINUTE,
    trustedProxyHops: config.TRUSTED_PROXY_HOPS,
    version,
    logger,
    metrics,
  });

  const { generationRunner } = generation;
  const looking = { dueWatch, stopping: stopping.signal, logger };
  const sweep = (name: string, deleteSome: () => Promise<number>) =>
    startWorkRunner({
      name,
      logger,
      stopping: stopping.signal,
      pollMs: SWEEP_INTERVAL_MS,
      claim: async () => ((await deleteSome()) > 0 ? {} : null),
    });
  const runners = [
    startSchedules({ ...looking, schedules, publishing, clock }),
    startAutopilots({ ...looking, autopilots: dueAutopilots, wake: generationRunner.wake }),
    sweep('idempotency.sweep', () => idempotency.deleteBefore(new Date(clock().getTime() - KEY_LIFE_MS))),
    sweep('account.sweep', () => sweepAccounts(database, clock())),
    sweep('project_event.sweep', () => projectEvents.sweep()),
    sweep('email.sweep', () => sweepEmails(database, clock())),
    sweep('image.sweep', () => images.sweep()),
    sweep('project.clear', () => clearProjects(database, clock())),
  ];
  resources.defer(async () => {
    stopping.abort();
    await Promise.all(runners.map((runner) => runner.stop()));
  });

  const host = config.HOST;
  const checks = {
    database: async () => writes.notePing(await pingDatabase(database)),
    administrator: () => administrator.check(),
    start: () => eventLog.checkStarted(),
  };
  const remarks = () => eventLogRemarks(eventLog);
  const admin = await serveAdmin({
    host,
    port: config.ADMIN_PORT,
    checks,
    partial: { writes: writes.check },
    remarks,
    metrics,
    isDraining,
  });
  resources.defer(() => admin.close());
  const drainTimeoutMs = DRAIN_SHARE * config.SHUTDOWN_TIMEOUT_MS;
  const lastRequestMs = config.LAST_REQUEST_MS;
  const http = await serveHttp(app, { host, port: config.PORT, drainTimeoutMs, lastRequestMs, logger });
  resources.defer(() => http.close());
  // Before the server waits for its answers to end: some would not, or not in time.
  resources.defer(() => {
    stopping.abort();
  });
  const { connected } = eventLog;
  return { port: http.port, adminPort: admin.port, connected, bootstrapped: administrator.done };
}

/** The address rules guard the network this service runs in: opening them is logged. */
function warnOfOpenings(config: Config, logger: Logger): void {
  if (config.FETCH_ALLOWED_RANGES.length === 0 && !config.FETCH_ALLOW_HTTP) return;
  logger.warn('fetch_rules.opened', {
    warning: 'NON-PUBLIC OR UNENCRYPTED URLS MAY BE FETCHED. For development and tests only.',
    allowed_ranges: config.FETCH_ALLOWED_RANGES,
    allow_http: config.FETCH_ALLOW_HTTP,
  });
}
