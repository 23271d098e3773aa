import { Button, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { createBlogMutation, listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Problem, QueryProblem } from '../../parts/problem.tsx';
import { timeZone } from '../../parts/dates.ts';
import { timeToCome } from '../../parts/forms/local-time.ts';
import { Thumbnail } from '../../parts/images/thumbnail.tsx';
import { LanguageBadge } from '../../parts/languages/language-badge.tsx';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/writing/calendar.ts';
import { common } from '../../strings/common.ts';
import { posts as postsText } from '../../strings/posts.ts';
import styles from './calendar.module.css';
import { longDayOf } from './days.ts';
import { timeOn, type Day } from './month.ts';
import type { ScheduleChanges } from './use-schedule-changes.ts';

const SHOWN = 5;
const SEARCH_AFTER_MS = 250;

/** Schedules a draft for the day by one click, or starts a new post for it. */
export function DayForm({ day, changes, onClose }: { day: Day; changes: ScheduleChanges; onClose: () => void }) {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const path = { projectId };
  const [time, setTime] = useState(() => timeOn(day) ?? '');
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  const at = timeToCome(`${day}T${time}`);
  const drafts = useQuery({
    ...listBlogsOptions({
      path,
      query: {
        scheduled: 'false',
        limit: SHOWN,
        sort: 'updated_at',
        ...(q === '' ? { state: 'draft' } : { q }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const items = drafts.data?.items ?? [];
  const schedule = useMutation({
    mutationFn: ({ id: blogId, title }: { id: string; title: string }) =>
      changes.schedule({ blogId, title, before: null }, at ?? ''),
    onSuccess: onClose,
  });
  const create = useMutation({
    ...createBlogMutation(),
    onSuccess: ({ id: blogId }) =>
      navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId } }),
  });
  const isBusy = schedule.isPending || create.isPending;
  const error = schedule.error ?? create.error;
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {text.scheduleOn(longDayOf(day))}
      </Title>
      <TextInput
        type="time"
        label={text.time}
        description={common.timesIn(timeZone())}
        value={time}
        error={at === null && (time === '' ? text.noTime : common.timeIsOver)}
        onChange={(event) => setTime(event.currentTarget.value)}
      />
      <TextInput
        type="search"
        aria-label={text.search}
        placeholder={text.searchHint}
        leftSection={<Search />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <QueryProblem query={drafts} />
      {drafts.isPending && <Loading rows={2} />}
      {drafts.data && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {q === '' ? text.noDrafts : text.noPost}
        </Text>
      )}
      {items.length > 0 && (
        <ul className={styles['drafts']} aria-label={text.drafts}>
          {items.map((post) => (
            <li key={post.id}>
              <button type="button" disabled={at === null || isBusy} onClick={() => schedule.mutate(post)}>
                <Thumbnail url={post.hero_image_url} />
                <span className={styles['draftTitle']}>{post.title}</span>
                <LanguageBadge language={post.language} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {error !== null && <Problem error={error} />}
      <Button
        variant="default"
        leftSection={<Plus />}
        disabled={at === null || isBusy}
        loading={create.isPending}
        onClick={() => {
          if (at !== null) create.mutate({ path, body: { title: postsText.newPostTitle, published_at: at } });
        }}
      >
        {text.newPost}
      </Button>
    </Stack>
  );
}
