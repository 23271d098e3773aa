const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:(?:T|[ \t]+)(\d\d?):(\d\d)(?::(\d\d)(\.\d{1,9})?)?[ \t]*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A time as front matter writes it (ISO 8601, or `2024-01-31 10:00:00 +0100`); UTC without a zone. Null for anything
 * else.
 */
export function readDate(text: string): Date | null {
  const [match, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    DATE.exec(text.trim()) ?? [];
  if (match === undefined) return null;
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?(..)$/, '$1:$2') : 'Z';
  const clock = `${hour.padStart(2, '0')}:${minute}:${second}${fraction.slice(0, 4)}`;
  const date = new Date(`${year}-${month}-${day}T${clock}${offset}`);
  const isThere = new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
  return isThere && !Number.isNaN(date.getTime()) ? date : null;
}
