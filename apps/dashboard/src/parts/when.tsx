import { formatDateTime, formatExactly, formatRelative } from './dates.ts';

/** A moment, in the owner’s time zone; the exact one with the zone’s name is in the title. */
export function When({ iso, relative = false }: { iso: string; relative?: boolean }) {
  return (
    <time dateTime={iso} title={formatExactly(iso)}>
      {relative ? formatRelative(iso) : formatDateTime(iso)}
    </time>
  );
}
