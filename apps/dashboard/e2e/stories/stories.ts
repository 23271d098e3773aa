import type { BrowserContext } from 'playwright-core';
import type { RunningDashboard } from '../running-dashboard.ts';

/** What the stories of a page are told of; it is there once their tests run. */
export interface Stories {
  readonly dashboard: () => RunningDashboard;
  /** A person’s browser. Whatever its consoles complain about fails the test, but for what is expected. */
  readonly newBrowser: (expected?: readonly RegExp[]) => Promise<BrowserContext>;
}
