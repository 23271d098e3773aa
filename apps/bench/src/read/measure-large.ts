import { migrateDatabase } from '@blog-content/database-migrations';
import { prismaFolderOf } from '@blog-content/local-services';
import type { EvenJob } from '../load/ask-evenly.main.ts';
import type { WaveJob, WaveResult } from '../load/ask-at-once.main.ts';
import { percentile } from '../percentiles.ts';
import { startChild } from '../processes/child.ts';
import { freshDatabase, queryOnce } from '../processes/databases.ts';
import { peakResidentMib } from '../processes/process-usage.ts';
import { row, tableHead } from '../publish/table.ts';
import { CACHE_MB, NEED_RESIDENT_MIB, type BenchContext } from './bench-context.ts';
import { keyOf, projectIdOf } from './data-set/data-set.ts';
import { makeDataSet } from './data-set/make-data-set.ts';
import { publicReads, randomGets } from './public-reads.ts';
import { verdict } from './ratio-table.ts';
import { startReadService } from './start-read-service.ts';

/** What the attack may make of the 99th percentile of others. */
const NEED_TIMES = 1.5;
const RATE = 100;
const WARM_UP_MS = 2_000;
/** Answers at once, by the first projects in turn. */
const LARGE_LISTS = 6;
const SIZE = { projects: 10, posts: 1_000 };
/** Of these, each has a hundred and some large posts beside: 48 MB a page, as large as contents may be. */
const ATTACKERS = 3;
const LARGE_POSTS = 110;
const LARGE_POST_BYTES = 480_000;

/**
 * How long the reads of other projects take, and how much memory the service, while large pages are asked for six at
 * once.
 */
export async function measureLarge(bench: BenchContext): Promise<void> {
  const cases = [
    { name: 'large: nobody attacks', attackers: 0 },
    { name: `large: ${LARGE_LISTS} lists of 100 at once, one project`, attackers: 1 },
    { name: `large: ${LARGE_LISTS} lists of 100 at once, ${ATTACKERS} projects`, attackers: ATTACKERS },
  ];
  if (!cases.some(({ name }) => bench.selected(name))) return;
  const readModelUrl = await makeLargePosts(bench);
  console.log(`\nlarge answers: reads of other projects, ${RATE} a second, cache of ${CACHE_MB} MB\n${tableHead}`);
  let undisturbedMs = Number.NaN;
  for (const { name, attackers } of cases) {
    const { latencies, attack, peakMib } = await measureCase(bench, readModelUrl, attackers);
    const p99Ms = percentile(latencies, 99);
    if (attackers === 0) undisturbedMs = p99Ms;
    const times = p99Ms / undisturbedMs;
    const notes = [
      attackers > 0 && `p99 × ${times.toFixed(2)}, need ≤ ${NEED_TIMES.toFixed(2)}  ${verdict(times <= NEED_TIMES)};`,
      `most resident memory ${peakMib.toFixed(0)} MiB, need ≤ ${NEED_RESIDENT_MIB}  ${verdict(peakMib <= NEED_RESIDENT_MIB)}`,
      attack && `(${statusesOf(attack)}; up to ${(attack.bodyBytes / 1e6).toFixed(1)} MB)`,
    ];
    console.log(`${row(name, latencies)}  ${notes.filter(Boolean).join(' ')}`);
  }
}

/** With a service of its own: what its memory has grown to is not taken over from another case. */
async function measureCase(bench: BenchContext, readModelUrl: string, attackers: number) {
  await using resources = new AsyncDisposableStack();
  const service = await startReadService({
    ...bench,
    databaseUrl: readModelUrl,
    eventLog: { EVENT_LOG_DATABASE_URL: bench.eventLogUrl },
    cacheMb: CACHE_MB,
    core: bench.cores?.server,
    logFile: `${bench.folder}/read-service-large.log`,
  });
  resources.defer(() => service.stop());
  const clientOf = (module: string) => {
    const client = startChild(import.meta.resolve(module), bench.cores?.load);
    resources.defer(() => client.stop());
    return client;
  };
  const reader = clientOf('../load/ask-evenly.main.ts');
  const attacker = clientOf('../load/ask-at-once.main.ts');

  const { port } = service;
  const durationMs = bench.seconds * 1_000 * bench.rounds;
  const job: EvenJob = { port, gets: readsOfOthers(), perSecond: RATE, durationMs };
  await reader.ask({ ...job, durationMs: WARM_UP_MS });
  const gets = Array.from({ length: LARGE_LISTS }, (_, place) => ({
    path: `/blogs?include_content=true&limit=100&offset=${place}`,
    key: keyOf(place % attackers),
  }));
  const [latencies, attack] = await Promise.all([
    reader.ask<number[]>(job),
    attackers === 0 ? null : attacker.ask<WaveResult>({ port, gets, durationMs } satisfies WaveJob),
  ]);
  return { latencies, attack, peakMib: peakResidentMib(service.pid) };
}

/** Lists, posts and sitemaps of the projects that do not attack, some of them kept ready and some not. */
function readsOfOthers() {
  const others = (get: { key: string }) => !attackingKeys.has(get.key);
  const attackingKeys = new Set(Array.from({ length: ATTACKERS }, (_, project) => keyOf(project)));
  const kinds = publicReads(SIZE).map((read, seed) => randomGets(read, SIZE, 500, seed).filter(others));
  return Array.from({ length: 1_000 }, (_, at) => kinds[at % kinds.length]?.[Math.floor(at / kinds.length)]).filter(
    (get) => get !== undefined,
  );
}

async function makeLargePosts(bench: BenchContext): Promise<string> {
  const readModelUrl = await freshDatabase(bench.databaseUrl('postgres'), 'bench_large', bench.databaseUrl);
  await migrateDatabase({ databaseUrl: readModelUrl, prismaFolder: prismaFolderOf('public-read-service') });
  await makeDataSet(readModelUrl, SIZE);
  const ids = Array.from({ length: ATTACKERS }, (_, project) => `'${projectIdOf(project)}'`).join(', ');
  await queryOnce(
    readModelUrl,
    `INSERT INTO published_blog (id, project_id, slug, title, excerpt, categories, tags, segments, link_slugs, published_at, updated_at)
     SELECT gen_random_uuid(), project_id, 'large-' || n, 'Large post ' || n, '', '{}', '{}',
       jsonb_build_array(repeat('<p>' || md5(n::text) || '</p> ', ${LARGE_POST_BYTES / 40})), '{}', now(), now()
     FROM unnest(ARRAY[${ids}]::uuid[]) AS project_id, generate_series(1, ${LARGE_POSTS}) AS n`,
  );
  return readModelUrl;
}

function statusesOf({ statuses }: WaveResult): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}
