/** When posts are made, on the clock of a place. */
export interface Cadence {
  /** Of the IANA database. */
  readonly time_zone: string;
  /** Of `mon` to `sun`, at least one. */
  readonly days: readonly string[];
  /** `HH:MM`, at least one. */
  readonly times: readonly string[];
  /** How many of these times in a week; null for all. */
  readonly per_week: number | null;
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Two weeks on there was one, even when clocks change. */
const SEARCHED_DAYS = 15;

/** A time of the week: 0 is Monday. */
interface WeekTime {
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * The first run after an instant. A time that the clock leaves out when it is put forward is that much later on that
 * day, and one that it shows twice is the first of the two: each time of a week is one run, in any time zone.
 */
export function nextRun(cadence: Cadence, after: Date): Date {
  const times = timesOfWeek(cadence);
  const clock = clockOf(cadence.time_zone);
  // A day before, because the clock of the place may show another date than the instant's.
  const first = Math.floor((after.getTime() + clock(after.getTime())) / DAY_MS) * DAY_MS - DAY_MS;
  for (let day = 0; day <= SEARCHED_DAYS; day += 1) {
    const midnight = first + day * DAY_MS;
    const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
    const runs = times
      .filter((time) => time.day === weekday)
      .map(({ hour, minute }) => instantOf(clock, midnight + (hour * 60 + minute) * MINUTE_MS))
      .filter((run) => run > after.getTime());
    if (runs.length > 0) return new Date(Math.min(...runs));
  }
  throw new Error('A week has no run.');
}

/** The times of a week, in order: all of them, or so many evenly spread. */
export function timesOfWeek({ days, times, per_week: perWeek }: Omit<Cadence, 'time_zone'>): WeekTime[] {
  const all = [...new Set(days)]
    .map((day) => DAYS.indexOf(day))
    .toSorted((a, b) => a - b)
    .flatMap((day) =>
      [...new Set(times)].toSorted().map((time) => ({
        day,
        hour: Number(time.slice(0, 2)),
        minute: Number(time.slice(3)),
      })),
    );
  const count = Math.min(perWeek ?? all.length, all.length);
  return Array.from({ length: count }, (_unused, index) => all[Math.floor((index * all.length) / count)]).filter(
    (time) => time !== undefined,
  );
}

/** How far the clock of a place is ahead of UTC at an instant, in milliseconds. */
type Clock = (instantMs: number) => number;

function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return (instantMs) => {
    const parts = Object.fromEntries(
      format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)] as const),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1_000) * 1_000;
  };
}

/** The instant at which a clock shows a time, given as if it were UTC. */
function instantOf(clock: Clock, shown: number): number {
  // The clock before and behind any change that is near.
  const [before, behind] = [clock(shown - DAY_MS), clock(shown + DAY_MS)];
  const [one, other] = [shown - before, shown - behind].toSorted((a, b) => a - b) as [number, number];
  if (one + clock(one) === shown) return one;
  if (other + clock(other) === shown) return other;
  // Left out: as long after the change as it would have been.
  return shown - before;
}
