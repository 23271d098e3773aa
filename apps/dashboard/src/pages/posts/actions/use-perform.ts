import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { notify } from '../../../parts/notify.ts';
import { nameOf } from '../../../parts/posts/delete-soon.ts';
import { readPostsAgain } from '../../../parts/posts/read-posts-again.ts';
import { common } from '../../../strings/common.ts';
import { posts as strings } from '../../../strings/posts.ts';
import { canUndo, perform, undoAll, type Order, type Performed, type Refusal } from './perform.ts';
import { canRepublish, type PostAction } from './what-can-be-done.ts';

const text = strings.bulk;

/**
 * Does it, says what was done with Undo where that is possible, and answers what was refused. An unpublish that can't be
 * undone waits while Undo is offered.
 */
export function usePerform() {
  const queries = useQueryClient();
  return useCallback(
    async (
      posts: readonly BlogItem[],
      order: Order,
      onProgress: (finished: number) => void = () => undefined,
    ): Promise<readonly Refusal[]> => {
      if (order.action !== 'unpublish' || posts.every(canRepublish)) return doIt(posts, order, onProgress, queries);
      const later = async () => {
        const [refused] = await doIt(posts, order, onProgress, queries);
        if (refused) notify.refused(`${refused.post.title}: ${refused.why}`);
      };
      notify.soon(text.unpublishing(nameOf(posts)), () => void later().catch((error: unknown) => notify.failed(error)));
      return [];
    },
    [queries],
  );
}

async function doIt(
  posts: readonly BlogItem[],
  order: Order,
  onProgress: (finished: number) => void,
  queries: QueryClient,
): Promise<readonly Refusal[]> {
  const { done, refused } = await perform(posts, order, onProgress);
  await readPostsAgain(queries);
  for (const [what, those] of byWhat(done)) {
    notify.done(
      text.done[what](nameOf(those.map(({ post }) => post))),
      canUndo(those) ? { label: common.undo, run: () => void undo(those, queries) } : undefined,
    );
  }
  return refused;
}

async function undo(done: Performed['done'], queries: QueryClient): Promise<void> {
  const failed = await undoAll(done);
  await readPostsAgain(queries);
  if (failed > 0) notify.refused(text.undoFailed(failed));
  else notify.done(common.undone);
}

/** Some may be scheduled where others are published. */
function byWhat(done: Performed['done']): ReadonlyMap<PostAction, Performed['done']> {
  return Map.groupBy(done, ({ what }) => what);
}
