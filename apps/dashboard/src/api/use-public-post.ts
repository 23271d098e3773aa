import { useQuery } from '@tanstack/react-query';

/** Where the public API has the post. */
export const publicPostUrl = (slug: string): string => `/blog/api/v1/public/blogs/${slug}`;

/** A published post as sites get it, as indented JSON; not read until both the slug and the key are known. */
export function usePublicPost(projectId: string, slug: string | undefined, publicKey: string | undefined) {
  return useQuery({
    queryKey: ['public-post', projectId, slug, publicKey],
    enabled: slug !== undefined && publicKey !== undefined,
    queryFn: async ({ signal }) => {
      const headers = { Authorization: `Bearer ${publicKey}` };
      const answer = await fetch(publicPostUrl(slug ?? ''), { headers, signal });
      if (!answer.ok) throw new Error(`${answer.status}`);
      return JSON.stringify(await answer.json(), null, 2);
    },
    // The read service hears of a new key a moment later.
    retry: 5,
    retryDelay: 500,
  });
}
