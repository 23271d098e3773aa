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

/** Starts the machine's Chromium, without a window: `CHROMIUM` names it, else it is Debian's. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    throw new Error(`There is no Chromium at ${executablePath}: apt-get install chromium, or name yours in CHROMIUM.`);
  }
  // Most tests need no browser: it is loaded by those that do.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
