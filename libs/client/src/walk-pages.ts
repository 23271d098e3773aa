import type { ListedPost } from './posts.ts';

/** What tells posts from each other, and their place. */
type Placed = Pick<ListedPost, 'id' | 'published_at'>;

/** Reads at most `limit` posts from `offset` on, newest first. */
export type ReadPage<Item> = (offset: number, limit: number) => Promise<readonly Item[]>;

/** How often the front is read again for new posts. */
const MAX_NEWS_ROUNDS = 20;
/** The front seldom has many new ones. */
const NEWS_PAGE_SIZE = 10;

/**
 * Reads all posts in pages, newest first, while others publish and unpublish. A post that is published when this begins
 * and when it ends is given once; none is given twice.
 *
 * Offsets move when posts come or go. So each page begins with the last post of the page before. Where it begins with
 * a later one, posts were taken down, and the pages before are read again. At the end, the front is read for what was
 * published meanwhile: a post that was taken down and published again has moved there.
 *
 * @param pageSize at least 2
 */
export async function* walkPages<Item extends Placed>(
  readPage: ReadPage<Item>,
  pageSize: number,
): AsyncGenerator<Item[], void, undefined> {
  const given = new Set<string>();
  const newOf = (page: readonly Item[]) => {
    const fresh = page.filter(({ id }) => !given.has(id));
    for (const { id } of fresh) given.add(id);
    return fresh;
  };
  let newest: Item | undefined;
  for (let round = 0; round <= MAX_NEWS_ROUNDS; round += 1) {
    let head: Item | undefined;
    for await (const page of walkTo(newest, readPage, round === 0 ? pageSize : NEWS_PAGE_SIZE)) {
      head ??= page[0];
      const fresh = newOf(page);
      if (fresh.length > 0) yield fresh;
    }
    if (head === undefined || (newest !== undefined && !comesAfter(newest, head))) return;
    newest = head;
  }
}

/** Pages from the front up to the one that reaches `stop`, or the end of the list. */
async function* walkTo<Item extends Placed>(
  stop: Item | undefined,
  readPage: ReadPage<Item>,
  pageSize: number,
): AsyncGenerator<readonly Item[], void, undefined> {
  let last: Item | undefined;
  for (let offset = 0; ;) {
    const page = await readPage(offset, pageSize);
    const [first, end] = [page[0], page.at(-1)];
    if (offset > 0 && last !== undefined && (first === undefined || comesAfter(first, last))) {
      offset = Math.max(0, offset - pageSize + 1);
      continue;
    }
    yield page;
    if (end === undefined || page.length < pageSize) return;
    // A newer post with the same time may come after it.
    if (stop !== undefined && end.published_at < stop.published_at) return;
    if (last === undefined || comesAfter(end, last)) last = end;
    offset += page.length - 1;
  }
}

/** Whether the list has `post` after `other`: it goes by `published_at`, then by id, both descending. */
function comesAfter(post: Placed, other: Placed): boolean {
  if (post.published_at !== other.published_at) return post.published_at < other.published_at;
  return post.id < other.id;
}
