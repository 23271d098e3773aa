import { percentile } from './percentiles.ts';

describe('percentiles', () => {
  const sample = Array.from({ length: 100 }, (_, index) => 100 - index);
  it.each([
    [50, 50],
    [99, 99],
    [100, 100],
    [0, 1],
  ])('p%d of 1..100 is %d', (p, value) => {
    expect(percentile(sample, p)).toBe(value);
  });
  it('knows none of an empty sample', () => {
    expect(percentile([], 50)).toBeNaN();
  });
});
