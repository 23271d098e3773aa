import { useQuery } from '@tanstack/react-query';
import { listBlogsOptions, listPublishesOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { useProject } from '../../project.tsx';

const LOOKED_AT = 100;

/** Titles by post: of those last published, as they were published, and of those last edited. */
export function useTitles(): ReadonlyMap<string, string> {
  const { id: projectId } = useProject();
  const asked = { path: { projectId }, query: { limit: LOOKED_AT } };
  const publishes = useQuery(listPublishesOptions(asked));
  const blogs = useQuery(listBlogsOptions(asked));
  return new Map([
    ...(blogs.data?.items ?? []).map(({ id, title }) => [id, title] as const),
    // Oldest first, so that the newest title stays. A deleted post has none.
    ...(publishes.data?.items ?? [])
      .toReversed()
      .flatMap(({ blog_id, blog_title }) => (blog_title === '' ? [] : [[blog_id, blog_title] as const])),
  ]);
}
