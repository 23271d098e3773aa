import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { percentile } from '../percentiles.ts';
import { createNumbers } from '../read/data-set/data-set.ts';
import { verdict } from '../read/ratio-table.ts';
import { installProbe } from './browser/page-probe.ts';
import type { RunningDashboard } from './browser/start-dashboard.ts';
import type { FilledProject } from './content/fill-project.ts';
import { line } from './table.ts';

const NEED_MS = 50;
const KEYS = 200;
/** Between two keys; a fast typist has 80 to 100. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [60, 160];
/** How long a save takes on a slow line. */
const SLOW_SAVE_MS = 2_000;
const WORDS = 'what grows beside carrots is a question of water and of light, and of what stood there before. ';

interface KeyTimes {
  readonly all: readonly number[];
  readonly whileSaving: readonly number[];
  /** The longest by Event Timing, which counts to the frame on the screen, in steps of 8 ms. */
  readonly byEventTiming: number;
}

/** Prints how long keys in a long post take until they are painted. */
export async function measureTyping(dashboard: RunningDashboard, { id, longPost }: FilledProject): Promise<void> {
  const context = await dashboard.newContext();
  const page = await context.newPage();
  await page.addInitScript(installProbe);
  await page.goto(`/projects/${id}/posts/${longPost.id}`);
  await dashboard.signIn(page);
  await page.locator('#post-content h2').first().waitFor();
  const beginning = await typeInto(page, 0);
  const middle = await typeInto(page, 40);
  await context.route('**/blogs/*', async (route) => {
    if (route.request().method() === 'PATCH') await pause(SLOW_SAVE_MS);
    await route.continue();
  });
  const slowly = await typeInto(page, 30, 1.5 * KEYS);
  await context.unrouteAll({ behavior: 'wait' });
  await context.close();

  const size = (longPost.content.length / 1_000).toFixed(0);
  console.log(`\ntyping in a post of ${size} kB, one key every ${MIN_PAUSE_MS} to ${MAX_PAUSE_MS} ms: key → painted`);
  console.log(line('milliseconds', ['p50', 'p95', 'max', 'Event T.', 'n']));
  const print = (name: string, keys: readonly number[], byEventTiming: number | null) => {
    const p95 = percentile(keys, 95);
    const figures = [percentile(keys, 50), p95, Math.max(...keys)].map((ms) => ms.toFixed(1));
    const cells = [...figures, byEventTiming ?? '–', keys.length];
    console.log(`${line(name, cells)}  need p95 ≤ ${NEED_MS}  ${verdict(p95 <= NEED_MS)}`);
  };
  print('at the beginning', beginning.all, beginning.byEventTiming);
  print('in the middle', middle.all, middle.byEventTiming);
  const saving = [...beginning.whileSaving, ...middle.whileSaving];
  print('of these: while it is saved', saving, null);
  print('while it is saved, on a slow line', slowly.whileSaving, slowly.byEventTiming);
}

/** Types at the end of a paragraph, at a person’s pace. */
async function typeInto(page: Page, paragraph: number, keys = KEYS): Promise<KeyTimes> {
  await page.locator('#post-content > p').nth(paragraph).click();
  await page.keyboard.press('End');
  await pause(300);
  await page.evaluate(() => [window.probe.takeKeys(), window.probe.takeSlowKeys()]);
  const number = createNumbers(keys);
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(WORDS[key % WORDS.length] ?? ' ');
    await pause(MIN_PAUSE_MS + number(MAX_PAUSE_MS - MIN_PAUSE_MS));
  }
  const taken = await page.evaluate(() => window.probe.takeKeys());
  const slow = await page.evaluate(() => window.probe.takeSlowKeys());
  return {
    all: taken.map(({ ms }) => ms),
    whileSaving: taken.filter(({ saving }) => saving).map(({ ms }) => ms),
    byEventTiming: Math.max(0, ...slow),
  };
}
