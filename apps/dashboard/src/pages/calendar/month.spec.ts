import { toLocalInput } from '../../parts/forms/local-time.ts';
import { dayOf, monthsLater, onDay, readCalendarSearch, weeksOf } from './month.ts';

describe('a month', () => {
  it('has whole weeks, beginning with the first weekday of the reader', () => {
    const monday = weeksOf('2026-11', 1);
    expect(monday[0]?.[0]).toBe('2026-10-26');
    expect(monday.at(-1)?.at(-1)).toBe('2026-12-06');
    expect(weeksOf('2026-11', 7)[0]?.[0]).toBe('2026-11-01');
    for (const month of ['2024-02', '2026-02', '2026-03', '2026-10']) {
      const weeks = weeksOf(month, 1);
      expect(weeks.every((week) => week.length === 7)).toBe(true);
      expect(new Set(weeks.flat()).size).toBe(weeks.length * 7);
    }
  });

  it('is followed by the next one, across the end of a year', () => {
    expect(monthsLater('2026-12', 1)).toBe('2027-01');
    expect(monthsLater('2026-01', -1)).toBe('2025-12');
  });

  it('is read from the address, or is this one', () => {
    expect(readCalendarSearch({ month: '2026-11' })).toEqual({ month: '2026-11' });
    expect(readCalendarSearch({ month: '2026-13' })).toEqual({});
  });
});

describe('a moment in the calendar', () => {
  it('keeps its time of day when it goes to another day', () => {
    const moved = onDay(new Date(2026, 10, 23, 9, 30).toISOString(), '2026-12-01');
    expect(toLocalInput(moved)).toBe('2026-12-01T09:30');
    expect(dayOf(new Date(moved))).toBe('2026-12-01');
  });
});
