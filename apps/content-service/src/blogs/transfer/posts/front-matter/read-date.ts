const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?';

type Day = readonly [year: number, month: number, day: number];
type Fields = readonly (string | undefined)[];

/** The forms of a day that can be read in one way only, with what their parts mean. */
const DAYS: readonly (readonly [RegExp, (parts: Fields) => Day | null])[] = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})/, ([, year, , month, day]) => numbers(year, month, day)],
  [/^(\d{4})(\d\d)(\d\d)(?!\d)/, ([, year, month, day]) => numbers(year, month, day)],
  [
    new RegExp(`^${WEEKDAY}${MONTH}\\s+${DAY},?\\s+(\\d{4})`, 'i'),
    ([, month, day, year]) => numbers(year, monthOf(month), day),
  ],
  [
    new RegExp(`^${WEEKDAY}${DAY}\\.?[\\s-]+${MONTH},?[\\s-]+(\\d{4})`, 'i'),
    ([, day, month, year]) => numbers(year, monthOf(month), day),
  ],
  // Which one is the month depends on where it was written, unless one of them can be none.
  [/^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})/, ([, first, , second, year]) => dayAndMonth(first, second, year)],
];

const TIME = /^(?:T|,?\s+(?:at\s+)?)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?/i;
/** Names of zones that mail has (RFC 5322) and that mean one offset. */
const ZONES: Readonly<Record<string, string>> = {
  ...{ z: '+0', utc: '+0', gmt: '+0', ut: '+0' },
  ...{ est: '-5', edt: '-4', cst: '-6', cdt: '-5', mst: '-7', mdt: '-6', pst: '-8', pdt: '-7' },
};
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d\d))?$/i;
/** The name of a zone behind its offset: `+02:00[Europe/Berlin]`, `GMT+0200 (CEST)`. */
const ZONE_NAME = /[[(][\w ./+-]+[\])]$/;

const MAX_LENGTH = 100;
const MAX_OFFSET_MINUTES = 14 * 60;
const MINUTE_MS = 60_000;

/**
 * A time as front matter writes it: `2024-01-31T10:00:00Z`, `2024/1/31 10:00 +01`, `Jan 31 2024`, `31 January 2024`. In
 * UTC without a zone. Null for what can be read in two ways (`07/08/2022`) or in none.
 */
export function readDate(text: string): Date | null {
  const given = text.trim();
  if (given.length > MAX_LENGTH) return null;
  for (const [form, read] of DAYS) {
    const parts = form.exec(given);
    if (parts === null) continue;
    const day = read(parts);
    return day === null ? null : timeOn(day, given.slice(parts[0].length));
  }
  return null;
}

function timeOn([year, month, day]: Day, rest: string): Date | null {
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  const [time = '', hours = '0', minutes = '0', seconds = '0', fraction = '', half] = TIME.exec(rest) ?? [];
  const hour = hourOf(Number(hours), half);
  if (hour === null || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const after = rest.slice(time.length).trim();
  // A year behind the time, as JavaScript does not write it, or anything else that is not a zone, is not understood.
  const offset = after === '' ? 0 : time === '' ? null : offsetOf(after);
  if (offset === null) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const clock = Date.UTC(year, month - 1, day, hour, Number(minutes), Number(seconds), milliseconds);
  return new Date(clock - offset * MINUTE_MS);
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour > 23 ? null : hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Minutes ahead of UTC. */
function offsetOf(zone: string): number | null {
  const name = zone.replace(ZONE_NAME, '').trim();
  const [match, sign, hours, minutes = '0'] = OFFSET.exec(ZONES[name.toLowerCase()] ?? name) ?? [];
  if (match === undefined || Number(minutes) > 59) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > MAX_OFFSET_MINUTES) return null;
  return sign === '-' ? -offset : offset;
}

function dayAndMonth(first: string | undefined, second: string | undefined, year: string | undefined): Day | null {
  const [a, b] = [Number(first), Number(second)];
  if (a !== b && a <= 12 && b <= 12) return null;
  return a > 12 ? numbers(year, second, first) : numbers(year, first, second);
}

const monthOf = (name: string | undefined): string => String(MONTHS.indexOf(name?.slice(0, 3).toLowerCase() ?? '') + 1);

const numbers = (year: string | undefined, month: string | undefined, day: string | undefined): Day => [
  Number(year),
  Number(month),
  Number(day),
];
