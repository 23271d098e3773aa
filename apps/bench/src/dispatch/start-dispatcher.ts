import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createSessionSigner } from '@blog-content/credentials';
import { migrateDatabase } from '@blog-content/database-migrations';
import { openEventLog, toEnvelope, type EventLog, type EventLogConfig } from '@blog-content/event-log';
import { startKafka, startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, prismaFolderOf, type LocalSettings } from '@blog-content/local-services';
import { lifecycleTopic, projectsTopic, servedTopic } from '@blog-content/payload-schemas';
import pg from 'pg';
import { startChild, type Child } from '../processes/child.ts';
import { startOnServerCore, type Cores } from '../processes/cores.ts';
import { freshDatabase } from '../processes/databases.ts';
import { startService, type RunningService } from '../processes/start-service.ts';
import type { Arrival, ReceiversQuestion } from './receivers.ts';
import { quietLogger } from '../processes/quiet-logger.ts';

const OWNER = randomUUID();
const KNOWN_TIMEOUT_MS = 20_000;
/** What every integration of the bench signs with. */
export const SECRET = 'bench-secret-0123456789';

/**
 * webhook-dispatcher with its PostgreSQL on the server's core; receivers, and the event log with its own server, on the
 * other.
 */
export interface DispatchSetUp {
  readonly eventLog: EventLog;
  readonly eventLogConfig: EventLogConfig;
  /** Either `EVENT_LOG_DATABASE_URL` or `KAFKA_BROKERS`. */
  readonly eventLogEnvironment: Readonly<Record<string, string>>;
  readonly settings: LocalSettings;
  readonly databaseUrl: (database: string) => string;
  readonly dispatcherDatabase: pg.Client;
  dispatcher: RunningService;
  /** Starts the dispatcher again once it has been killed. */
  startAgain(): Promise<void>;
  /** Makes a project with an integration at each of so many new receivers. */
  addProject(receivers: number): Promise<BenchProject>;
  /** Makes a project of this account with a deploy hook at a new receiver. */
  addSite(accountId: string): Promise<BenchProject>;
  askReceivers<Answer>(question: ReceiversQuestion): Promise<Answer>;
  /** Waits until so many requests have arrived since they were last forgotten; gives them. */
  arrivals(count: number, timeoutMs: number): Promise<Arrival[]>;
  /** Waits until no delivery is pending or in flight; gives how many ended how. */
  allEnded(timeoutMs: number): Promise<Readonly<Record<string, number>>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface BenchProject {
  readonly id: string;
  readonly urls: readonly string[];
  /** Index of its first receiver. */
  readonly firstReceiver: number;
}

export async function startDispatchSetUp(options: {
  readonly cores: Cores | null;
  readonly folder: string;
  readonly eventLog: 'postgres' | 'kafka';
  /** As for `startPostgres`. */
  readonly installed: boolean;
  /** Settings of the dispatcher that are not as they are deployed. */
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<DispatchSetUp> {
  const { cores, folder } = options;
  await using undo = new AsyncDisposableStack();
  const startServer = () =>
    startPostgres({
      dataDir: join(folder, `postgres-${randomUUID()}`),
      databaseUrl: '',
      installed: options.installed,
      settings: { shared_buffers: '256MB', max_wal_size: '2GB', track_activity_query_size: '16kB' },
      disposable: true,
    });
  const postgres = await startOnServerCore(cores, startServer);
  undo.defer(() => postgres.stop());
  const eventLogPostgres = options.eventLog === 'postgres' ? await startServer() : null;
  if (eventLogPostgres) undo.defer(() => eventLogPostgres.stop());
  const kafka =
    options.eventLog === 'kafka' ? await startKafka({ dataDir: join(folder, 'kafka'), disposable: true }) : null;
  if (kafka) undo.defer(() => kafka.stop());
  const fresh = (server: RunningPostgres, name: string) =>
    freshDatabase(server.url('postgres'), name, (database) => server.url(database));
  const databaseUrl = await fresh(postgres, 'dispatcher');
  const eventLogUrl = eventLogPostgres ? await fresh(eventLogPostgres, 'events') : '';
  await migrateDatabase({ databaseUrl, prismaFolder: prismaFolderOf('webhook-dispatcher') });
  const eventLogConfig: EventLogConfig = kafka
    ? { kind: 'kafka', brokers: kafka.brokers, clientId: 'bench' }
    : { kind: 'postgres', databaseUrl: eventLogUrl };
  const eventLogEnvironment: Record<string, string> = kafka
    ? { KAFKA_BROKERS: kafka.brokers.join(',') }
    : { EVENT_LOG_DATABASE_URL: eventLogUrl };
  const eventLog = await openEventLog(eventLogConfig, quietLogger);
  undo.defer(() => eventLog.close());
  await eventLog.ensureTopics([projectsTopic, lifecycleTopic, servedTopic]);
  const settings = await createLocalSettings();
  const receivers: Child = startChild(import.meta.resolve('./receivers.main.ts'), cores?.load);
  undo.defer(() => receivers.stop());
  const start = () =>
    startService('webhook-dispatcher', {
      environment: {
        DATABASE_URL: databaseUrl,
        ...eventLogEnvironment,
        OWNER_SESSION_JWKS: settings.ownerSessionJwks,
        ENCRYPTION_KEYS: settings.encryptionKeys,
        RECEIVER_ALLOWED_RANGES: '127.0.0.0/8',
        RECEIVER_ALLOW_HTTP: 'true',
        ...options.environment,
      },
      core: cores?.server,
      logFile: join(folder, 'webhook-dispatcher.log'),
    });
  let dispatcher = await start();
  undo.defer(() => dispatcher.stop());
  const dispatcherDatabase = new pg.Client({ connectionString: databaseUrl });
  await dispatcherDatabase.connect();
  undo.defer(() => dispatcherDatabase.end());
  const signer = createSessionSigner(settings.ownerSessionPrivateJwk);
  const tokenOf = async (accountId: string) =>
    (await signer.issue({ accountId, email: settings.ownerEmail, sessionId: randomUUID() }, 3_600)).token;
  const token = await tokenOf(OWNER);
  const askReceivers = <Answer>(question: ReceiversQuestion) => receivers.ask<Answer>(question);
  let opened = 0;
  const openProject = async (count: number, accountId: string): Promise<BenchProject> => {
    const id = randomUUID();
    const urls = await askReceivers<string[]>({ kind: 'open', count });
    const firstReceiver = opened;
    opened += count;
    await eventLog.append([projectSaved(id, accountId)]);
    return { id, urls, firstReceiver };
  };
  const resources = undo.move();

  return {
    eventLog,
    eventLogConfig,
    eventLogEnvironment,
    settings,
    databaseUrl: (database) => postgres.url(database),
    dispatcherDatabase,
    get dispatcher() {
      return dispatcher;
    },
    async startAgain() {
      dispatcher = await start();
    },
    askReceivers,
    async addProject(count) {
      const project = await openProject(count, OWNER);
      const to = { dispatcher, token, projectId: project.id };
      for (const url of project.urls) {
        await save({ ...to, method: 'POST', path: 'webhooks', body: { name: 'Bench', url, secret: SECRET } });
      }
      return project;
    },
    async addSite(accountId) {
      const project = await openProject(1, accountId);
      const to = { dispatcher, token: await tokenOf(accountId), projectId: project.id };
      await save({ ...to, method: 'PUT', path: 'deploy-hook', body: { url: project.urls[0] } });
      return project;
    },
    async arrivals(count, timeoutMs) {
      for (const deadline = Date.now() + timeoutMs; ; await pause(20)) {
        const arrived = await askReceivers<number>({ kind: 'count' });
        if (arrived >= count) return askReceivers<Arrival[]>({ kind: 'arrivals' });
        if (Date.now() > deadline) throw new Error(`${arrived} of ${count} requests arrived in ${timeoutMs} ms.`);
      }
    },
    async allEnded(timeoutMs) {
      for (const deadline = Date.now() + timeoutMs; ; await pause(200)) {
        const { rows } = await dispatcherDatabase.query<{ status: string; count: number }>(
          'SELECT status, count(*)::int AS count FROM delivery GROUP BY status',
        );
        const byStatus = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
        if (!byStatus['pending'] && !byStatus['in_flight']) return byStatus;
        if (Date.now() > deadline) throw new Error(`Deliveries have not ended: ${JSON.stringify(byStatus)}`);
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function projectSaved(id: string, accountId: string) {
  return toEnvelope(
    projectsTopic,
    {
      event: 'project.saved',
      project_id: id,
      project_event_number: 1,
      name: 'Bench',
      site_url: 'https://site.example',
      members: [{ account_id: accountId, role: 'owner' }],
    },
    { source: '/bench' },
  );
}

/** Asks until the service knows of the project: it is told through the log. */
async function save(to: {
  readonly dispatcher: RunningService;
  readonly token: string;
  readonly projectId: string;
  readonly method: string;
  readonly path: string;
  readonly body: object;
}): Promise<void> {
  for (const deadline = Date.now() + KNOWN_TIMEOUT_MS; ; await pause(50)) {
    const answer = await fetch(
      `http://127.0.0.1:${to.dispatcher.port}/blog/api/v1/owner/projects/${to.projectId}/${to.path}`,
      {
        method: to.method,
        headers: { authorization: `Bearer ${to.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(to.body),
      },
    );
    if (answer.ok) return;
    if (answer.status !== 404 || Date.now() > deadline) {
      throw new Error(`${to.path} was not made: ${answer.status} ${await answer.text()}`);
    }
  }
}
