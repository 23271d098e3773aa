import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listLinksOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Blog, BlogLinks } from '../../../generated/types.gen.ts';

/** A link as it is saved: the post that it names, and the one that readers get. */
export type Link = BlogLinks['items'][number];
export type LinkingPost = Pick<Blog, 'id' | 'project_id' | 'version'>;

/** Where the saved links of a post lead, by the slugs that they name. */
export function useLinkedPosts({ id: blogId, project_id: projectId, version }: LinkingPost): ReadonlyMap<string, Link> {
  const options = listLinksOptions({ path: { projectId, blogId } });
  const { data } = useQuery({
    ...options,
    // A save may change the links and the language.
    queryKey: [{ ...options.queryKey[0], tags: [String(version)] }],
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return new Map(data?.items.map((link) => [link.slug, link]));
}
