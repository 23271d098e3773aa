import { toLocalInput } from '../../parts/forms/local-time.ts';
import { dayAt, dayOf, monthsLater, onDay, readCalendarSearch, timeOn, weeksOf } from './month.ts';

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

describe('the time that a day offers', () => {
  const now = new Date(2026, 10, 28, 14, 20);

  it('is nine, and today the next full hour after that', () => {
    expect(timeOn('2026-11-29', now)).toBe('09:00');
    expect(timeOn('2026-11-28', now)).toBe('15:00');
    expect(timeOn('2026-11-28', new Date(2026, 10, 28, 6))).toBe('09:00');
  });

  it('is none when the day is over', () => {
    expect(timeOn('2026-11-27', now)).toBeNull();
    expect(timeOn('2026-11-28', new Date(2026, 10, 28, 23, 5))).toBeNull();
  });
});

describe('the arrow keys', () => {
  it('lead to the day beside and the week above and below, across months', () => {
    expect(dayAt('ArrowLeft', '2026-12-01')).toBe('2026-11-30');
    expect(dayAt('ArrowDown', '2026-11-28')).toBe('2026-12-05');
    expect(dayAt('Enter', '2026-11-28')).toBeNull();
  });
});

describe('a moment in the calendar', () => {
  it('keeps its time of day when it goes to another day', () => {
    const moved = onDay(new Date(2026, 10, 23, 9, 30).toISOString(), '2026-12-01');
    expect(toLocalInput(moved)).toBe('2026-12-01T09:30');
    expect(dayOf(new Date(moved))).toBe('2026-12-01');
  });
});
