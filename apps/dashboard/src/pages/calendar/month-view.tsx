import { Box, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Schedule } from '../../generated/types.gen.ts';
import { formatDateTime } from '../../parts/dates.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { calendar as text } from '../../strings/calendar.ts';
import { dayOf, monthOf, weeksOf, type Day, type Month } from './month.ts';

interface MonthViewProps {
  month: Month;
  name: string;
  schedules: readonly Schedule[];
  loaded: boolean;
  /** When the autopilot takes its next topic. */
  nextRunAt: string | null;
  onOpen: (schedule: Schedule) => void;
  onMove: (schedule: Schedule, day: Day) => void;
}

/** A table of weeks, and on a narrow screen a list of the days that have something. */
export function MonthView(props: MonthViewProps) {
  const { month, schedules, nextRunAt } = props;
  const [dragged, setDragged] = useState<Schedule | null>(null);
  const weeks = weeksOf(month, firstWeekday());
  const of = (day: Day) => schedules.filter(({ publish_at }) => dayOf(new Date(publish_at)) === day);
  const runsOn = nextRunAt === null ? null : dayOf(new Date(nextRunAt));
  const busy = weeks.flat().filter((day) => monthOf(day) === month && (of(day).length > 0 || day === runsOn));
  const entries = (day: Day): ReactNode => (
    <Stack gap={4}>
      {of(day).map((schedule) => (
        <Entry
          key={schedule.blog_id}
          schedule={schedule}
          onOpen={() => props.onOpen(schedule)}
          onDrag={() => setDragged(schedule)}
        />
      ))}
      {day === runsOn && nextRunAt !== null && (
        <Text size="xs" c="dimmed">
          {text.entry(timeOf(nextRunAt), text.autopilotNext)}
        </Text>
      )}
    </Stack>
  );
  const today = dayOf(new Date());
  return (
    <>
      <Box visibleFrom="sm">
        <table
          aria-label={text.month(props.name)}
          style={{ width: '100%', borderCollapse: 'collapse', tableLayout: 'fixed' }}
        >
          <thead>
            <tr>
              {weeks[0]?.map((day) => (
                <th key={day} scope="col" style={{ fontSize: 14, textAlign: 'start', padding: 4 }}>
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
                    onDrop={() => {
                      if (dragged !== null && dayOf(new Date(dragged.publish_at)) !== day) props.onMove(dragged, day);
                      setDragged(null);
                    }}
                  >
                    {entries(day)}
                  </DayCell>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      <Box hiddenFrom="sm">
        <Stack gap="sm">
          {busy.map((day) => (
            <div key={day}>
              <Text size="sm" fw={600}>
                {longDayOf(day)}
              </Text>
              {entries(day)}
            </div>
          ))}
        </Stack>
      </Box>
      {props.loaded && busy.length === 0 && <EmptyState title={text.none}>{text.noneText}</EmptyState>}
    </>
  );
}

function DayCell(props: {
  day: Day;
  isToday: boolean;
  isOfMonth: boolean;
  /** A post was dragged here. */
  onDrop: () => void;
  children: ReactNode;
}) {
  const { day, isToday, isOfMonth, onDrop } = props;
  return (
    <td
      aria-current={isToday ? 'date' : undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
      style={{
        border: '1px solid var(--mantine-color-default-border)',
        padding: 4,
        height: 96,
        verticalAlign: 'top',
        ...(isToday && { outline: '2px solid var(--mantine-color-anchor)', outlineOffset: -2 }),
      }}
    >
      <Text size="xs" {...(!isOfMonth && { c: 'dimmed' })} {...(isToday && { fw: 700 })}>
        {Number(day.slice(8))}
      </Text>
      {props.children}
    </td>
  );
}

function Entry({ schedule, onOpen, onDrag }: { schedule: Schedule; onOpen: () => void; onDrag: () => void }) {
  const { title, publish_at, trigger } = schedule;
  return (
    <UnstyledButton
      draggable
      onDragStart={onDrag}
      onClick={onOpen}
      title={text.open(title, formatDateTime(publish_at))}
      style={{
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 4,
        padding: '2px 6px',
        fontSize: 13,
        overflowWrap: 'anywhere',
        cursor: 'grab',
      }}
    >
      {text.entry(timeOf(publish_at), title)} {trigger === 'autopilot' && <Badge>{text.byAutopilot}</Badge>}
    </UnstyledButton>
  );
}

// Each is made once: to make one takes longer than to format a month with it.
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

const timeOf = (iso: string) => time.format(new Date(iso));
const noonOf = (day: Day) => new Date(`${day}T12:00`);
const weekdayOf = (day: Day) => weekday.format(noonOf(day));
const longDayOf = (day: Day) => longDay.format(noonOf(day));

/** 1 for Monday to 7 for Sunday, as people count where the browser’s language is spoken. */
function firstWeekday(): number {
  const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay ?? 1;
}
