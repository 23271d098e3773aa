import { Bot } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { formatTime } from '../../parts/dates.ts';
import { calendar as text } from '../../strings/writing/calendar.ts';
import styles from './calendar.module.css';
import { DayEntry } from './day-entry.tsx';
import type { Entry } from './entries.ts';

const FEW = 3;
const MOST = 100;

export type EntryHandlers = Pick<ComponentProps<typeof DayEntry>, 'onMenu' | 'onDrag'> & {
  /** The post whose menu is open. */
  readonly menuOf: string | null;
};

/** The posts of a day, a few of many until more are asked for, and the autopilot's next topic. */
export function DayEntries(props: { entries: readonly Entry[]; nextRunAt: string | null } & EntryHandlers) {
  const { entries, nextRunAt, menuOf, ...handlers } = props;
  const [isWhole, setWhole] = useState(false);
  const shown = entries.slice(0, isWhole ? MOST : FEW);
  return (
    <div className={styles['entries']}>
      {shown.map((entry) => (
        <DayEntry
          key={`${entry.kind} ${entry.blogId}`}
          entry={entry}
          isOpen={entry.schedule !== null && menuOf === entry.blogId}
          {...handlers}
        />
      ))}
      {entries.length > FEW && !isWhole && (
        <button type="button" className={styles['more']} onClick={() => setWhole(true)}>
          {text.more(entries.length - FEW)}
        </button>
      )}
      {nextRunAt !== null && (
        <span className={styles['entry']} data-kind="autopilot">
          <span className={styles['name']}>
            <span className={styles['time']}>{formatTime(nextRunAt)}</span> {text.autopilotNext}
          </span>
          <Bot aria-hidden />
        </span>
      )}
    </div>
  );
}
