import type { BlogItem, Schedule } from '../../generated/types.gen.ts';
import { dayOf, type Day } from './month.ts';

/** A planned post is a draft with a publication date: it goes live then once somebody publishes it. */
export type Kind = 'planned' | 'scheduled' | 'published' | 'failed';

export interface Entry {
  readonly kind: Kind;
  readonly blogId: string;
  readonly title: string;
  readonly at: string;
  /** Of a scheduled one, which can be moved. */
  readonly schedule: Schedule | null;
}

type Post = Pick<BlogItem, 'id' | 'title' | 'state' | 'published_at' | 'publish_at'>;

/** By day, in the order of their times. `failed` has the live posts that a destination didn't get. */
export function entriesByDay(
  schedules: readonly Schedule[],
  posts: readonly Post[],
  failed: ReadonlySet<string>,
): ReadonlyMap<Day, readonly Entry[]> {
  const scheduled = schedules.map((schedule): Entry => {
    const { blog_id: blogId, title, publish_at: at } = schedule;
    return { kind: 'scheduled', blogId, title, at, schedule };
  });
  const dated = posts.flatMap(({ id: blogId, title, state, published_at: at, publish_at: publishAt }): Entry[] => {
    if (at === null) return [];
    if (state === 'published') {
      return [{ kind: failed.has(blogId) ? 'failed' : 'published', blogId, title, at, schedule: null }];
    }
    return state === 'draft' && publishAt === null ? [{ kind: 'planned', blogId, title, at, schedule: null }] : [];
  });
  const all = [...scheduled, ...dated].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return Map.groupBy(all, ({ at }) => dayOf(new Date(at)));
}
