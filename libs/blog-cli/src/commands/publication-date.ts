import { UsageError } from '../command-error.ts';

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const TIME = String.raw`T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)`;
const FORM = new RegExp(`^(${DAY})(${TIME})?$`, 'i');

/**
 * A day from midnight UTC, as front matter is read, or a time with its zone. In UTC, as the API takes it.
 *
 * @throws UsageError for anything else
 */
export function readPublicationDate(given: string): string {
  const [, day, time = 'T00:00:00Z'] = FORM.exec(given.trim()) ?? [];
  const [midnight, date] = [new Date(`${day}T00:00:00Z`), new Date(`${day}${time}`)];
  // JavaScript takes February 30 for March 1.
  const isInCalendar = day !== undefined && !Number.isNaN(+midnight) && midnight.toISOString().startsWith(day);
  if (isInCalendar && !Number.isNaN(+date)) return date.toISOString();
  throw new UsageError(
    `--date must be a day (2025-08-08) or a time with a zone (2025-08-08T10:00:00Z), got “${given.slice(0, 50)}”.`,
  );
}
