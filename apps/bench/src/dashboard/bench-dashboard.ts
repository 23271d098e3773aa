import { cpus, loadavg } from 'node:os';
import { startBenchReceiver } from '../publish/bench-receiver.ts';
import { startDashboard } from './browser/start-dashboard.ts';
import { fillLargeProject } from '../content/fill-large-project.ts';
import { fillProject } from './content/fill-project.ts';
import { measureFirstLoad } from './measure-first-load.ts';
import { measureLongList } from './measure-long-list.ts';
import { measurePages } from './measure-pages.ts';
import { measureTyping } from './measure-typing.ts';

export interface BenchDashboardOptions {
  /** Loads of each kind, and walks through all pages. */
  readonly rounds: number;
  /** In the large project. */
  readonly posts: number;
  /** Only the parts whose names hold this. */
  readonly only: string | undefined;
}

/** Measures the dashboard in a browser: first loads, the way to each page, typing, and a long list. */
export async function benchDashboard({ rounds, posts, only }: BenchDashboardOptions): Promise<void> {
  await using dashboard = await startDashboard();
  console.log(
    `dashboard: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
      `load average before ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}, ` +
      `Chromium ${dashboard.browser.version()}; nothing is pinned`,
  );
  await using receiver = await closing(startBenchReceiver());
  const project = await fillProject(dashboard.api, receiver.url);
  const parts = {
    load: () => measureFirstLoad(dashboard, project.id, rounds),
    pages: () => measurePages(dashboard, project.id, rounds),
    typing: () => measureTyping(dashboard, project),
    list: async () => {
      const url = dashboard.local.databaseUrls['content-service'];
      await measureLongList(dashboard, await fillLargeProject(dashboard.api, url, posts), posts);
    },
  };
  for (const [name, measure] of Object.entries(parts)) if (only === undefined || name.includes(only)) await measure();
}

/** The same, closed at the end of its block. */
async function closing<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T & AsyncDisposable> {
  const opened = await opening;
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });
}
