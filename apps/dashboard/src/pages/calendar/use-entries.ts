import { useQuery } from '@tanstack/react-query';
import { getAutopilotOptions, listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { useProject } from '../../parts/project.tsx';
import { readLive } from '../posts/read-live.ts';
import { entriesByDay } from './entries.ts';
import type { Day } from './month.ts';
import { useDatedPosts } from './use-dated-posts.ts';
import { useSchedules } from './use-schedules.ts';

const NEWEST = 100;

/** Everything that the shown weeks have, those of neighboring months included. */
export function useEntries(weeks: readonly (readonly Day[])[]) {
  const { id: projectId } = useProject();
  const path = { projectId };
  const first = new Date(`${weeks[0]?.[0]}T00:00`);
  const last = new Date(`${weeks.at(-1)?.at(-1)}T23:59:59.999`);
  const schedules = useSchedules(projectId, last);
  const published = useDatedPosts(projectId, 'published', first);
  const drafts = useDatedPosts(projectId, 'draft', first);
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: NEWEST } }));
  const autopilot = useQuery(getAutopilotOptions({ path }));
  const live = readLive(publishes.data?.items ?? []);
  const failed = new Set([...live].flatMap(([id, post]) => (post.failed > 0 ? [id] : [])));
  const asked = [schedules, published, drafts];
  return {
    byDay: entriesByDay(schedules.items, [...published.items, ...drafts.items], failed),
    nextRunAt: autopilot.data?.next_run_at ?? null,
    loading: asked.some(({ loading }) => loading),
    error: asked.find(({ error }) => error !== null)?.error ?? null,
    retry: () => asked.forEach(({ retry }) => retry()),
  };
}
