/** A calendar day in the viewer’s time zone: `2026-11-23`. */
export type Day = string;
/** `2026-11`. */
export type Month = string;

export interface CalendarSearch {
  /** This month where there is none. */
  readonly month?: Month;
}

export function readCalendarSearch({ month }: Readonly<Record<string, unknown>>): CalendarSearch {
  return typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? { month } : {};
}

const two = (number: number) => String(number).padStart(2, '0');

export const dayOf = (at: Date): Day => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
export const monthOf = (day: Day): Month => day.slice(0, 7);

/** The first day of the month, at noon: no change of the clocks moves noon to another day. */
export const firstOf = (month: Month): Date => new Date(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1, 12);

export function monthsLater(month: Month, months: number): Month {
  const first = firstOf(month);
  return monthOf(dayOf(new Date(first.getFullYear(), first.getMonth() + months, 1, 12)));
}

/** The weeks that the month touches, each of seven days. `firstWeekday` is 1 for Monday to 7 for Sunday. */
export function weeksOf(month: Month, firstWeekday: number): readonly (readonly Day[])[] {
  const first = firstOf(month);
  const before = ((first.getDay() || 7) - firstWeekday + 7) % 7;
  const weeks: Day[][] = [];
  for (let offset = -before; ; offset += 7) {
    const week = Array.from({ length: 7 }, (_, index) =>
      dayOf(new Date(first.getFullYear(), first.getMonth(), 1 + offset + index, 12)),
    );
    if (weeks.length > 0 && !week.some((day) => monthOf(day) === month)) return weeks;
    weeks.push(week);
  }
}

/** The same time of day on another day. */
export function onDay(iso: string, day: Day): string {
  const at = new Date(iso);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, at.getHours(), at.getMinutes(), at.getSeconds()).toISOString();
}

const HOUR = 9;

/** When a post goes live that is scheduled for the day: at nine, or today in the next full hour. Null: it is over. */
export function timeOn(day: Day, now = new Date()): string | null {
  const today = dayOf(now);
  if (day < today) return null;
  const next = now.getHours() + 1;
  if (day > today || next <= HOUR) return `${two(HOUR)}:00`;
  return next < 24 ? `${two(next)}:00` : null;
}

/** The day that an arrow key leads to; null for another key. */
export function dayAt(key: string, day: Day): Day | null {
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[key];
  if (days === undefined) return null;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return dayOf(new Date(year, month - 1, date + days, 12));
}
