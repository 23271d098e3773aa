import { startPostgres } from '@blog-content/local-infrastructure';
import {
  buildDashboard,
  createLocalSettings,
  signIn,
  startLocalServices,
  type LocalServices,
  type OwnerClient,
} from '@blog-content/local-services';
import { startBrowser } from '@blog-content/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** The product with its dashboard, and a browser. */
export interface RunningDashboard extends AsyncDisposable {
  readonly browser: Browser;
  readonly local: LocalServices;
  /** Of the bundle’s files. */
  readonly bundleFolder: string;
  readonly api: OwnerClient;
  /** A browser of its own, where nobody is signed in. */
  newContext(): Promise<BrowserContext>;
  /** Fills in the form that the page shows. */
  signIn(page: Page): Promise<void>;
}

export async function startDashboard(): Promise<RunningDashboard> {
  await using started = new AsyncDisposableStack();
  // First: a machine without one is told so at once.
  const browser = await startBrowser();
  started.defer(() => browser.close());
  const bundleFolder = await buildDashboard();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  started.defer(() => postgres.stop());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    databasePrefix: 'bench_',
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
    dashboardFolder: bundleFolder,
    environment: { all: { LOG_LEVEL: 'error' } },
  });
  started.defer(() => local.stop());
  const api = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const resources = started.move();
  return {
    browser,
    local,
    bundleFolder,
    api,
    newContext: () =>
      browser.newContext({
        baseURL: local.origin,
        reducedMotion: 'reduce',
        viewport: { width: 1280, height: 800 },
      }),
    async signIn(page) {
      await page.getByLabel('Email').fill(settings.ownerEmail);
      await page.getByRole('textbox', { name: 'Password' }).fill(settings.ownerPassword);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Account' }).waitFor();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
