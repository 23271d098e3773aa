import { Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { getAutopilotOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { scheduleBlog } from '../../generated/sdk.gen.ts';
import type { Schedule } from '../../generated/types.gen.ts';
import { formatDateTime, timeZone } from '../../parts/dates.ts';
import { isOver } from '../../parts/forms/local-time.ts';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/calendar.ts';
import { common } from '../../strings/common.ts';
import { AddDialog } from './add-dialog.tsx';
import { MonthView } from './month-view.tsx';
import { dayOf, firstOf, monthOf, monthsLater, onDay, type Day } from './month.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { useSchedules } from './use-schedules.ts';

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/calendar' });
  const navigate = useNavigate({ from: '/projects/$projectId/calendar' });
  const queries = useQueryClient();
  const thisMonth = monthOf(dayOf(new Date()));
  const month = search.month ?? thisMonth;
  const [opened, setOpened] = useState<Schedule | null>(null);
  const [adding, setAdding] = useState(false);
  const schedules = useSchedules(projectId, firstOf(monthsLater(month, 1)));
  const autopilot = useQuery(getAutopilotOptions({ path: { projectId } }));
  const show = (next: string) => void navigate({ search: next === thisMonth ? {} : { month: next }, replace: true });
  const move = useMutation({
    mutationFn: async ({ schedule, day }: { schedule: Schedule; day: Day }) => {
      const publishAt = onDay(schedule.publish_at, day);
      await scheduleBlog({
        path: { projectId, blogId: schedule.blog_id },
        body: { publish_at: publishAt },
        throwOnError: true,
      });
      await queries.invalidateQueries({ queryKey: [{ _id: 'listSchedules' }] });
      notify.done(text.moved(schedule.title, formatDateTime(publishAt)));
    },
    onError: (error) => notify.failed(error),
  });
  const name = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }).format(firstOf(month));
  return (
    <PageFrame title={text.title} actions={<Button onClick={() => setAdding(true)}>{text.schedule}</Button>}>
      <Text>
        {text.intro}{' '}
        <Text span inherit visibleFrom="sm">
          {text.introWeeks}
        </Text>
        <Text span inherit hiddenFrom="sm">
          {text.introList}
        </Text>{' '}
        {text.zone(timeZone())}
      </Text>
      <Group gap="xs" justify="space-between">
        <Title order={2} size="h4">
          {name}
        </Title>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => show(monthsLater(month, -1))}>
            {text.previous}
          </Button>
          {month !== thisMonth && (
            <Button variant="default" size="xs" onClick={() => show(thisMonth)}>
              {text.today}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => show(monthsLater(month, 1))}>
            {text.next}
          </Button>
        </Group>
      </Group>
      {schedules.error !== null && <Problem error={schedules.error} onRetry={schedules.retry} />}
      <VisuallyHidden role="status">{schedules.loading ? common.loading : ''}</VisuallyHidden>
      <MonthView
        month={month}
        name={name}
        schedules={schedules.items}
        loaded={!schedules.loading}
        nextRunAt={autopilot.data?.next_run_at ?? null}
        onOpen={setOpened}
        onMove={(schedule, day) => {
          if (isOver(onDay(schedule.publish_at, day))) notify.refused(common.timeIsOver);
          else move.mutate({ schedule, day });
        }}
      />
      {opened !== null && <ScheduleDialog schedule={opened} onClose={() => setOpened(null)} />}
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}
