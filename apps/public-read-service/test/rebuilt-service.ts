import { openEventLog, toEnvelope, type EventLog, type Subscription } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic, type LifecycleEvent, type ProjectEvent } from '@blog-content/payload-schemas';
import { createMetrics } from '@blog-content/service-runtime';
import { compileCache, createEmptyDatabase } from '@blog-content/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { CONSUMER_GROUP, createProjectionMetrics, topicHandlers } from '../src/consume.ts';
import { rebuildReadModel, type RebuildOptions, type RebuildResult } from '../src/rebuild/rebuild-read-model.ts';
import { logger, startTestService, type TestService } from './test-service.ts';

/** A running service with an event log of its own, whose read model can be rebuilt. */
export interface RebuiltService extends AsyncDisposable {
  readonly service: TestService;
  readonly eventLog: EventLog;
  readonly eventLogUrl: string;
  /** Connections to the service's database. */
  readonly pool: Pool;
  /** Puts events into the log, in this order. */
  append(...events: (LifecycleEvent | ProjectEvent)[]): Promise<void>;
  /** Starts the service's consumer, which handles small batches so that there are many. */
  consume(): Promise<Subscription>;
  /** Resolves when the consumer has handled everything in the log. */
  untilConsumed(): Promise<boolean>;
  rebuild(options?: Partial<RebuildOptions>): Promise<RebuildResult>;
  /** Runs `npm run rebuild-read-model` without npm. */
  startCommand(): RebuildCommand;
  /** Blog id and event number of each event that was announced as served, sorted, repeats included. */
  announced(): string[];
  /** Holds the tables of the read model, as a dump does, until what it resolves to is called. */
  holdTables(): Promise<() => Promise<void>>;
  /** Names of the read model's tables, those of a next generation included. */
  tables(): Promise<string[]>;
}

/** The command as a process. */
export interface RebuildCommand {
  /** What it has written to standard output and standard error so far. */
  output(): string;
  /** Kills it immediately. */
  kill(): Promise<void>;
  /** Its exit status. */
  readonly ended: Promise<number | null>;
}

/** Starts everything on databases of its own. */
export async function startRebuiltService(): Promise<RebuiltService> {
  await using started = new AsyncDisposableStack();
  const service = started.use(await startTestService());
  const eventLogDatabase = await createEmptyDatabase();
  started.defer(() => eventLogDatabase.drop());
  const eventLogUrl = eventLogDatabase.url;
  const eventLog = await openEventLog({ kind: 'postgres', databaseUrl: eventLogUrl }, logger);
  started.defer(() => eventLog.close());
  await eventLog.ensureTopics([lifecycleTopic, projectsTopic]);
  const pool = new Pool({ connectionString: service.databaseUrl });
  started.defer(() => pool.end());
  const now = () => new Date();
  const { projection, revokedSessions, waitForReplicas } = service;
  const handlers = topicHandlers({
    projection,
    revokedSessions,
    logger,
    metrics: createProjectionMetrics(createMetrics('consumer')),
    now,
    waitForReplicas,
    announce: (events) => Promise.resolve(void service.announced.push(...events)),
  });

  const resources = started.move();
  return {
    service,
    eventLog,
    eventLogUrl,
    pool,
    append: (...events) =>
      eventLog.append(
        events.map((event) =>
          event.event === 'project.saved' || event.event === 'project.deleted'
            ? toEnvelope(projectsTopic, event, { source: '/content-service' })
            : toEnvelope(lifecycleTopic, event, { source: '/content-service' }),
        ),
      ),
    consume: () =>
      eventLog.subscribe({
        group: CONSUMER_GROUP,
        handlers: handlers.map((handler) => ({ ...handler, batchSize: 5 })),
        logger,
      }),
    async untilConsumed() {
      const lags = await eventLog.lag(CONSUMER_GROUP, [lifecycleTopic, projectsTopic]);
      return lags.every(({ messages }) => messages === 0);
    },
    rebuild: (options = {}) =>
      rebuildReadModel({
        ...{ databaseUrl: service.databaseUrl, eventLog, logger, now, monotonicMs: () => performance.now() },
        ...options,
      }),
    startCommand() {
      const child = spawn(
        process.execPath,
        ['--conditions=@blog-content/source', join(import.meta.dirname, '../src/rebuild.ts')],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...compileCache, DATABASE_URL: service.databaseUrl, EVENT_LOG_DATABASE_URL: eventLogUrl },
        },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      }
      const ended = once(child, 'close').then(([code]) => code as number | null);
      resources.defer(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      return {
        output: () => output,
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
        ended,
      };
    },
    announced: () => service.announced.map(({ data }) => `${data.blog_id} ${data.blog_event_number}`).sort(),
    async holdTables() {
      const client = new Client({ connectionString: service.databaseUrl });
      await client.connect();
      await client.query('BEGIN');
      await client.query('LOCK TABLE published_blog IN ACCESS SHARE MODE');
      return () => client.end();
    },
    async tables() {
      const { rows } = await pool.query<{ relname: string }>(
        `SELECT relname FROM pg_class
         WHERE relkind = 'r' AND relname ~ '^(project|project_member|published_blog|blog_position|blog_alias)'
         ORDER BY relname`,
      );
      return rows.map(({ relname }) => relname);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
