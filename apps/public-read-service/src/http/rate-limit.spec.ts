import { createRateLimit } from './rate-limit.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

describe('the rate limit of a key', () => {
  it('is none with 0', () => {
    expect(createRateLimit(0)).toBeNull();
  });

  it('lets a quarter of a minute’s requests through at once, then says how long to wait', () => {
    const limit = createRateLimit(60)!;
    for (let request = 0; request < 15; request += 1) expect(limit.take('a', START)).toBe(0);
    expect(limit.take('a', START)).toBe(1);
    expect(limit.take('a', START + 1_000)).toBe(0);
    expect(limit.take('a', START + 1_000)).toBe(1);
  });

  it('comes to its number over a minute, however often a reader tries', () => {
    const limit = createRateLimit(120)!;
    let answered = 0;
    for (let ms = 0; ms < 600_000; ms += 50) if (limit.take('a', START + ms) === 0) answered += 1;
    expect(answered).toBeGreaterThanOrEqual(1_200);
    expect(answered).toBeLessThanOrEqual(1_200 + 30);
  });

  it('of one project is not used up by another', () => {
    const limit = createRateLimit(4)!;
    expect(limit.take('a', START)).toBe(0);
    expect(limit.take('a', START)).toBe(15);
    expect(limit.take('b', START)).toBe(0);
  });
});
