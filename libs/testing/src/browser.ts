import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** What a browser does on its own account only disturbs; a container has neither a GPU nor user namespaces. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Debian's Chromium: the one without windows starts and draws with half the work. */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** For tests: their pages live for seconds, and V8’s optimizing compilers take longer than they save. */
export const NO_OPTIMIZING_COMPILERS = '--js-flags=--no-turbofan --no-maglev';

/** Starts the machine's Chromium, without a window: `CHROMIUM` names it, else it is Debian's. */
export async function startBrowser(...extraArguments: readonly string[]): Promise<Browser> {
  const named = process.env['CHROMIUM'];
  const executablePath = (named === undefined ? CHROMIUM : [named]).find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      `There is no Chromium at ${named ?? CHROMIUM.join(' or ')}: apt-get install chromium-headless-shell, or name yours in CHROMIUM.`,
    );
  }
  // Most tests need no browser: it is loaded by those that do.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...extraArguments] });
}
