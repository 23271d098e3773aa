import type { DailyUsage } from './key-usage-store.ts';

/** How many days of usage are stored, today included. */
export const MAX_USAGE_DAYS = 90;

const DAY_MS = 86_400_000;

/** The day (UTC) that is `daysBefore` days before `time`, as `2026-01-31`. */
export function usageDay(time: Date, daysBefore = 0): string {
  return new Date(time.getTime() - daysBefore * DAY_MS).toISOString().slice(0, 10);
}

/** The last `days` days up to today (UTC), oldest first, those without any use filled in. */
export function fillDays(
  used: readonly DailyUsage[],
  days: number,
  now: Date,
): { readonly day: string; readonly requests: number; readonly notModified: number }[] {
  const byDay = new Map(used.map((day) => [day.day, day]));
  return Array.from({ length: days }, (_, index) => {
    const day = usageDay(now, days - 1 - index);
    const { requests = 0, notModified = 0 } = byDay.get(day) ?? {};
    return { day, requests, notModified };
  });
}
