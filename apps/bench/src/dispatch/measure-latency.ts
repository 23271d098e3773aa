import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { migrateDatabase } from '@blog-content/database-migrations';
import { onTopic, type EventLog } from '@blog-content/event-log';
import { startPostgres } from '@blog-content/local-infrastructure';
import { prismaFolderOf } from '@blog-content/local-services';
import { servedTopic } from '@blog-content/payload-schemas';
import type pg from 'pg';
import { percentile } from '../percentiles.ts';
import type { Cores } from '../processes/cores.ts';
import { freshDatabase, queryOnce } from '../processes/databases.ts';
import { reuseWal } from '../processes/reuse-wal.ts';
import { row, tableHead } from '../publish/table.ts';
import { CACHE_MB } from '../read/bench-context.ts';
import { startPublisher } from '../read/publisher.ts';
import { verdict } from '../read/ratio-table.ts';
import { startReadService } from '../read/start-read-service.ts';
import { quietLogger } from '../processes/quiet-logger.ts';
import { atRate } from './at-rate.ts';
import { makePosts } from './posts.ts';
import type { DispatchSetUp } from './start-dispatcher.ts';

const RATE = 20;
const EVENTS = 400;
/** As many as it takes until programs run compiled, Kafka’s included. */
const WARM_UP_EVENTS = 600;
const NEED = { postgres: { p50Ms: 20, p99Ms: 60 }, kafka: { p50Ms: 25, p99Ms: 60 } };
const TIMEOUT_MS = 30_000;

/**
 * From the commit of a lifecycle event to the first byte at the receiver, with all that is between them: outbox, relay,
 * event log, the read service’s word, the claim. The read service and a stand-in for content-service, with a PostgreSQL
 * of their own, are on the load's core.
 */
export async function measureLatency(
  setUp: DispatchSetUp,
  {
    cores,
    folder,
    eventLog,
    installed,
  }: { cores: Cores | null; folder: string; eventLog: 'postgres' | 'kafka'; installed: boolean },
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres({
    dataDir: join(folder, `postgres-${randomUUID()}`),
    databaseUrl: '',
    installed,
    disposable: true,
  });
  resources.defer(() => postgres.stop());
  const fresh = (name: string) => freshDatabase(postgres.url('postgres'), name, (database) => postgres.url(database));
  const readModelUrl = await fresh('read_model');
  await migrateDatabase({ databaseUrl: readModelUrl, prismaFolder: prismaFolderOf('public-read-service') });
  const publisher = await startPublisher(await fresh('publisher'), setUp.eventLogConfig);
  resources.defer(() => publisher.stop());
  const readService = await startReadService({
    databaseUrl: readModelUrl,
    eventLog: setUp.eventLogEnvironment,
    settings: setUp.settings,
    cacheMb: CACHE_MB,
    core: cores?.load,
    logFile: join(folder, 'public-read-service.log'),
  });
  resources.defer(() => readService.stop());

  const eventLogUrl = setUp.eventLogEnvironment['EVENT_LOG_DATABASE_URL'];
  for (const url of [postgres.url('postgres'), setUp.databaseUrl('postgres'), eventLogUrl]) {
    if (url !== undefined) await reuseWal(url);
  }
  const project = await setUp.addProject(1);
  await setUp.askReceivers({ kind: 'forget' });
  const posts = makePosts(WARM_UP_EVENTS + EVENTS, { id: project.id, trigger: 'manual' });
  const committed = await atRate(RATE, posts, async ({ event, envelope }) => {
    const { committedAt } = await publisher.emit(envelope);
    return { blogId: event.blog_id, committedAt };
  });
  const arrivals = await setUp.arrivals(posts.length, TIMEOUT_MS);
  const arrivedAt = new Map(arrivals.map(({ blogId, at }) => [blogId, at]));
  const latencies = committed
    .slice(WARM_UP_EVENTS)
    .map(({ blogId, committedAt }) => (arrivedAt.get(blogId) ?? Number.NaN) - committedAt);
  const { rows } = await setUp.dispatcherDatabase.query<{ waited: number }>(
    `SELECT count(*)::int AS waited FROM delivery d JOIN delivery_attempt a ON a.delivery_id = d.id AND a.number = 1
     WHERE d.project_id = $1 AND a.started_at > d.created_at + interval '1900 milliseconds'`,
    [project.id],
  );

  const stages = await stagesOf({
    publisherUrl: postgres.url('publisher'),
    eventLogUrl,
    eventLog: setUp.eventLog,
    dispatcherDatabase: setUp.dispatcherDatabase,
    projectId: project.id,
  });

  const { p50Ms, p99Ms } = NEED[eventLog];
  const isMet = percentile(latencies, 50) <= p50Ms && percentile(latencies, 99) <= p99Ms;
  console.log(`\n${RATE} events/s to one receiver, event log: ${eventLog === 'kafka' ? 'Apache Kafka' : 'PostgreSQL'}`);
  console.log(tableHead);
  const need = `need p50 ≤ ${p50Ms}, p99 ≤ ${p99Ms}`;
  console.log(`${row('event committed → first byte at the receiver', latencies)}  ${need}  ${verdict(isMet)}`);
  const measured = committed.slice(WARM_UP_EVENTS);
  let previous = 'committedAt' as keyof Stages;
  for (const [name, stage] of STAGES) {
    const took = measured.map(({ blogId, committedAt }) => {
      const at = { ...stages.get(blogId), committedAt, arrivedAt: arrivedAt.get(blogId) } as Partial<Stages>;
      return (at[stage] ?? Number.NaN) - (at[previous] ?? Number.NaN);
    });
    console.log(row(`  ${name}`, took));
    previous = stage;
  }
  if (rows[0]?.waited !== 0) console.log(`! ${rows[0]?.waited} deliveries never got the read service’s word.`);
}

/** Moments of one event on its way, in milliseconds since the epoch by one machine’s clock. */
interface Stages {
  readonly committedAt: number;
  readonly loggedAt: number;
  readonly servedAt: number;
  readonly attemptedAt: number;
  readonly arrivedAt: number;
}

const STAGES: readonly (readonly [name: string, stage: keyof Stages])[] = [
  ['committed → in the event log (PostgreSQL: appended; Kafka: marked)', 'loggedAt'],
  ['→ every replica serves it', 'servedAt'],
  ['→ the dispatcher’s claim, the attempt written down', 'attemptedAt'],
  ['→ first byte', 'arrivedAt'],
];

/** Stages by blog, read from what the services write down anyway. */
async function stagesOf(from: {
  readonly publisherUrl: string;
  /** When the event log is PostgreSQL. */
  readonly eventLogUrl: string | undefined;
  readonly eventLog: EventLog;
  readonly dispatcherDatabase: pg.Client;
  readonly projectId: string;
}): Promise<ReadonlyMap<string, Omit<Stages, 'committedAt' | 'arrivedAt'>>> {
  const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
  const logged =
    from.eventLogUrl === undefined
      ? await queryOnce<{ blog: string; at: number }>(
          from.publisherUrl,
          `SELECT data->>'blog_id' AS blog, ${ms('published_at')} AS at FROM outbox`,
        )
      : await queryOnce<{ blog: string; at: number }>(
          from.eventLogUrl,
          `SELECT key AS blog, ${ms('appended_at')} AS at FROM event_log.messages WHERE topic = 'blog.lifecycle'`,
        );
  const servedAt = new Map<string, number>();
  const reader = await from.eventLog.readFromBeginning({
    logger: quietLogger,
    handlers: [
      onTopic(servedTopic, (events) => {
        for (const { data } of events) servedAt.set(data.blog_id, Date.parse(data.served_at));
        return Promise.resolve();
      }),
    ],
  });
  await reader.catchUp();
  await reader.close();
  const { rows: attempts } = await from.dispatcherDatabase.query<{ blog: string; at: number }>(
    `SELECT d.blog_id::text AS blog, ${ms('a.started_at')} AS at
     FROM delivery d JOIN delivery_attempt a ON a.delivery_id = d.id AND a.number = 1 WHERE d.project_id = $1`,
    [from.projectId],
  );
  const loggedAt = new Map(logged.map(({ blog, at }) => [blog, at]));
  return new Map(
    attempts.map(({ blog, at }) => [
      blog,
      {
        loggedAt: loggedAt.get(blog) ?? Number.NaN,
        servedAt: servedAt.get(blog) ?? Number.NaN,
        attemptedAt: at,
      },
    ]),
  );
}
