import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '@blog-content/database-migrations';
import type { EventLogConfig } from '@blog-content/event-log';
import { startKafka } from '@blog-content/local-infrastructure';
import { prismaFolderOf } from '@blog-content/local-services';
import type { LoadJob, LoadResult } from '../load/generate-load.ts';
import { percentile } from '../percentiles.ts';
import { cpuTimeMs } from '../processes/process-usage.ts';
import type { RunningService } from '../processes/start-service.ts';
import { row, tableHead } from '../publish/table.ts';
import { CACHE_MB, CONNECTIONS, type BenchContext } from './bench-context.ts';
import { keyOf, makeParagraphs, projectIdOf } from './data-set/data-set.ts';
import { freshDatabase, queryOnce } from '../processes/databases.ts';
import { makeDataSet } from './data-set/make-data-set.ts';
import { hotGets, publicReads } from './public-reads.ts';
import { startPublisher, type CommittedPublish } from './publisher.ts';
import { verdict } from './ratio-table.ts';
import { startMeasuredService } from './start-read-service.ts';
import { startVisibilityPoller } from './visibility-poller.ts';

const RATE = 50;
const WARM_UP_PUBLISHES = 100;
const NEED = { p50Ms: 20, p99Ms: 100 };
/** Readers read lists of all of these, one of which is the one that is published to. */
const SIZE = { projects: 10, posts: 2_000 };
const SETTLE_MS = 10_000;

/** How long a publish takes to be visible while readers keep the server's core fully busy. */
export async function measureVisibility(bench: BenchContext, eventLog: 'postgres' | 'kafka'): Promise<void> {
  const name = `visible: publish → visible, ${eventLog}`;
  if (!bench.selected(name)) return;
  await using resources = new AsyncDisposableStack();
  const fresh = async (database: string) => freshDatabase(bench.databaseUrl('postgres'), database, bench.databaseUrl);
  const readModelUrl = await fresh('bench_visibility');
  await migrateDatabase({ databaseUrl: readModelUrl, prismaFolder: prismaFolderOf('public-read-service') });
  await makeDataSet(readModelUrl, SIZE);

  const kafka = eventLog === 'kafka' ? await startKafka({ dataDir: `${bench.folder}/kafka` }) : null;
  if (kafka) resources.defer(() => kafka.stop());
  const eventLogUrl = await fresh('bench_visibility_events');
  const config: EventLogConfig = kafka
    ? { kind: 'kafka', brokers: kafka.brokers, clientId: 'bench' }
    : { kind: 'postgres', databaseUrl: eventLogUrl };
  const publisher = await startPublisher(await fresh('bench_visibility_outbox'), config);
  resources.defer(() => publisher.stop());
  const service = await startMeasuredService(bench, {
    databaseUrl: readModelUrl,
    eventLog: kafka ? { KAFKA_BROKERS: kafka.brokers.join(',') } : { EVENT_LOG_DATABASE_URL: eventLogUrl },
    cacheMb: CACHE_MB,
    logFile: `${bench.folder}/read-service-visibility.log`,
  });
  resources.defer(() => service.stop());

  const poller = startVisibilityPoller({ port: service.port, key: keyOf(0) });
  const publishes = WARM_UP_PUBLISHES + Math.max(250, bench.seconds * RATE * bench.rounds);
  const [published, load] = await Promise.all([
    publishEvenly(publishes, (slug, content) => publisher.publish({ projectId: projectIdOf(0), slug, content })),
    saturate(bench, service, (publishes / RATE) * 1000),
  ]);
  const missing = () => published.filter(({ slug }) => !poller.seenAt.has(slug)).length;
  for (const deadline = Date.now() + SETTLE_MS; missing() > 0 && Date.now() < deadline;) await pause(50);
  await poller.stop();
  if (missing() > 0) throw new Error(`${missing()} of ${publishes} publishes never became visible.`);

  const measured = published.slice(WARM_UP_PUBLISHES);
  const visible = measured.map(({ slug, committedAt }) => (poller.seenAt.get(slug) ?? Number.NaN) - committedAt);
  const appended = kafka
    ? null
    : await commitsOf(eventLogUrl, `SELECT headers->>'ce_id' AS name, xmin AS xid FROM event_log.messages`);
  const applied = await commitsOf(readModelUrl, 'SELECT slug AS name, xmin AS xid FROM published_blog');
  const isMet = percentile(visible, 50) <= NEED.p50Ms && percentile(visible, 99) <= NEED.p99Ms;

  console.log(
    `\n${name}: ${RATE} publishes/s to one project, while ${CONNECTIONS.saturating} connections get ` +
      `${load.perSecond.toFixed(0)} lists/s of ${SIZE.projects} projects (busy: server ` +
      `${(load.serverShare * 100).toFixed(0)} %, generator ${(load.cpuShare * 100).toFixed(0)} %)`,
  );
  console.log(tableHead);
  const need = `need p50 ≤ ${NEED.p50Ms}, p99 ≤ ${NEED.p99Ms}`;
  console.log(`${row('event committed → visible on the read API', visible)}  ${need}  ${verdict(isMet)}`);
  const appliedAfter = measured.map(({ slug, committedAt }) => (applied.get(slug) ?? Number.NaN) - committedAt);
  if (appended) {
    const after = measured.map(({ eventId, committedAt }) => (appended.get(eventId) ?? Number.NaN) - committedAt);
    console.log(row('  committed → committed in the event log', after));
  }
  console.log(row('  committed → committed in the read model', appliedAfter));
  console.log(
    row(
      '  committed in the read model → visible',
      visible.map((afterMs, at) => afterMs - (appliedAfter[at] ?? Number.NaN)),
    ),
  );
}

async function publishEvenly(
  count: number,
  publish: (slug: string, content: string) => Promise<CommittedPublish>,
): Promise<CommittedPublish[]> {
  const paragraphs = makeParagraphs(16);
  const running: Promise<CommittedPublish>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    const dueInMs = startedAt + (index * 1000) / RATE - performance.now();
    if (dueInMs > 0) await pause(dueInMs);
    const text = Array.from({ length: 5 }, (_, at) => paragraphs[(index + at) % paragraphs.length]).join('');
    running.push(publish(`fresh-${index}`, `${text}<p>Read <a href="[INTERNAL:post-1]">another post</a>.</p>`));
  }
  return Promise.all(running);
}

async function saturate(
  { generator }: BenchContext,
  { port, pid }: RunningService,
  durationMs: number,
): Promise<LoadResult & { serverShare: number }> {
  const [list] = publicReads(SIZE);
  const gets = list === undefined ? [] : hotGets(list, SIZE, SIZE.projects);
  const [cpuBefore, startedAt] = [cpuTimeMs(pid), performance.now()];
  const load = await generator.ask<LoadResult>({
    port,
    connections: CONNECTIONS.saturating,
    warmUpMs: 0,
    durationMs,
    gets,
    expected: { status: 200, bodyBytes: null },
  } satisfies LoadJob);
  return { ...load, serverShare: (cpuTimeMs(pid) - cpuBefore) / (performance.now() - startedAt) };
}

/** What the query's `name` names → when (ms since the epoch) the transaction of its `xid` was committed. */
async function commitsOf(databaseUrl: string, namesAndXids: string): Promise<ReadonlyMap<string, number>> {
  const rows = await queryOnce<{ name: string; at: number }>(
    databaseUrl,
    `SELECT name, (extract(epoch FROM pg_xact_commit_timestamp(xid)) * 1000)::float8 AS at FROM (${namesAndXids}) AS made`,
  );
  return new Map(rows.map(({ name, at }) => [name, at]));
}
