import type { BlogCounts } from '../../generated/types.gen.ts';
import { posts as text } from '../../strings/posts.ts';
import type { PostsFilter } from './search.ts';

/** How many posts a tab has. Edited posts are published ones, and have a tab of their own. */
export function countOf(counts: BlogCounts, show: PostsFilter | undefined): number {
  if (show === 'published') return counts.published - counts.changed;
  return show === undefined ? counts.total : counts[show];
}

/** “1–50 of 502”, on page `page` of `size` posts. The counts come apart from the list, which may know of a newer post. */
export function rangeShown(shown: number, page: number, size: number, total: number): string {
  if (shown === 0) return text.noneTitle;
  const first = (page - 1) * size + 1;
  const last = first + shown - 1;
  return text.range(first, last, Math.max(total, last));
}
