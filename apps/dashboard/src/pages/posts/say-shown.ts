import type { BlogItemPage } from '../../generated/types.gen.ts';
import { posts } from '../../strings/posts.ts';

const text = posts.shown;

/** How many posts a page of the list shows, and whether there are others. The API does not count them all. */
export function sayShown(
  page: Pick<BlogItemPage, 'next_cursor'> & { readonly items: readonly unknown[] },
  cursor?: string,
) {
  const { length } = page.items;
  if (length === 0) return posts.noneTitle;
  if (cursor !== undefined) return page.next_cursor === null ? text.last(length) : text.further(length);
  return page.next_cursor === null ? text.all(length) : text.first(length);
}
