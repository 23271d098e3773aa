import type { BlogItem, Schedule } from '../../generated/types.gen.ts';
import { dayOf, type Day } from './month.ts';

/** A planned post is a draft with a publication date: it goes live then once somebody publishes it. */
export type Kind = 'planned' | 'scheduled' | 'published' | 'failed';

export interface Entry {
  readonly kind: Kind;
  readonly blogId: string;
  readonly title: string;
  readonly language: string | null;
  readonly at: string;
  /** Of a scheduled one, which can be moved. */
  readonly schedule: Schedule | null;
}

type Post = Pick<BlogItem, 'id' | 'title' | 'language' | 'state' | 'published_at' | 'publish_at'>;

/** By day, in the order of their times. `failed` has the live posts that a destination didn't get. */
export function entriesByDay(
  schedules: readonly Schedule[],
  posts: readonly Post[],
  failed: ReadonlySet<string>,
): ReadonlyMap<Day, readonly Entry[]> {
  const scheduled = schedules.map((schedule): Entry => {
    const { blog_id: blogId, title, language, publish_at: at } = schedule;
    return { kind: 'scheduled', blogId, title, language, at, schedule };
  });
  const dated = posts.flatMap((post): Entry[] => {
    const { id: blogId, title, language, state, published_at: at, publish_at: publishAt } = post;
    if (at === null) return [];
    const entry = { blogId, title, language, at, schedule: null };
    if (state === 'published') return [{ kind: failed.has(blogId) ? 'failed' : 'published', ...entry }];
    return state === 'draft' && publishAt === null ? [{ kind: 'planned', ...entry }] : [];
  });
  const all = [...scheduled, ...dated].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return Map.groupBy(all, ({ at }) => dayOf(new Date(at)));
}
