import { formatRelative, isWithinAWeek } from './dates.ts';

const now = Date.parse('2026-11-23T12:00:00Z');

describe('a moment seen from now', () => {
  it.each([
    ['2026-11-23T12:00:30Z', 'in less than a minute'],
    ['2026-11-23T12:00:00Z', 'just now'],
    ['2026-11-23T11:59:01Z', 'just now'],
    ['2026-11-23T11:57:00Z', '3 minutes ago'],
    ['2026-11-23T14:00:00Z', 'in 2 hours'],
    ['2026-11-22T11:00:00Z', 'yesterday'],
    ['2025-11-20T12:00:00Z', 'last year'],
  ])('%s is “%s”', (iso, words) => {
    expect(formatRelative(iso, now)).toBe(words);
  });

  it('is a date from seven days on, before and after', () => {
    expect(['2026-11-16T12:00:01Z', '2026-11-30T11:59:59Z'].map((iso) => isWithinAWeek(iso, now))).toEqual([
      true,
      true,
    ]);
    expect(['2026-11-16T12:00:00Z', '2026-11-30T12:00:00Z'].map((iso) => isWithinAWeek(iso, now))).toEqual([
      false,
      false,
    ]);
  });
});
