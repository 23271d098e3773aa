import { createRateLimit } from './rate-limit.ts';

beforeAll(() => void jest.useFakeTimers());
afterAll(() => void jest.useRealTimers());

describe('the rate limit of a key', () => {
  it('is none with 0', () => {
    expect(createRateLimit(0)).toBeNull();
  });

  it('allows a burst of a quarter of a minute’s requests, then says how long to wait', async () => {
    const limit = createRateLimit(60)!;
    for (let request = 0; request < 15; request += 1) expect(await limit.take('a')).toBe(0);
    expect(await limit.take('a')).toBe(15);
    jest.advanceTimersByTime(14_000);
    expect(await limit.take('a')).toBe(1);
    jest.advanceTimersByTime(1_000);
    expect(await limit.take('a')).toBe(0);
  });

  it('allows its number per minute, however often a reader tries', async () => {
    const limit = createRateLimit(120)!;
    let answered = 0;
    for (let ms = 0; ms < 60_000; ms += 250, jest.advanceTimersByTime(250)) {
      if ((await limit.take('a')) === 0) answered += 1;
    }
    expect(answered).toBe(120);
  });

  it('of one project is not used up by another', async () => {
    const limit = createRateLimit(4)!;
    expect(await limit.take('a')).toBe(0);
    expect(await limit.take('a')).toBe(15);
    expect(await limit.take('b')).toBe(0);
  });
});
