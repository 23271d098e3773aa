const FILTERS = ['draft', 'published', 'unpublished', 'changed', 'scheduled'] as const;
export type PostsFilter = (typeof FILTERS)[number];

/** What the list shows, as it stands in the address. */
export interface PostsSearch {
  readonly q?: string;
  readonly show?: PostsFilter;
  readonly cursor?: string;
}

/** Reads the address; what it does not know it leaves out. */
export function readPostsSearch(given: Readonly<Record<string, unknown>>): PostsSearch {
  const { q, show, cursor } = given;
  return {
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 200) }),
    ...(FILTERS.includes(show as PostsFilter) && { show: show as PostsFilter }),
    ...(typeof cursor === 'string' && { cursor }),
  };
}

/** The query of the API for it. */
export function listQuery({ q, show, cursor }: PostsSearch, limit: number) {
  return {
    limit,
    ...(q !== undefined && { q }),
    ...(cursor !== undefined && { cursor }),
    ...(show === 'changed' && { changed: 'true' as const }),
    ...(show === 'scheduled' && { scheduled: 'true' as const }),
    ...((show === 'draft' || show === 'published' || show === 'unpublished') && { state: show }),
  };
}
