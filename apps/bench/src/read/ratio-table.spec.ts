import type { Figures } from './compare.ts';
import { ratioHead, ratioRow } from './ratio-table.ts';

const figures = (perSecond: number, p99Ms: number): Figures => ({
  perSecond,
  p50Ms: 1,
  p99Ms,
  maxMs: 9,
  bodyBytes: 0,
  cpuShare: 0.5,
  serverShare: 1,
});

describe('ratioRow', () => {
  const need = { perSecond: 0.8, p99: 2 };
  it.each([
    ['ok when both needs are met', figures(800, 4), 'ok'],
    ['UNDER when it is too slow', figures(799, 4), 'UNDER'],
    ['UNDER when its p99 is too long', figures(900, 4.1), 'UNDER'],
  ])('says %s', (_name, product, verdict) => {
    expect(ratioRow('case', 10, { product, baseline: figures(1_000, 2) }, need)).toMatch(new RegExp(`  ${verdict}$`));
  });
  it('asks nothing of the p99 where nothing is needed of it', () => {
    const row = ratioRow('case', 10, { product: figures(1_000, 50), baseline: figures(1_000, 2) }, { perSecond: 1 });
    expect(row).toMatch(/ {2}ok$/);
  });
  it('is aligned under its heading', () => {
    const row = ratioRow('case', 10, { product: figures(1, 1), baseline: figures(1, 1) }, need);
    expect(row.replace(/ {2}\w+$/, '')).toHaveLength(ratioHead('cases', 'bare').length);
  });
});
