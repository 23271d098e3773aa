import { buildDashboard, signIn, type LocalServices, type OwnerClient } from '@blog-content/local-services';
import { startBrowser } from '@blog-content/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startStack } from '../../processes/start-stack.ts';

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
  // First, so that a machine without a browser fails immediately.
  const browser = await startBrowser();
  started.defer(() => browser.close());
  const bundleFolder = await buildDashboard();
  const { settings, local } = started.use(
    await startStack({
      dashboardFolder: bundleFolder,
      environment: { all: { LOG_LEVEL: 'error' } },
    }),
  );
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
      const button = page.getByRole('button', { name: 'Sign in', exact: true });
      await button.click();
      await button.waitFor({ state: 'hidden' });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
