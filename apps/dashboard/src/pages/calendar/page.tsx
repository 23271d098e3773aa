import { ActionIcon, Button, Title, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Schedule } from '../../generated/types.gen.ts';
import { timeZone } from '../../parts/dates.ts';
import { AnchoredPopover } from '../../parts/lists/anchored.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { calendar as text } from '../../strings/writing/calendar.ts';
import { common } from '../../strings/common.ts';
import styles from './calendar.module.css';
import { DayEntries } from './day-entries.tsx';
import { DayForm } from './day-form.tsx';
import { firstWeekday, longDayOf } from './days.ts';
import type { Kind } from './entries.ts';
import { dayAt, dayOf, firstOf, monthOf, monthsLater, onDay, weeksOf, type Day } from './month.ts';
import { ScheduleMenu } from './schedule-menu.tsx';
import { useEntries } from './use-entries.ts';
import { useScheduleChanges } from './use-schedule-changes.ts';
import { MonthGrid, WeekList } from './views.tsx';

const KINDS: readonly Kind[] = ['planned', 'scheduled', 'published', 'failed'];

export function Page() {
  const search = useSearch({ from: '/projects/$projectId/calendar' });
  const navigate = useNavigate({ from: '/projects/$projectId/calendar' });
  const today = dayOf(new Date());
  const thisMonth = monthOf(today);
  const month = search.month ?? thisMonth;
  const weeks = weeksOf(month, firstWeekday());
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const place = useRef<HTMLDivElement>(null);
  const { byDay, nextRunAt, loading, error, retry } = useEntries(weeks);
  const changes = useScheduleChanges();
  const [form, setForm] = useState<{ day: Day; button: HTMLElement } | null>(null);
  const [menu, setMenu] = useState<{ schedule: Schedule; button: HTMLElement } | null>(null);
  const [dragged, setDragged] = useState<Schedule | null>(null);
  const [focused, setFocused] = useState<Day>(today);
  const focusDay = monthOf(focused) === month ? focused : month === thisMonth ? today : `${month}-01`;
  // The day that a key leads to, in a month that isn't shown yet.
  const following = useRef<Day | null>(null);
  const focusOn = (day: Day) => place.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  useEffect(() => {
    if (following.current === null || monthOf(following.current) !== month) return;
    focusOn(following.current);
    following.current = null;
  }, [month]);

  const show = (next: string) => void navigate({ search: next === thisMonth ? {} : { month: next }, replace: true });
  const follow = (day: Day) => {
    if (monthOf(day) === month) focusOn(day);
    else {
      following.current = day;
      show(monthOf(day));
    }
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || !place.current?.contains(target)) return;
    const isField = target.matches('input, [role="menuitem"]');
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    const day = target.dataset['day'];
    if (isField) return;
    if (months !== undefined) {
      event.preventDefault();
      const next = monthsLater(month, months);
      if (day === undefined) show(next);
      else follow(next === thisMonth ? today : `${next}-01`);
    } else if (event.key.toLowerCase() === 't') {
      follow(today);
    } else if (day !== undefined) {
      const next = dayAt(event.key, day);
      if (next === null) return;
      event.preventDefault();
      if (next >= today) follow(next);
    }
  };
  const name = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }).format(firstOf(month));
  const runsOn = nextRunAt === null ? null : dayOf(new Date(nextRunAt));
  const isBusy = (day: Day) => byDay.has(day) || day === runsOn;
  const isEmpty = !weeks.flat().some(isBusy);
  const View = isWide ? MonthGrid : WeekList;
  return (
    <PageFrame title={text.title} description={text.zone(timeZone())}>
      {/* Keys of the buttons within it. */}
      <div ref={place} className={styles['place']} onKeyDown={onKey}>
        <div className={styles['head']}>
          <Title order={2} size="h3" aria-live="polite">
            {name}
          </Title>
          <ul className={styles['legend']} aria-label={text.legend}>
            {KINDS.map((kind) => (
              <li key={kind}>
                <span className={styles['dot']} data-kind={kind} />
                {text.kinds[kind]}
              </li>
            ))}
          </ul>
          <div className={styles['nav']}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={text.previous}
              title={text.previousKey}
              onClick={() => show(monthsLater(month, -1))}
            >
              <ChevronLeft />
            </ActionIcon>
            <Button variant="default" title={text.todayKey} onClick={() => show(thisMonth)}>
              {text.today}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={text.next}
              title={text.nextKey}
              onClick={() => show(monthsLater(month, 1))}
            >
              <ChevronRight />
            </ActionIcon>
          </div>
        </div>
        {error !== null && <Problem error={error} onRetry={retry} />}
        <VisuallyHidden role="status">{loading ? common.loading : ''}</VisuallyHidden>
        <View
          month={month}
          name={name}
          weeks={weeks}
          today={today}
          focusDay={focusDay}
          isBusy={isBusy}
          entriesOf={(day) =>
            isBusy(day) && (
              <DayEntries
                entries={byDay.get(day) ?? []}
                nextRunAt={day === runsOn ? nextRunAt : null}
                menuOf={menu?.schedule.blog_id ?? null}
                onMenu={(schedule, button) => setMenu({ schedule, button })}
                onDrag={setDragged}
              />
            )
          }
          onDay={(day, button) => setForm({ day, button })}
          onFocusDay={setFocused}
          onDrop={(day) => {
            if (dragged === null || dayOf(new Date(dragged.publish_at)) === day) return;
            const { blog_id: blogId, title, publish_at: before } = dragged;
            changes.move({ blogId, title, before }, onDay(before, day));
          }}
        />
        {!loading && error === null && isEmpty && <p className={styles['none']}>{text.none(name)}</p>}
        {form !== null && (
          <AnchoredPopover
            key={form.day}
            {...form}
            place={place}
            label={text.scheduleOn(longDayOf(form.day))}
            onClose={() => setForm(null)}
          >
            <DayForm day={form.day} changes={changes} onClose={() => setForm(null)} />
          </AnchoredPopover>
        )}
        {menu !== null && (
          <ScheduleMenu
            key={menu.schedule.blog_id}
            {...menu}
            place={place}
            changes={changes}
            onClose={() => setMenu(null)}
          />
        )}
      </div>
    </PageFrame>
  );
}
