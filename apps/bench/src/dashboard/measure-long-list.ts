import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../percentiles.ts';
import { verdict } from '../read/ratio-table.ts';
import { clickAt, openMeasured, type MeasuredPage, type Step } from './browser/measured-page.ts';
import type { RunningDashboard } from './browser/start-dashboard.ts';
import { line } from './table.ts';

const NEED_MS = 100;
const STEPS = 20;
/** Between two letters of a search. */
const KEY_MS = 110;
/** Longer than a search waits for the next letter. */
const REST_MS = 400;

/** Prints what each step through the posts of a large project takes: of the page, and of the service. */
export async function measureLongList(dashboard: RunningDashboard, projectId: string, posts: number): Promise<void> {
  const context = await dashboard.newContext();
  const signedIn = await context.newPage();
  await signedIn.goto('/');
  await dashboard.signIn(signedIn);
  const measured = await openMeasured(context);
  await measured.load(`/projects/${projectId}/settings`);

  console.log(`\na project with ${posts} posts, milliseconds; frames: those of more than 50`);
  console.log(line('step', ['n', 'painted', 'work p50', 'work max', 'frames', 'longest', 'answers', 'max']));
  for (const [name, steps] of await walk(measured, projectId)) {
    const work = steps.map((step) => step.work.all);
    const frames = steps.flatMap(({ longFrames }) => longFrames);
    const answers = steps.flatMap((step) => step.answers);
    const painted = percentile(
      steps.map(({ paintedMs }) => paintedMs),
      50,
    );
    const isMet = percentile(work, 50) <= NEED_MS;
    const cells = [
      steps.length,
      painted,
      percentile(work, 50),
      Math.max(...work),
      frames.length,
      Math.max(0, ...frames),
      answers.length > 0 ? percentile(answers, 50).toFixed(0) : '–',
      answers.length > 0 ? Math.max(...answers).toFixed(0) : '–',
    ];
    console.log(`${line(name, cells)}  need work ≤ ${NEED_MS}  ${verdict(isMet)}`);
  }
  await context.close();
}

async function walk(measured: MeasuredPage, projectId: string): Promise<Map<string, Step[]>> {
  const { page } = measured;
  const steps = new Map<string, Step[]>();
  const note = (name: string, step: Step) => steps.set(name, [...(steps.get(name) ?? []), step]);
  const open = async (path: string) =>
    measured.step(await clickAt(measured, `nav a[href="/projects/${projectId}${path}"]`), 'another page');

  note('opening Home', await open(''));
  note('opening Calendar', await open('/calendar'));
  note('opening Posts', await open('/posts'));
  for (let step = 0; step < STEPS; step += 1) {
    note('scrolling to the end of a page', await measured.step(() => scroll(measured, 4)));
    await page.getByRole('button', { name: 'Next page' }).focus();
    note('the next page, by Enter', await measured.step(() => page.keyboard.press('Enter')));
  }
  for (let step = 0; step < 5; step += 1) {
    await page.getByRole('button', { name: 'Previous page' }).focus();
    note('the page before, by Enter', await measured.step(() => page.keyboard.press('Enter')));
  }
  await page.locator('a[data-post]').first().focus();
  note('ten titles further, by arrow keys', await measured.step(() => press(measured, Array(10).fill('ArrowDown'))));
  const search = async (words: string) => {
    await page.getByLabel('Search posts').fill(words);
    await pause(REST_MS);
  };
  await page.getByLabel('Search posts').focus();
  for (const words of ['post 77', 'keyword 42', 'of many', 'nowhere']) {
    note('searching, key by key', await measured.step(() => press(measured, [...words])));
    note('all posts again', await measured.step(() => search('')));
  }
  for (const state of ['Drafts', 'Published', 'Edited', 'Scheduled', 'Unpublished', 'All']) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${state}`) });
    await tab.scrollIntoViewIfNeeded();
    note('another state', await measured.step(() => tab.click()));
  }
  return steps;
}

async function press({ page }: MeasuredPage, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await pause(KEY_MS);
  }
  await pause(REST_MS);
}

/** Scrolls the wheel as fast as a person does. */
async function scroll({ page }: MeasuredPage, count: number): Promise<void> {
  await page.mouse.move(700, 500);
  for (let step = 0; step < count * 5; step += 1) {
    await page.mouse.wheel(0, 200);
    await pause(30);
  }
}
