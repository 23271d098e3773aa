import { percentile } from '../percentiles.ts';

export const tableHead = `${'milliseconds'.padEnd(58)}${['p50', 'p90', 'p99', 'max', 'n'].map((h) => h.padStart(9)).join('')}`;

/** One line of the table: a name and the percentiles of its sample. */
export function row(name: string, sample: readonly number[]): string {
  const figures = [50, 90, 99, 100].map((p) => percentile(sample, p).toFixed(1).padStart(9));
  return `${name.padEnd(58)}${figures.join('')}${String(sample.length).padStart(9)}`;
}
