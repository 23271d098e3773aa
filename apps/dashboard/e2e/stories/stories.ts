import type { BrowserContext } from 'playwright-core';
import type { RunningDashboard } from '../running-dashboard.ts';

/** What the stories of a page are told of; it is there once their tests run. */
export interface Stories {
  readonly dashboard: () => RunningDashboard;
  /** A person’s browser. Each error in its console that is not in `expected` fails the test. */
  readonly newBrowser: (expected?: readonly RegExp[]) => Promise<BrowserContext>;
}
