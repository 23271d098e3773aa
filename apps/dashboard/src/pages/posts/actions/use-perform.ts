import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { notify } from '../../../parts/notify.ts';
import { posts as strings } from '../../../strings/posts.ts';
import { canUndo, perform, undoAll, type Order, type Performed, type Refusal } from './perform.ts';
import type { PostAction } from './what-can-be-done.ts';

const text = strings.bulk;

/** The posts by name: one by its title, several by their number. */
export const nameOf = (posts: readonly Pick<BlogItem, 'title'>[]): string =>
  posts.length === 1 && posts[0] ? text.one(posts[0].title) : text.many(posts.length);

/** Does it, says what was done with Undo where that is possible, and answers what was refused. */
export function usePerform() {
  const queries = useQueryClient();
  return useCallback(
    async (
      posts: readonly BlogItem[],
      order: Order,
      onProgress: (finished: number) => void = () => undefined,
    ): Promise<readonly Refusal[]> => {
      const { done, refused } = await perform(posts, order, onProgress);
      await readAgain(queries);
      for (const [what, those] of byWhat(done)) {
        notify.done(
          text.done[what](nameOf(those.map(({ post }) => post))),
          canUndo(those) ? { label: text.undo, run: () => void undo(those, queries) } : undefined,
        );
      }
      return refused;
    },
    [queries],
  );
}

const readAgain = (queries: QueryClient) =>
  Promise.all(
    ['listBlogs', 'countBlogs', 'listSchedules'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })),
  );

async function undo(done: Performed['done'], queries: QueryClient): Promise<void> {
  const failed = await undoAll(done);
  await readAgain(queries);
  if (failed > 0) notify.refused(text.undoFailed(failed));
  else notify.done(text.undone);
}

/** Some may be scheduled where others are published. */
function byWhat(done: Performed['done']): ReadonlyMap<PostAction, Performed['done']> {
  return Map.groupBy(done, ({ what }) => what);
}
