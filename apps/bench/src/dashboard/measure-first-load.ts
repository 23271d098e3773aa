import { percentile } from '../percentiles.ts';
import { verdict } from '../read/ratio-table.ts';
import type { RunningDashboard } from './browser/start-dashboard.ts';
import { openMeasured, type MeasuredPage } from './browser/measured-page.ts';
import { gzipSize, lazyPages, readManifest } from './bundle.ts';
import { kilobytes, line } from './table.ts';

const NEED_KB = 250;

/** One load of a page, in milliseconds from its beginning, and bytes of bodies as they were sent. */
interface Load {
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly complete: number;
  readonly work: number;
  readonly requests: number;
  readonly bundleBytes: number;
  /** Text is shown without them, and drawn again when they are there. */
  readonly fontBytes: number;
  readonly apiBytes: number;
}

/** Prints what is fetched before somebody can begin, what pages add, and how long first loads take. */
export async function measureFirstLoad(dashboard: RunningDashboard, projectId: string, rounds: number): Promise<void> {
  const signInCold: Load[] = [];
  const signInWarm: Load[] = [];
  const homeCold: Load[] = [];
  const homeWarm: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await dashboard.newContext();
    // A page of its own for each: what the page before has worked does not count.
    signInCold.push(await load(await openMeasured(context), '/'));
    const second = await openMeasured(context);
    signInWarm.push(await load(second, '/'));
    await dashboard.signIn(second.page);
    const third = await openMeasured(context);
    await third.cdp.send('Network.clearBrowserCache');
    homeCold.push(await load(third, `/projects/${projectId}`));
    homeWarm.push(await load(await openMeasured(context), `/projects/${projectId}`));
    await context.close();
  }

  console.log(`\n${line('first load, kB as the browser got them', ['bundle', 'fonts', 'API', 'requests'])}`);
  for (const [name, [first]] of [
    ['sign-in page', signInCold],
    ['Home, signed in already', homeCold],
  ] as const) {
    if (!first) continue;
    const { bundleBytes, fontBytes, apiBytes, requests } = first;
    const cells = [kilobytes(bundleBytes), kilobytes(fontBytes), kilobytes(apiBytes), String(requests)];
    const isMet = bundleBytes <= NEED_KB * 1_000;
    console.log(`${line(name, cells)}  need ≤ ${NEED_KB} kB  ${verdict(isMet)}`);
  }

  const { bundleFolder } = dashboard;
  console.log(`\n${line('what a page adds, kB of gzip', ['own', 'in all'])}`);
  for (const { name, own, added } of lazyPages(readManifest(bundleFolder), (file) => gzipSize(bundleFolder, file))) {
    console.log(line(name, [kilobytes(own), kilobytes(added)]));
  }

  console.log(`\n${line(`milliseconds, medians of ${rounds} loads`, ['FCP', 'LCP', 'complete', 'work'])}`);
  const loads = { signInCold, signInWarm, homeCold, homeWarm };
  const names = {
    signInCold: 'sign-in page, empty cache',
    signInWarm: 'sign-in page, from the cache',
    homeCold: 'Home with its posts, empty cache',
    homeWarm: 'Home with its posts, from the cache',
  };
  for (const [key, name] of Object.entries(names)) {
    const median = (of: (load: Load) => number) => percentile(loads[key as keyof typeof loads].map(of), 50).toFixed(0);
    console.log(
      line(name, [
        median((l) => l.firstPaint),
        median((l) => l.largestPaint),
        median((l) => l.complete),
        median((l) => l.work),
      ]),
    );
  }
}

async function load(measured: MeasuredPage, path: string): Promise<Load> {
  const { paintedMs, work } = await measured.load(path);
  const seen = await measured.page.evaluate(async () => {
    const largest = await new Promise<number>((resolve) => {
      setTimeout(() => resolve(Number.NaN), 1_000);
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      });
    });
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[];
    const isApi = ({ name }: PerformanceEntry) => new URL(name).pathname.startsWith('/blog/');
    const isFont = ({ name }: PerformanceEntry) => name.endsWith('.woff2');
    const bytes = (of: PerformanceResourceTiming[]) => of.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
    return {
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      largestPaint: largest,
      requests: entries.length,
      bundleBytes: bytes(entries.filter((entry) => !isApi(entry) && !isFont(entry))),
      fontBytes: bytes(entries.filter(isFont)),
      apiBytes: bytes(entries.filter(isApi)),
    };
  });
  return { ...seen, complete: paintedMs, work: work.all };
}
