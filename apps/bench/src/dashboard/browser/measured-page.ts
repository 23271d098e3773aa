import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { installProbe, type StepMeasurement } from './page-probe.ts';

const QUIET_MS = 200;
const TIMEOUT_MS = 30_000;

/**
 * What a step took of the page’s main thread, in milliseconds of processor time: neither waiting for an answer counts,
 * nor what else the machine does.
 */
export interface Work {
  /** All tasks: script, style, layout, paint, collecting garbage. */
  readonly all: number;
  readonly script: number;
  readonly layout: number;
}

export interface Step extends StepMeasurement {
  readonly work: Work;
}

/** A page whose steps are measured. */
export interface MeasuredPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Does something, and waits until the page has come to rest. */
  step(act: () => Promise<unknown>, to?: 'another page'): Promise<Step>;
  /** Loads an address as one does who types it in, and waits until the page has come to rest. */
  load(path: string): Promise<Step>;
}

export async function openMeasured(context: BrowserContext): Promise<MeasuredPage> {
  const page = await context.newPage();
  await page.addInitScript(installProbe);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const settle = (leaves: string | null) =>
    page.evaluate((until) => window.probe.settle(until), { leaves, quietMs: QUIET_MS, timeoutMs: TIMEOUT_MS });
  return {
    page,
    cdp,
    async step(act, to) {
      const leaves = to === undefined ? null : await page.locator('h1').first().textContent();
      await page.evaluate(() => window.probe.begin());
      const before = await workSoFar(cdp);
      await act();
      const seen = await settle(leaves);
      const after = await workSoFar(cdp);
      return { ...seen, work: difference(after, before) };
    },
    async load(path) {
      await page.goto(path);
      const seen = await settle(null);
      return { ...seen, work: await workSoFar(cdp) };
    },
  };
}

/** Clicks without the looks that a driver takes at an element first: they would count as the page’s work. */
export async function clickAt({ page }: MeasuredPage, selector: string): Promise<() => Promise<void>> {
  const element = page.locator(selector).first();
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error(`Nothing can be clicked at ${selector}.`);
  // Near the beginning: a link may be broken over two lines.
  const [x, y] = [box.x + Math.min(box.width / 2, 12), box.y + Math.min(box.height / 2, 10)];
  return () => page.mouse.click(x, y);
}

async function workSoFar(cdp: CDPSession): Promise<Work> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const seconds = new Map(metrics.map(({ name, value }) => [name, value]));
  const ms = (name: string) => (seconds.get(name) ?? 0) * 1_000;
  return {
    all: ms('TaskDuration'),
    script: ms('ScriptDuration'),
    layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
  };
}

function difference(after: Work, before: Work): Work {
  return {
    all: after.all - before.all,
    script: after.script - before.script,
    layout: after.layout - before.layout,
  };
}
