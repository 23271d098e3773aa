import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../percentiles.ts';
import { verdict } from '../read/ratio-table.ts';
import { clickAt, openMeasured, type MeasuredPage, type Step } from './browser/measured-page.ts';
import type { RunningDashboard } from './browser/start-dashboard.ts';
import { line } from './table.ts';

const NEED_MS = 100;
/** So long somebody looks at a page before following one of its links. */
const READING_MS = 5_000;

/** How one comes to a page that the menu does not have: from which page of the menu, and by which link. */
const BY_LINK = [
  { name: 'a post', from: '/posts', link: 'a[data-post]' },
  { name: 'transfer', from: '/posts', link: 'main a[href$="/transfer"]' },
  { name: 'generate', from: '/posts', link: 'main a[href$="/generate"]' },
  { name: 'a publish', from: '/publishing', link: 'main a[href*="/publishing/"]' },
  { name: 'a webhook', from: '/webhooks', link: 'main table a[href*="/webhooks/"]' },
  { name: 'deliveries', from: '/webhooks', link: 'main a[href$="/webhooks/deliveries"]' },
  { name: 'a delivery', from: '/webhooks/deliveries', link: 'main a[href*="/deliveries/"]' },
] as const;

/** Of the menus at the top. */
const BY_MENU = [
  { name: 'new project', menu: /^Project/, link: 'a[href="/new-project"]' },
  { name: 'account', menu: 'Account', link: 'a[href="/account"]' },
] as const;

/** Prints how long each page takes from the click that leads to it until it is there with its content. */
export async function measurePages(dashboard: RunningDashboard, projectId: string, rounds: number): Promise<void> {
  const first = new Map<string, Step[]>();
  const again = new Map<string, Step[]>();
  const context = await dashboard.newContext();
  const signedIn = await context.newPage();
  await signedIn.goto('/');
  await dashboard.signIn(signedIn);
  await signedIn.close();
  for (let round = 0; round < rounds; round += 1) {
    const measured = await openMeasured(context);
    await measured.load(`/projects/${projectId}/settings`);
    // Each page’s code is loaded at the first visit of a load, and there at the second.
    for (const visits of [first, again]) {
      for (const [name, step] of await visitAll(measured, projectId)) {
        visits.set(name, [...(visits.get(name) ?? []), step]);
      }
    }
    await measured.page.close();
  }
  await context.close();

  const titles = ['n', 'painted', 'work', 'max', 'script', 'layout', 'click', 'painted', 'work', 'max'];
  console.log(`\nfrom the click to the page with its content, medians of milliseconds; first visit | again`);
  console.log(line('page', titles));
  for (const [name, steps] of first) {
    const others = again.get(name) ?? [];
    const cells = [
      String(steps.length),
      median(steps, (step) => step.paintedMs),
      median(steps, (step) => step.work.all),
      Math.max(...steps.map((step) => step.work.all)).toFixed(0),
      median(steps, (step) => step.work.script),
      median(steps, (step) => step.work.layout),
      median(steps, (step) => step.nextPaintMs),
      median(others, (step) => step.paintedMs),
      median(others, (step) => step.work.all),
      Math.max(...others.map((step) => step.work.all)).toFixed(0),
    ];
    const isMet = [steps, others].every(
      (of) =>
        percentile(
          of.map(({ work }) => work.all),
          50,
        ) <= NEED_MS,
    );
    console.log(`${line(name, cells)}  need work ≤ ${NEED_MS}  ${verdict(isMet)}`);
  }
}

async function visitAll(measured: MeasuredPage, projectId: string): Promise<Map<string, Step>> {
  const { page } = measured;
  const visits = new Map<string, Step>();
  const addressOf = (path: string) => `/projects/${projectId}${path}`;
  const entries = await page
    .locator('nav')
    .first()
    .locator('a[href^="/projects/"]')
    .evaluateAll((links) => links.map((link) => [link.textContent ?? '', link.getAttribute('href') ?? ''] as const));
  const open = async (selector: string) => measured.step(await clickAt(measured, selector), 'another page');
  for (const [label, href] of entries) visits.set(label, await open(`nav a[href="${href}"]`));
  for (const { name, from, link } of BY_LINK) {
    if (new URL(page.url()).pathname !== addressOf(from)) {
      const entry = entries.findLast(([, href]) => addressOf(from).startsWith(href))?.[1] ?? '';
      await open(`nav a[href="${entry}"]`);
      if (entry !== addressOf(from)) await open(`main a[href$="${from}"]`);
    }
    await pause(READING_MS);
    visits.set(name, await open(link));
    // The editor has no menu.
    if ((await page.locator('nav').count()) === 0) await measured.step(() => page.goBack(), 'another page');
  }
  for (const { name, menu, link } of BY_MENU) {
    await page.getByRole('button', { name: menu }).click();
    await page.locator(link).waitFor();
    visits.set(name, await open(link));
    await measured.step(() => page.goBack(), 'another page');
  }
  return visits;
}

const median = (steps: readonly Step[], of: (step: Step) => number) => percentile(steps.map(of), 50).toFixed(0);
