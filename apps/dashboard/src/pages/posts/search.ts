import type { BlogState } from '../../generated/types.gen.ts';

export type PostsFilter = Exclude<BlogState, 'deleted'> | 'changed' | 'scheduled';

/** What each filter asks the API for, in the order in which they are offered. */
const QUERIES = {
  draft: { state: 'draft' },
  published: { state: 'published' },
  changed: { changed: 'true' },
  scheduled: { scheduled: 'true' },
  unpublished: { state: 'unpublished' },
} as const satisfies Record<PostsFilter, object>;

export const FILTERS = Object.keys(QUERIES) as PostsFilter[];

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
    ...(show !== undefined && QUERIES[show]),
  };
}
