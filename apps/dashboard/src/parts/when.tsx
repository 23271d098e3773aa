import { useSyncExternalStore } from 'react';
import { formatDateTime, formatExactly, formatRelative, isWithinAWeek } from './dates.ts';

/**
 * A moment in the viewer’s time zone: relative within seven days, then the date; the exact one is in the title. Logs
 * say `exact`.
 */
export function When({ iso, exact = false }: { iso: string; exact?: boolean }) {
  const now = useSyncExternalStore(onMinute, thisMinute);
  return (
    <time dateTime={iso} title={formatExactly(iso)}>
      {!exact && isWithinAWeek(iso, now) ? formatRelative(iso) : formatDateTime(iso)}
    </time>
  );
}

const MINUTE_MS = 60_000;
const thisMinute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all moments of a page: “3 minutes ago” does not stay. */
function onMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((each) => each()), MINUTE_MS / 4);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
