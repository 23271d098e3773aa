import { startPostgres } from '@blog-content/local-infrastructure';
import {
  createLocalSettings,
  startLocalServices,
  type LocalServices,
  type LocalServicesOptions,
  type LocalSettings,
} from '@blog-content/local-services';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All services on a PostgreSQL of their own, with their logs and images in a folder that goes with them. */
export interface BenchStack {
  readonly settings: LocalSettings;
  readonly local: LocalServices;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts them as `npm start` does; `environment` says what is otherwise. */
export async function startStack(
  options: Pick<LocalServicesOptions, 'environment' | 'dashboardFolder'>,
): Promise<BenchStack> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  undo.defer(() => postgres.stop());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    ...options,
    databaseUrl: (database) => postgres.url(database),
    databasePrefix: 'bench_',
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
  });
  undo.defer(() => local.stop());
  const resources = undo.move();
  return { settings, local, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
