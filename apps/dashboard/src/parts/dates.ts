import { common } from '../strings/common.ts';

/** Dates in the reader's time zone and notation. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

// Each is made once: to make one takes longer than to format a page’s dates with it.
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const withSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const shortly = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));

/** For steps that are seconds apart. */
export const formatSeconds = (iso: string): string => withSeconds.format(new Date(iso));

/** Without the year, for what comes soon. */
export const formatShortly = (iso: string): string => shortly.format(new Date(iso));

export const formatTime = (iso: string): string => time.format(new Date(iso));

/** With seconds and the zone’s name: for titles. */
export const formatExactly = (iso: string): string => exactly.format(new Date(iso));

/** A calendar day (`2026-11-23`) that belongs to no time zone. */
export const formatUtcDay = (day: string): string => utcDay.format(new Date(`${day}T00:00:00Z`));

const WEEK_MS = 7 * 86_400_000;

/** Whether people say of a moment how long ago it was, or how soon it comes, rather than its date. */
export const isWithinAWeek = (iso: string, now: number): boolean => Math.abs(Date.parse(iso) - now) < WEEK_MS;

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** “3 minutes ago”, “tomorrow”; within a minute “just now” or “in less than a minute”. */
export function formatRelative(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? common.withinAMinute : common.justNow;
}
