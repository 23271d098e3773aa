import { backoffMs, pause } from './backoff.ts';

describe('backoffMs', () => {
  it('starts at the first wait, doubles, and stays at the longest', () => {
    const backoff = { firstMs: 100, maxMs: 30_000 };
    const waits = Array.from({ length: 12 }, (_, i) => backoffMs(i + 1, backoff));
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000]);
    expect(backoffMs(1_000_000, backoff)).toBe(30_000);
  });
});

describe('pause', () => {
  it('ends when it is aborted, before or during the wait', async () => {
    const abort = new AbortController();
    const waiting = pause(3_600_000, abort.signal);
    abort.abort();
    await waiting;
    await pause(3_600_000, abort.signal);
  });
});
