import { CHROMIUM_PROGRAMS } from '@blog-content/local-infrastructure';
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

/** For tests: their pages live for seconds, and V8’s optimizing compilers take longer than they save. */
export const NO_OPTIMIZING_COMPILERS = '--js-flags=--no-turbofan --no-maglev';

/** Starts the machine's Chromium, without a window: `CHROMIUM` names it, else it is Debian's. */
export async function startBrowser(...extraArguments: readonly string[]): Promise<Browser> {
  const executablePath = CHROMIUM_PROGRAMS.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      `No Chromium at ${CHROMIUM_PROGRAMS.join(' or ')}: apt-get install chromium-headless-shell, or name yours in CHROMIUM.`,
    );
  }
  // Most tests need no browser: it is loaded by those that do.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...extraArguments] });
}
