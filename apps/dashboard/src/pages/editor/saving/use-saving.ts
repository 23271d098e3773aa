import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { updateBlog } from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { SaveQueue, type Judgement, type SaveState } from './save-queue.ts';

/** A header that says which version a change is of. */
export const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` });

function judge(error: unknown): Judgement {
  if (!(error instanceof ApiError)) return 'later';
  if (error.status === 412) return 'conflict';
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500
    ? 'later'
    : 'refused';
}

/** The queue of the post that is open in this tab, and how its saving stands. */
export function useSaving(blog: Blog): { queue: SaveQueue<Blog>; state: SaveState } {
  const queries = useQueryClient();
  const path = { projectId: blog.project_id, blogId: blog.id };
  const [queue] = useState(
    () =>
      new SaveQueue<Blog>({
        version: blog.version,
        judge,
        wait: (run, ms) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
        send: async (changes, version) => {
          const { data } = await updateBlog({
            path,
            body: changes,
            headers: ifMatch(version),
            throwOnError: true,
          });
          return data;
        },
        onSaved: (saved) => {
          queries.setQueryData(getBlogQueryKey({ path }), saved);
          // Lists ask anew when they are looked at, not while somebody types.
          void queries.invalidateQueries({ queryKey: [{ _id: 'listBlogs' }], refetchType: 'none' });
        },
      }),
  );
  const state = useSyncExternalStore(queue.subscribe, () => queue.state);
  // Who goes to another page goes on saving.
  useEffect(() => () => void queue.flush(), [queue]);
  return { queue, state };
}
