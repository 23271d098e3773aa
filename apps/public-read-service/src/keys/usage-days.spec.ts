import { fillDays, usageDay } from './usage-days.ts';

const now = new Date('2026-03-01T00:00:30Z');

describe('days of usage', () => {
  it('are in UTC', () => {
    expect(usageDay(now)).toBe('2026-03-01');
    expect(usageDay(now, 1)).toBe('2026-02-28');
    expect(usageDay(new Date('2026-03-01T23:59:59.999-01:00'))).toBe('2026-03-02');
  });

  it('are complete, oldest first, including those without use', () => {
    const used = [{ day: '2026-02-28', requests: 5, notModified: 2, lastUsedAt: now }];
    expect(fillDays(used, 3, now)).toEqual([
      { day: '2026-02-27', requests: 0, notModified: 0 },
      { day: '2026-02-28', requests: 5, notModified: 2 },
      { day: '2026-03-01', requests: 0, notModified: 0 },
    ]);
    expect(fillDays(used, 1, now)).toEqual([{ day: '2026-03-01', requests: 0, notModified: 0 }]);
  });
});
