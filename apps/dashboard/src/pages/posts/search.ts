import type { BlogSort, BlogState } from '../../generated/types.gen.ts';

export type PostsFilter = Exclude<BlogState, 'deleted'> | 'changed' | 'scheduled';

/** What each tab asks the API for, in the order of the tabs. */
const QUERIES = {
  draft: { state: 'draft', scheduled: 'false' },
  scheduled: { scheduled: 'true' },
  published: { state: 'published', changed: 'false' },
  changed: { changed: 'true' },
  unpublished: { state: 'unpublished' },
} as const satisfies Record<PostsFilter, object>;

export const FILTERS = Object.keys(QUERIES) as PostsFilter[];

export type PostsSort = Exclude<BlogSort, 'created_at'>;
export type Order = 'asc' | 'desc';

/** The order in which a column is sorted when it is chosen: newest dates first, titles from A to Z. */
const FIRST_ORDER = { updated_at: 'desc', published_at: 'desc', title: 'asc' } as const satisfies Record<
  PostsSort,
  Order
>;
const DEFAULT_SORT: PostsSort = 'updated_at';

/** What the list shows, as the URL has it. */
export interface PostsSearch {
  readonly q?: string;
  readonly show?: PostsFilter;
  readonly tag?: string;
  readonly sort?: PostsSort;
  readonly order?: Order;
  readonly cursor?: string;
  /** The number of the page that the cursor leads to. */
  readonly page?: number;
}

const MAX_WORDS = 200;
const MAX_TAG = 300;

/** Reads the URL and leaves out what it doesn't know. */
export function readPostsSearch(given: Readonly<Record<string, unknown>>): PostsSearch {
  const { show, sort, order, cursor, page } = given;
  const q = textOf(given['q'], MAX_WORDS);
  const tag = textOf(given['tag'], MAX_TAG);
  return {
    ...(q !== null && { q }),
    ...(FILTERS.includes(show as PostsFilter) && { show: show as PostsFilter }),
    ...(tag !== null && { tag }),
    ...(typeof sort === 'string' && Object.hasOwn(FIRST_ORDER, sort) && { sort: sort as PostsSort }),
    ...((order === 'asc' || order === 'desc') && { order }),
    ...(typeof cursor === 'string' && { cursor, page: Number.isInteger(page) && Number(page) > 1 ? Number(page) : 2 }),
  };
}

/** A word may look like a number: a URL doesn't tell them apart. */
const textOf = (given: unknown, most: number): string | null =>
  (typeof given === 'string' || typeof given === 'number') && given !== '' ? String(given).slice(0, most) : null;

export function sortOf({ sort = DEFAULT_SORT, order }: PostsSearch): {
  readonly sort: PostsSort;
  readonly order: Order;
} {
  return { sort, order: order ?? FIRST_ORDER[sort] };
}

/** The search with another order, on its first page. What is the default isn't in the URL. */
export function sortedBy(search: PostsSearch, sort: PostsSort, order: Order): PostsSearch {
  const { sort: _sort, order: _order, cursor: _cursor, page: _page, ...rest } = search;
  return {
    ...rest,
    ...(sort !== DEFAULT_SORT && { sort }),
    ...(order !== FIRST_ORDER[sort] && { order }),
  };
}

/** Choosing a column sorts by it, and choosing it again reverses the order. */
export function toggledSort(search: PostsSearch, column: PostsSort): PostsSearch {
  const { sort, order } = sortOf(search);
  if (sort !== column) return sortedBy(search, column, FIRST_ORDER[column]);
  return sortedBy(search, column, order === 'asc' ? 'desc' : 'asc');
}

/** The query of the API for it. */
export function listQuery(search: PostsSearch, limit: number) {
  const { q, show, tag, cursor } = search;
  return {
    limit,
    ...sortOf(search),
    ...(q !== undefined && { q }),
    ...(tag !== undefined && { tag }),
    ...(cursor !== undefined && { cursor }),
    ...(show !== undefined && QUERIES[show]),
  };
}
