import { setTimeout as sleep } from 'node:timers/promises';

/** So long nothing has come: nothing more is on its way just now. */
const QUIET_MS = 2;

/** Resolves once `count` has stood still for a moment, at the latest after about `maxMs` milliseconds. */
export async function waitUntilQuiet(count: () => number, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs;
  for (let before = Number.NaN; count() !== before && performance.now() < until;) {
    before = count();
    await sleep(QUIET_MS);
  }
}
