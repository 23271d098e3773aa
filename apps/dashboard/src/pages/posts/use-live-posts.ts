import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { useProject } from '../../parts/project.tsx';
import { readLive, type LivePosts } from './read-live.ts';

const NEWEST = 100;

/** What the newest publishes say of posts that are live. */
export function useLivePosts(): LivePosts {
  const { id: projectId } = useProject();
  const { data } = useQuery(listPublishesOptions({ path: { projectId }, query: { limit: NEWEST } }));
  return useMemo(() => readLive(data?.items ?? []), [data]);
}
