import { capOf, measure, medianMs } from './latency.ts';

const attempt = (second: number, ms: number | null, reason: string | null = null) => ({
  number: 1,
  started_at: new Date(second * 1_000).toISOString(),
  ended_at: ms === null ? null : new Date(second * 1_000 + ms).toISOString(),
  status_code: reason === null ? 200 : null,
  reason,
  detail: null,
});

describe('the time that a receiver takes', () => {
  it('is that of each attempt that has ended, oldest first', () => {
    const newestFirst = [{ attempts: [attempt(9, null)] }, { attempts: [attempt(1, 50), attempt(5, 70, 'timeout')] }];
    expect(measure(newestFirst)).toEqual([
      { startedAt: '1970-01-01T00:00:01.000Z', ms: 50, statusCode: 200, succeeded: true },
      { startedAt: '1970-01-01T00:00:05.000Z', ms: 70, statusCode: null, succeeded: false },
    ]);
  });

  it('is summed up by its median', () => {
    const measured = measure([{ attempts: [attempt(1, 10), attempt(2, 30), attempt(3, 9_000)] }]);
    expect(medianMs(measured)).toBe(30);
    expect(medianMs([])).toBe(0);
  });

  it('is cut off at four times the slowest success, so that one timeout does not flatten the others', () => {
    const successes = [attempt(1, 10), attempt(2, 30)];
    expect(capOf(measure([{ attempts: [...successes, attempt(3, 30_000, 'timeout')] }]))).toBe(120);
    expect(capOf(measure([{ attempts: successes }]))).toBe(30);
    expect(capOf(measure([{ attempts: [attempt(3, 30_000, 'timeout')] }]))).toBe(30_000);
  });
});
