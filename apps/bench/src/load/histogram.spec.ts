import { Histogram } from './histogram.ts';

describe('Histogram', () => {
  it('knows percentiles to 10 µs', () => {
    const histogram = new Histogram();
    for (let index = 1; index <= 1000; index += 1) histogram.add(index / 10);
    expect(histogram.percentileMs(50)).toBeCloseTo(50, 1);
    expect(histogram.percentileMs(99)).toBeCloseTo(99, 1);
    expect(histogram.percentileMs(100)).toBe(100);
    expect(histogram.size).toBe(1000);
  });
  it('keeps the longest exactly, also beyond its last bucket', () => {
    const histogram = new Histogram();
    for (const durationMs of [1, 7_000.5]) histogram.add(durationMs);
    expect(histogram.maxMs).toBe(7_000.5);
    expect(histogram.percentileMs(99)).toBe(7_000.5);
  });
  it('never says more than the longest', () => {
    const histogram = new Histogram();
    histogram.add(0.001);
    expect(histogram.percentileMs(50)).toBe(0.001);
  });
  it('knows none of an empty sample', () => {
    expect(new Histogram().percentileMs(50)).toBeNaN();
  });
});
