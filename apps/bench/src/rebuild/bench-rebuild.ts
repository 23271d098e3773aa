import { migrateDatabase } from '@blog-content/database-migrations';
import { startPostgres } from '@blog-content/local-infrastructure';
import { prismaFolderOf } from '@blog-content/local-services';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { nodeOptions } from '../processes/child.ts';
import { freshDatabase, queryOnce } from '../processes/databases.ts';
import { verdict } from '../read/ratio-table.ts';
import { fillTopics } from './fill-topics.ts';

const workspaceRoot = join(import.meta.dirname, '../../../..');
const PROJECTS = 100;
const NEED_POSTS_PER_SECOND = 5_000;

/** Measures how many posts a second `npm run rebuild-read-model` reads from the event log into the read model. */
export async function benchRebuild({ posts }: { posts: number }): Promise<void> {
  console.log(
    `rebuild: ${posts} posts of ${PROJECTS} projects, PostgreSQL event log; nothing is pinned; ` +
      `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
  );
  await using resources = new AsyncDisposableStack();
  const postgres = await startPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'blog-content-bench-')),
    databaseUrl: '',
    settings: { shared_buffers: '512MB', max_wal_size: '8GB' },
    disposable: true,
  });
  resources.defer(() => postgres.stop());
  const fresh = (name: string) => freshDatabase(postgres.url('postgres'), name, (database) => postgres.url(database));
  const [readModelUrl, eventLogUrl] = [await fresh('read_model'), await fresh('events')];
  await migrateDatabase({ databaseUrl: readModelUrl, prismaFolder: prismaFolderOf('public-read-service') });
  console.error('· filling the topics …');
  await fillTopics(eventLogUrl, { projects: PROJECTS, posts });

  console.error('· rebuilding …');
  const startedAt = performance.now();
  const { reportedS } = await runRebuild(readModelUrl, eventLogUrl);
  const tookMs = performance.now() - startedAt;

  const rebuilt = await countBlogs(readModelUrl);
  if (rebuilt !== posts) throw new Error(`The read model has ${rebuilt} posts instead of ${posts}.`);
  const perSecond = (posts * 1000) / tookMs;
  console.log(
    `${posts} posts in ${(tookMs / 1000).toFixed(1)} s, the start of the command included (${reportedS.toFixed(1)} s without): ` +
      `${perSecond.toFixed(0)} posts/s, ` +
      `need ≥ ${NEED_POSTS_PER_SECOND}  ${verdict(perSecond >= NEED_POSTS_PER_SECOND)}`,
  );
}

/** Runs what `npm run rebuild-read-model` runs. Gives the time that the command itself reports. */
async function runRebuild(databaseUrl: string, eventLogUrl: string): Promise<{ reportedS: number }> {
  const child = spawn(
    process.execPath,
    [...nodeOptions, join(workspaceRoot, 'apps/public-read-service/src/rebuild.ts')],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl, EVENT_LOG_DATABASE_URL: eventLogUrl },
    },
  );
  const [summary, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`The rebuild failed: ${summary}`);
  return { reportedS: Number(/in ([\d.]+) s/.exec(summary)?.[1]) };
}

async function countBlogs(databaseUrl: string): Promise<number> {
  const [row] = await queryOnce<{ count: number }>(databaseUrl, 'SELECT count(*)::int AS count FROM published_blog');
  return row?.count ?? 0;
}
