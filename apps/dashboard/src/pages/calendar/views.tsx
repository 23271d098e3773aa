import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { calendar as text } from '../../strings/writing/calendar.ts';
import styles from './calendar.module.css';
import { longDayOf, weekdayOf, weekNameOf } from './days.ts';
import { monthOf, timeOn, type Day, type Month } from './month.ts';

export interface ViewProps {
  readonly month: Month;
  readonly name: string;
  readonly weeks: readonly (readonly Day[])[];
  readonly today: Day;
  /** The day in the grid that Tab leads to. */
  readonly focusDay: Day;
  readonly isBusy: (day: Day) => boolean;
  readonly entriesOf: (day: Day) => ReactNode;
  readonly onDay: (day: Day, button: HTMLElement) => void;
  readonly onFocusDay: (day: Day) => void;
  readonly onDrop: (day: Day) => void;
}

/** The month as a table of weeks. */
export function MonthGrid(props: ViewProps) {
  const { weeks, month, today, focusDay } = props;
  return (
    <table aria-label={text.month(props.name)} className={styles['grid']}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {weekdayOf(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell
                key={day}
                day={day}
                isToday={day === today}
                isOfMonth={monthOf(day) === month}
                isTabStop={day === focusDay}
                onDay={props.onDay}
                onFocusDay={props.onFocusDay}
                onDrop={props.onDrop}
              >
                {props.entriesOf(day)}
              </DayCell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell(
  props: Pick<ViewProps, 'onDay' | 'onFocusDay' | 'onDrop'> & {
    day: Day;
    isToday: boolean;
    isOfMonth: boolean;
    isTabStop: boolean;
    children: ReactNode;
  },
) {
  const { day, isToday, isOfMonth } = props;
  const [isOver, setOver] = useState(false);
  const number = Number(day.slice(8));
  return (
    <td
      data-cell={day}
      aria-current={isToday ? 'date' : undefined}
      data-outside={!isOfMonth || undefined}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        props.onDrop(day);
      }}
    >
      {timeOn(day) === null ? (
        <span className={styles['number']}>{number}</span>
      ) : (
        <button
          type="button"
          className={styles['day']}
          data-day={day}
          tabIndex={props.isTabStop ? 0 : -1}
          aria-label={text.scheduleOn(longDayOf(day))}
          aria-haspopup="dialog"
          onFocus={() => props.onFocusDay(day)}
          onClick={({ currentTarget }) => props.onDay(day, currentTarget)}
        >
          <span className={styles['number']}>{number}</span>
          <Plus className={styles['plus']} aria-hidden />
        </button>
      )}
      {props.children}
    </td>
  );
}

/** The weeks of the month on a phone: its days that are still to come, and every busy day, as in the grid. */
export function WeekList(props: ViewProps) {
  const { weeks, month, today } = props;
  return (
    <div className={styles['weeks']}>
      {weeks.map((week) => {
        const days = week.filter((day) => props.isBusy(day) || (monthOf(day) === month && timeOn(day) !== null));
        if (days.length === 0) return null;
        const name = weekNameOf(week[0] ?? '', week.at(-1) ?? '');
        return (
          <section key={week[0]} aria-label={name}>
            <h3>{name}</h3>
            <ul>
              {days.map((day) => (
                <li key={day} data-cell={day} aria-current={day === today ? 'date' : undefined}>
                  <span className={styles['date']}>
                    <span className={styles['weekday']}>{weekdayOf(day)}</span>
                    <span className={styles['number']}>{Number(day.slice(8))}</span>
                  </span>
                  <div className={styles['content']}>{props.entriesOf(day)}</div>
                  {timeOn(day) !== null && (
                    <button
                      type="button"
                      className={styles['add']}
                      data-day={day}
                      aria-label={text.scheduleOn(longDayOf(day))}
                      aria-haspopup="dialog"
                      onClick={({ currentTarget }) => props.onDay(day, currentTarget)}
                    >
                      <Plus />
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
