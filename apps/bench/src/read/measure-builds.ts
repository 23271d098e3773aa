import { createClient } from '@blog-content/client';
import { fileCache } from '@blog-content/client/file-cache';
import { migrateDatabase } from '@blog-content/database-migrations';
import { prismaFolderOf } from '@blog-content/local-services';
import { join } from 'node:path';
import { freshDatabase } from '../processes/databases.ts';
import type { BenchContext } from './bench-context.ts';
import { keyOf } from './data-set/data-set.ts';
import { makeDataSet } from './data-set/make-data-set.ts';
import { verdict } from './ratio-table.ts';
import { startMeasuredService } from './start-read-service.ts';

const POSTS = 5_000;
const NEED_SECONDS = 10;
const CASES = ['build: first', 'build: nothing has changed'];

/** How long the client takes to fetch a large project with its contents for a build, and for the next one. */
export async function measureBuilds(bench: BenchContext): Promise<void> {
  if (!CASES.some(bench.selected)) return;
  await using resources = new AsyncDisposableStack();
  const databaseUrl = await freshDatabase(bench.databaseUrl('postgres'), 'bench_builds', bench.databaseUrl);
  await migrateDatabase({ databaseUrl, prismaFolder: prismaFolderOf('public-read-service') });
  await makeDataSet(databaseUrl, { projects: 1, posts: POSTS });
  const service = await startMeasuredService(bench, {
    databaseUrl,
    // Nothing is at hand, as when a site is built after a change.
    cacheMb: 0,
    logFile: `${bench.folder}/read-service-builds.log`,
  });
  resources.defer(() => service.stop());
  console.log(`\nbuilds of ${POSTS} posts with their contents, by the client, with a cache of files`);
  const blog = createClient({
    baseUrl: `http://127.0.0.1:${service.port}`,
    key: keyOf(0),
    cache: fileCache(join(bench.folder, 'build-cache')),
  });
  for (const name of CASES) {
    const startedAt = performance.now();
    const ids = new Set<string>();
    let characters = 0;
    for await (const { id, content } of blog.all({ includeContent: true })) {
      ids.add(id);
      characters += content.length;
    }
    if (ids.size !== POSTS) throw new Error(`${name}: ${ids.size} posts instead of ${POSTS}.`);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${name.padEnd(40)} ${seconds.toFixed(2)} s (${(characters / 1e6).toFixed(1)} MB), ` +
        `need ≤ ${NEED_SECONDS} s  ${verdict(seconds <= NEED_SECONDS)}`,
    );
  }
}
