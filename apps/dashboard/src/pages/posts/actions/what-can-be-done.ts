import type { BlogItem } from '../../../generated/types.gen.ts';
import { isOver } from '../../../parts/forms/local-time.ts';

/** What can be done to posts, one or several. */
export type PostAction = 'publish' | 'unpublish' | 'schedule' | 'unschedule' | 'tag' | 'delete';

type Stated = Pick<BlogItem, 'state' | 'published_at' | 'has_unpublished_changes'>;

/** The posts that an action is about; the others are skipped. */
export const concerned = <Post extends Stated>(action: PostAction, posts: readonly Post[]): readonly Post[] =>
  action === 'unpublish' ? posts.filter(({ state }) => state === 'published') : posts;

/** What publishing the posts does: some go live, some are live and get their changes, some wait for their date. */
export function sortOut(posts: readonly Stated[]): {
  readonly live: number;
  readonly updates: number;
  readonly dated: number;
} {
  const updates = posts.filter(({ state }) => state === 'published').length;
  const dated = posts.filter(isDated).length;
  return { live: posts.length - updates - dated, updates, dated };
}

const isDated = ({ state, published_at: date }: Stated) => state !== 'published' && date !== null && !isOver(date);

/**
 * Whether publishing again brings back what readers had before the unpublish. A post with unpublished changes would
 * make these public.
 */
export const canRepublish = ({ has_unpublished_changes: changed }: Stated): boolean => !changed;
