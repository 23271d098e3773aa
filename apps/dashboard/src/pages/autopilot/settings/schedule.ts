import type { Autopilot } from '../../../generated/types.gen.ts';
import { timeZone } from '../../../parts/dates.ts';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { cadenceOf } from './cadence.ts';

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const MINUTE_MS = 60_000;

/** When drafts are written, as a sentence by the viewer’s clocks; the zone is named where it has others. */
export function scheduleSentence(
  autopilot: Pick<Autopilot, 'time_zone' | 'days' | 'times'> & { per_week?: number | null },
): string {
  const { days, here, there, isSame } = cadenceOf(autopilot, timeZone(), new Date());
  const { schedule } = text;
  const words = (times: readonly number[]) => schedule.times(times.map((minutes) => clock.format(minutes * MINUTE_MS)));
  const zone = autopilot.time_zone.replaceAll('_', ' ');
  const when =
    here === null
      ? schedule.elsewhere(schedule.days(days), words(there), zone)
      : isSame
        ? schedule.here(schedule.days(days), words(here))
        : schedule.away(schedule.days(days), words(here), zone, words(there));
  const most = autopilot.per_week ?? null;
  return most !== null && most < days.length * there.length ? schedule.most(most, when) : schedule.draft(when);
}
