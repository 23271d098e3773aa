/** What a client has seen: all that a snapshot of the database has, which a replica sent it at a time. */
export interface EventId {
  readonly sentAt: Date;
  /** As `pg_current_snapshot()` writes it: `xmin:xmax:` and what was under way between them. */
  readonly snapshot: string;
}

/** Longer lists of what is under way are left out: then what came since the oldest of it is sent again. */
const MAX_SNAPSHOT = 1_000;
const FORM = /^(\d{1,12})\.((\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?))$/;

export function writeEventId({ sentAt, snapshot }: EventId): string {
  const [xmin = ''] = snapshot.split(':');
  const kept = snapshot.length > MAX_SNAPSHOT ? `${xmin}:${xmin}:` : snapshot;
  return `${Math.floor(sentAt.getTime() / 1_000)}.${kept}`;
}

/** Null for what the database would not read as a snapshot. */
export function readEventId(text: unknown): EventId | null {
  if (typeof text !== 'string' || text.length > MAX_SNAPSHOT + 20) return null;
  const [, seconds = '', snapshot = '', xmin = '', xmax = '', list = ''] = FORM.exec(text) ?? [];
  if (snapshot === '') return null;
  const [first, end] = [BigInt(xmin), BigInt(xmax)];
  const underWay = list === '' ? [] : list.split(',').map(BigInt);
  const ascends = underWay.every((xid, index) => index === 0 || xid > (underWay[index - 1] ?? 0n));
  const isWithin = underWay.every((xid) => xid >= first && xid < end);
  return first > 0n && first <= end && ascends && isWithin
    ? { sentAt: new Date(Number(seconds) * 1_000), snapshot }
    : null;
}

/** The first transaction that the snapshot cannot have seen. */
export const endOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? '0');
