import {
  buildDashboard,
  createLocalSettings,
  signIn,
  startLocalServices,
  whenProjectIsKnown,
  type LocalServices,
  type OwnerClient,
} from '@blog-content/local-services';
import {
  dropTestDatabases,
  NO_OPTIMIZING_COMPILERS,
  startBrowser,
  startMailServer,
  startReceiver,
  testDatabaseUrl,
  type MailServer,
  type Receiver,
} from '@blog-content/testing';
import { freePort } from '@blog-content/local-infrastructure';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';

export const WEBHOOK_SECRET = 'a-secret-of-the-browser-tests';
export const RECEIVER_NAME = 'Website';
const PASSWORD = 'a password of the browser tests';

/** The product with its dashboard, a project whose posts a receiver is told of, and a browser. */
export interface RunningDashboard extends AsyncDisposable {
  readonly local: LocalServices;
  readonly browser: Browser;
  readonly receiver: Receiver;
  /** Gets the emails that the service sends. */
  readonly mailServer: MailServer;
  /** An administrator, who owns the project. */
  readonly administrator: Person & { readonly api: OwnerClient };
  readonly projectId: string;
  /** Makes an account that is a member of the project. */
  invite(role: 'owner' | 'editor'): Promise<Person>;
}

export interface Person {
  readonly email: string;
  readonly password: string;
}

export async function startDashboard(): Promise<RunningDashboard> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-dashboard-'));
  const dashboardFolder = await buildDashboard();
  const databasePrefix = `dashboard_${randomBytes(4).toString('hex')}_`;
  started.defer(() => dropTestDatabases(databasePrefix));
  const settings = await createLocalSettings();
  const mailServer = started.use(await startMailServer());
  const gatewayPort = await freePort();
  const local = await startLocalServices({
    databaseUrl: testDatabaseUrl,
    databasePrefix,
    gatewayPort,
    environment: {
      'content-service': {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        SMTP_ALLOW_PLAINTEXT: 'true',
        SMTP_FROM: 'Blog <blog@example.com>',
        DASHBOARD_URL: `http://127.0.0.1:${gatewayPort}`,
      },
      // A receiver counts as failing without a test that takes an hour.
      'webhook-dispatcher': { FAILING_AFTER_DELIVERIES: '2', FAILING_AFTER_MS: '0' },
    },
    settings,
    logFolder: folder,
    imageFolder: join(folder, 'images'),
    dashboardFolder,
  });
  started.defer(() => local.stop());
  const receiver = await startReceiver({ secret: WEBHOOK_SECRET });
  started.defer(() => receiver.close());
  const browser = await startBrowser(NO_OPTIMIZING_COMPILERS);
  started.defer(() => browser.close());

  const administrator = { email: settings.ownerEmail, password: settings.ownerPassword };
  const api = await signIn(local.origin, administrator.email, administrator.password);
  const { id: projectId } = await api.post<{ id: string }>('projects', {
    name: 'Garden notes',
    site_url: 'https://garden.example',
  });
  await whenProjectIsKnown(() =>
    api.post(`projects/${projectId}/webhooks`, { name: RECEIVER_NAME, url: receiver.url, secret: WEBHOOK_SECRET }),
  );
  const resources = started.move();
  return {
    local,
    browser,
    receiver,
    mailServer,
    administrator: { ...administrator, api },
    projectId,
    async invite(role) {
      const email = `${role}-${randomBytes(4).toString('hex')}@example.com`;
      const { token } = await api.post<{ token: string }>('invitations', { email, project_id: projectId, role });
      await api.post('invitations/accept', { token, password: PASSWORD });
      return { email, password: PASSWORD };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What a page’s console may say: the browser reports each refused request, and these refusals are answers. */
const EXPECTED = [
  // Nobody is signed in yet, or any more.
  /status of 401 .*\/owner\//,
  // There is no key yet, no deploy hook, no IndexNow, no autopilot.
  /status of 404 .*\/projects\/[^/]+\/(public-key|deploy-hook|index-now|autopilot)/,
];

/** One person’s browser, with the address and, on `errors`, what its pages’ consoles have complained about. */
export async function openBrowser(
  { browser, local }: RunningDashboard,
  expected: readonly RegExp[] = [],
): Promise<{ context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    baseURL: local.origin,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    storageState: {
      cookies: [],
      // Most stories of the editor use its settings, which are closed at first.
      origins: [{ origin: local.origin, localStorage: [{ name: 'editor-settings', value: 'open' }] }],
    },
  });
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const error = `${message.text()} ${message.location().url}`;
    if (![...EXPECTED, ...expected].some((pattern) => pattern.test(error))) errors.push(error);
  });
  context.on('weberror', (error) => errors.push(String(error.error())));
  return { context, errors };
}
