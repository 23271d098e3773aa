import type { Day } from './month.ts';

// Each is made once: to make one takes longer than to format a month with it.
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

const noonOf = (day: Day) => new Date(`${day}T12:00`);
export const weekdayOf = (day: Day) => weekday.format(noonOf(day));
export const longDayOf = (day: Day) => longDay.format(noonOf(day));
export const weekNameOf = (first: Day, last: Day) => shortDay.formatRange(noonOf(first), noonOf(last));

/** 1 for Monday to 7 for Sunday, as people count in the browser’s locale. */
export function firstWeekday(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay ?? 1;
}
