import type { Figures } from './compare.ts';

/** What a comparison has to show. */
export interface Need {
  /** At least this part of the baseline's requests per second. */
  readonly perSecond: number;
  /** The p99 may be this many times the baseline's at most; undefined when nothing is asked of it. */
  readonly p99?: number;
}

const NAME_WIDTH = 40;
const WIDTHS = [8, 10, 10, 7, 8, 11, 9, 9, 7, 8, 12, 12] as const;

/** The heading of {@link ratioRow}'s lines; `baseline` is what the product is compared with. */
export function ratioHead(title: string, baseline: string): string {
  const rates = ['body', 'product/s', `${baseline}/s`, 'ratio', 'need', 'per cpu-s'];
  return line(title, [...rates, 'p99 ms', baseline, 'ratio', 'need', 'server busy', 'load busy']);
}

/**
 * One case: requests per second and p99 of both; `per cpu-s`, the ratio of requests per second of processor time of the
 * servers, which says the same as `ratio` where the machine does other work beside; how busy the core of the server and
 * that of the load generator were with these two processes, measuring the product and measuring the baseline; and
 * whether it is what was needed.
 */
export function ratioRow(
  name: string,
  bodyBytes: number,
  { product, baseline }: { product: Figures; baseline: Figures },
  need: Need,
): string {
  const rate = product.perSecond / baseline.perSecond;
  const slower = product.p99Ms / baseline.p99Ms;
  const isMet = rate >= need.perSecond && (need.p99 === undefined || slower <= need.p99);
  const cells = [
    bodyBytes < 10_000 ? `${bodyBytes} B` : `${(bodyBytes / 1000).toFixed(0)} kB`,
    product.perSecond.toFixed(0),
    baseline.perSecond.toFixed(0),
    rate.toFixed(2),
    `≥ ${need.perSecond.toFixed(2)}`,
    ((rate * baseline.serverShare) / product.serverShare).toFixed(2),
    product.p99Ms.toFixed(2),
    baseline.p99Ms.toFixed(2),
    slower.toFixed(2),
    need.p99 === undefined ? '' : `≤ ${need.p99.toFixed(2)}`,
    `${percent(product.serverShare)}/${percent(baseline.serverShare)} %`,
    `${percent(product.cpuShare)}/${percent(baseline.cpuShare)} %`,
  ];
  return `${line(name, cells)}  ${verdict(isMet)}`;
}

/** How a need that is met, or not, is written. */
export function verdict(isMet: boolean): string {
  return isMet ? 'ok' : 'UNDER';
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(NAME_WIDTH) + cells.map((cell, at) => cell.padStart(WIDTHS[at] ?? 0)).join('');
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
