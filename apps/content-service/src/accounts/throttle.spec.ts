import { createThrottle } from './throttle.ts';

describe('throttled sign-in', () => {
  let now = 0;
  const fail = (throttle: ReturnType<typeof createThrottle>, times: number) => {
    for (let count = 0; count < times; count += 1) throttle.failed('a');
  };

  it('lets five failures pass, then waits 1 s, 2 s, 4 s …, 15 min at most', () => {
    const throttle = createThrottle(() => now);
    fail(throttle, 5);
    expect(throttle.waitMs('a')).toBe(0);
    const waits = [1, 2, 3, 4].map(() => {
      throttle.failed('a');
      return throttle.waitMs('a');
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    fail(throttle, 30);
    expect(throttle.waitMs('a')).toBe(900_000);
  });

  it('ends with the wait, with a success, and for other keys never begins', () => {
    const throttle = createThrottle(() => now);
    fail(throttle, 6);
    expect(throttle.waitMs('b')).toBe(0);
    now += 999;
    expect(throttle.waitMs('a')).toBe(1);
    now += 1;
    expect(throttle.waitMs('a')).toBe(0);
    throttle.failed('a');
    throttle.succeeded('a');
    fail(throttle, 5);
    expect(throttle.waitMs('a')).toBe(0);
  });

  it('forgets failures after half an hour', () => {
    const throttle = createThrottle(() => now);
    fail(throttle, 5);
    now += 30 * 60_000;
    throttle.failed('a');
    expect(throttle.waitMs('a')).toBe(0);
  });
});
