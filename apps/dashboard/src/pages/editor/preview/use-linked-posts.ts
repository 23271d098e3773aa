import { useQueries } from '@tanstack/react-query';
import { listBlogsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { useProject } from '../../../parts/project.tsx';

/** More links than a post has; each is asked for alone. */
const MAX_ASKED = 30;
/** Titles and other slugs may hold the slug, too. */
const SEARCHED = 20;

/** The posts of the project that the slugs name, as far as they are there. */
export function useLinkedPosts(slugs: readonly string[]): ReadonlyMap<string, BlogItem> {
  const { id: projectId } = useProject();
  return useQueries({
    queries: slugs.slice(0, MAX_ASKED).map((slug) => ({
      ...listBlogsOptions({ path: { projectId }, query: { q: slug, limit: SEARCHED } }),
      staleTime: 60_000,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, index) => {
          const found = data?.items.find((post) => post.slug === slugs[index]);
          return found === undefined ? [] : [[found.slug, found] as const];
        }),
      ),
  });
}
