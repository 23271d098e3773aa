import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { getBlog, updateBlog } from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { discardNewPost } from '../../../parts/posts/use-new-post.ts';
import { savesUnderWay } from '../../../news/saves-under-way.ts';
import { accountId } from '../../../session/session.ts';
import type { LatestContent } from './latest-content.ts';
import { SaveQueue, type Judgement, type SaveState } from './save-queue.ts';

/** A header that says which version a change is of. */
export const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` });

function judge(error: unknown, isSignedOut: boolean): Judgement {
  if (!(error instanceof ApiError)) return 'later';
  // Unsaved changes are not retried after a sign-out, when another person may sign in.
  if (isSignedOut) return 'refused';
  if (error.status === 412) return 'conflict';
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500
    ? 'later'
    : 'refused';
}

/** The queue of the post that is open in this tab, and its save state. `content` learns what is stored of it. */
export function useSaving(blog: Blog, content: LatestContent): { queue: SaveQueue<Blog>; state: SaveState } {
  const queries = useQueryClient();
  const path = { projectId: blog.project_id, blogId: blog.id };
  const [author] = useState(accountId);
  const [queue] = useState(
    () =>
      new SaveQueue<Blog>({
        version: blog.version,
        judge: (error) => judge(error, accountId() !== author),
        askedToWaitMs: (error) => (error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0),
        wait: (run, ms) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
        send: async (changes, version) => {
          if (accountId() !== author) throw new ApiError(401, null);
          savesUnderWay.add(blog.id);
          const { data } = await updateBlog({
            path,
            body: changes,
            headers: ifMatch(version),
            throwOnError: true,
          }).finally(() => savesUnderWay.delete(blog.id));
          const sent = changes['content'];
          if (typeof sent === 'string') content.save({ sent, stored: data.content });
          return data;
        },
        read: async () => (await getBlog({ path, throwOnError: true })).data,
        onSaved: (saved) => {
          queries.setQueryData(getBlogQueryKey({ path }), saved);
          void queries.invalidateQueries({ queryKey: [{ _id: 'previewRename' }] });
          // Lists refetch when they are shown, not while someone types.
          void queries.invalidateQueries({ queryKey: [{ _id: 'listBlogs' }], refetchType: 'none' });
        },
      }),
  );
  const state = useSyncExternalStore(queue.subscribe, () => queue.state);
  useEffect(
    () => () => {
      // Saving continues on other pages.
      void queue.flush();
      if (queue.isUntouched) void discardNewPost(path);
    },
    [queue],
  );
  return { queue, state };
}
