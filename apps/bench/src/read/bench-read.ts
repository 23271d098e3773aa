import { ensureDatabase, migrateDatabase, MigrationError } from '@blog-content/database-migrations';
import { startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, prismaFolderOf } from '@blog-content/local-services';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startChild } from '../processes/child.ts';
import { pinToLoadCore } from '../processes/cores.ts';
import type { DataSetSize } from './data-set/data-set.ts';
import { freshDatabase } from '../processes/databases.ts';
import { hasDataSet, makeDataSet } from './data-set/make-data-set.ts';
import { measureLarge, measureSearches } from './others/measure-attacks.ts';
import { measureAuthors } from './measure-authors.ts';
import { measureBuilds } from './measure-builds.ts';
import { measureHits } from './measure-hits.ts';
import { measureImages } from './others/measure-images.ts';
import { measureMisses } from './measure-misses.ts';
import { measureRandomReads } from './measure-random-reads.ts';
import { measureVisibility } from './measure-visibility.ts';

/** Kept between runs: the big read model takes minutes to make. */
const KEPT_DATA = join(import.meta.dirname, '../../../../.data/bench-read');

export interface BenchReadOptions {
  readonly size: DataSetSize;
  /** How long one round takes. */
  readonly seconds: number;
  readonly rounds: number;
  readonly eventLogs: readonly ('postgres' | 'kafka')[];
  /** Measures only the cases whose names hold this. */
  readonly only: string | undefined;
  /** Throws the kept read models away first. */
  readonly reset: boolean;
}

/**
 * Measures the public API: hits, 304s, misses, authors, publish → visible, what large answers and images cost others, builds,
 * and random reads of a big read model.
 */
export async function benchRead(options: BenchReadOptions): Promise<void> {
  const { size } = options;
  const cores = pinToLoadCore();
  console.log(
    `read: ${size.projects} projects, ${size.posts} posts; ${options.rounds} rounds of ${options.seconds} s in turns, ` +
      `medians; ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
      `load average before ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}\n` +
      (cores === null
        ? ''
        : `Servers under test have core ${cores.server}; load generator, PostgreSQL and all else share core ${cores.load}.`),
  );

  await using resources = new AsyncDisposableStack();
  if (options.reset) await rm(KEPT_DATA, { recursive: true, force: true });
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({
    dataDir: KEPT_DATA,
    // A server of its own: whose core it is on is part of the measure.
    databaseUrl: '',
    settings: { shared_buffers: buffersFor(size), max_wal_size: '2GB', track_commit_timestamp: 'on' },
  });
  resources.defer(() => postgres.stop());
  const generator = startChild(import.meta.resolve('../load/generate-load.main.ts'), cores?.load);
  resources.defer(() => generator.stop());

  const databaseUrl = (database: string) => postgres.url(database);
  const dataSetUrl = await prepareDataSet(databaseUrl, size);
  await warmUp(dataSetUrl);
  const bench = {
    cores,
    generator,
    settings: await createLocalSettings(),
    databaseUrl,
    folder,
    seconds: options.seconds,
    rounds: options.rounds,
    size,
    dataSetUrl,
    eventLogUrl: await freshDatabase(postgres.url('postgres'), 'bench_events', databaseUrl),
    selected: (name: string) => options.only === undefined || name.includes(options.only),
  };
  await measureHits(bench);
  await measureMisses(bench);
  await measureAuthors(bench);
  for (const eventLog of options.eventLogs) await measureVisibility(bench, eventLog);
  await measureLarge(bench);
  await measureSearches(bench);
  await measureImages(bench);
  await measureBuilds(bench);
  await measureRandomReads(bench);
}

/** Enough for the whole read model: the disk of this machine is not what is measured. */
function buffersFor({ posts }: DataSetSize): string {
  return posts > 100_000 ? '8GB' : '512MB';
}

/** Reads tables and indexes into the server's buffers, as they are after a while of use. */
async function warmUp(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_prewarm');
    await client.query(
      `SELECT pg_prewarm(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('public', 'pg_toast') AND c.relkind IN ('r', 'i', 't')`,
    );
  } finally {
    await client.end();
  }
}

async function prepareDataSet(urlOf: (database: string) => string, size: DataSetSize): Promise<string> {
  const name = `bench_${size.projects}_${size.posts}`;
  const databaseUrl = urlOf(name);
  const migrate = () => migrateDatabase({ databaseUrl, prismaFolder: prismaFolderOf('public-read-service') });
  await ensureDatabase(databaseUrl);
  await migrate().catch(async (error: unknown) => {
    if (!(error instanceof MigrationError)) throw error;
    console.error(`· the kept read model is made anew: ${error.message}`);
    await freshDatabase(urlOf('postgres'), name, urlOf);
    await migrate();
  });
  if (await hasDataSet(databaseUrl)) return databaseUrl;
  const startedAt = performance.now();
  await makeDataSet(databaseUrl, size, (posts) => console.error(`· ${posts} of ${size.posts} posts written`));
  console.error(`· the read model was made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return databaseUrl;
}
