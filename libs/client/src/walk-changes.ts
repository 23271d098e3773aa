import type { ChangePage } from './posts.ts';

/** What the service answers to a position. */
export interface ChangesAnswer<Item> {
  readonly changes: ChangePage<Item>['changes'];
  readonly next_since: string;
  readonly has_more: boolean;
}

/** `since` of who knows nothing. */
export const EVERYTHING = '0';

/**
 * Reads all that has changed since a position, page by page. Where a position is gone, also one between two pages, it
 * restarts with everything.
 *
 * @param readPage null where the position is gone
 * @param mayRestart called before it restarts where the lost position is not the caller's: it waits, or
 * throws
 */
export async function* walkChanges<Item>(
  since: string,
  readPage: (since: string) => Promise<ChangesAnswer<Item> | null>,
  mayRestart: () => Promise<void>,
): AsyncGenerator<ChangePage<Item>, void, undefined> {
  let position = since;
  let isOwn = false;
  for (;;) {
    const page = await readPage(position);
    if (page === null) {
      // A service that is no more says of everything that it is gone.
      if (isOwn || position === EVERYTHING) await mayRestart();
      position = EVERYTHING;
      continue;
    }
    yield { changes: page.changes, startsAnew: position === EVERYTHING, since: page.next_since };
    if (!page.has_more) return;
    position = page.next_since;
    isOwn = true;
  }
}
