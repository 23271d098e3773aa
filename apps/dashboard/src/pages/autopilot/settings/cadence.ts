import type { Weekday } from '../../../generated/types.gen.ts';
import { WEEKDAYS } from './settings-request.ts';

const DAY_MINUTES = 24 * 60;

/** Days and times (minutes after midnight) by the viewer’s clocks, and by those of the autopilot’s time zone. */
export interface Cadence {
  /** Those of the autopilot where it has no common days for the viewer. */
  readonly days: readonly Weekday[];
  /** Null where the times fall on different days for the viewer, so that they cannot be told as one sentence. */
  readonly here: readonly number[] | null;
  readonly there: readonly number[];
  /** Whether the clocks of both show the same. */
  readonly isSame: boolean;
}

/** How many minutes the clocks of a zone are ahead of UTC at a moment. */
function offsetOf(timeZone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

export function cadenceOf(
  { time_zone, days, times }: { time_zone: string; days: readonly Weekday[]; times: readonly string[] },
  viewersZone: string,
  at: Date,
): Cadence {
  const there = times.map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * 60 + minutes;
  });
  const inOrder = WEEKDAYS.filter((day) => days.includes(day));
  const ahead = offsetOf(viewersZone, at) - offsetOf(time_zone, at);
  const moved = there.map((minutes) => minutes + ahead);
  const shifts = new Set(moved.map((minutes) => Math.floor(minutes / DAY_MINUTES)));
  const [shift = 0] = shifts;
  if (shifts.size > 1) return { days: inOrder, here: null, there, isSame: false };
  const shifted = inOrder.map((day) => WEEKDAYS[(WEEKDAYS.indexOf(day) + shift + 7) % 7]!);
  return {
    days: WEEKDAYS.filter((day) => shifted.includes(day)),
    here: moved.map((minutes) => minutes - shift * DAY_MINUTES),
    there,
    isSame: ahead === 0,
  };
}
