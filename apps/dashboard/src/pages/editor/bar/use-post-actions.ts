import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { getBlogQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { getBlog, publishBlog, scheduleBlog, unpublishBlog, unscheduleBlog } from '../../../generated/sdk.gen.ts';
import type { Blog } from '../../../generated/types.gen.ts';
import { formatDateTime, timeZone } from '../../../parts/dates.ts';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { notify } from '../../../parts/notify.ts';
import { deleteSoon } from '../../../parts/posts/delete-soon.ts';
import { dateAhead, keptDate } from '../../../parts/publication-date/date-of-publish.ts';
import type { DateChoice } from '../../../parts/publication-date/keep-or-now.tsx';
import { editor as text } from '../../../strings/editor.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import { ifMatch } from '../saving/use-saving.ts';

/** The actions on the post. Each saves first, and confirms what has happened. */
export function usePostActions({ blog, queue, title }: { blog: Blog; queue: SaveQueue<Blog>; title: string }) {
  const path = { projectId: blog.project_id, blogId: blog.id };
  const queries = useQueryClient();
  const navigate = useNavigate();
  // One press of the button, however often it has to be sent.
  const key = useRef('');
  const begin = () => {
    key.current = idempotencyKey();
  };

  /** Runs it on the saved version, and continues from the version that it made. */
  const run = <Result>(act: (version: number) => Promise<Result>): Promise<Result> =>
    queue.run(async (version) => {
      const result = await act(version);
      const { data } = await getBlog({ path, throwOnError: true });
      queries.setQueryData(getBlogQueryKey({ path }), data);
      void queries.invalidateQueries({ queryKey: [{ _id: 'listBlogs' }] });
      void queries.invalidateQueries({ queryKey: [{ _id: 'previewRename' }] });
      // Whether readers find it among them, and how far they are behind it.
      void queries.invalidateQueries({ queryKey: [{ _id: 'listTranslations' }] });
      return { result, version: data.version };
    });

  /** Answers the publish; null where the post is dated ahead, and was scheduled. */
  const publish = async (choice: DateChoice): Promise<string | null> => {
    if (choice === 'now' && dateAhead(blog) !== null) queue.change('published_at', null);
    const { data } = await run((version) =>
      publishBlog({
        path,
        body: keptDate(blog, choice),
        headers: { ...ifMatch(version), 'Idempotency-Key': key.current },
        throwOnError: true,
      }),
    );
    if (data.status === 'scheduled') {
      notify.done(text.schedule.done(formatDateTime(data.publish_at), timeZone()));
      return null;
    }
    return data.id;
  };
  /** Publishing again would add the edits since then, so Undo comes first. */
  const unpublish = () => {
    const ownKey = key.current;
    const now = async () => {
      try {
        await run((version) => {
          const headers = { ...ifMatch(version), 'Idempotency-Key': ownKey };
          return unpublishBlog({ path, headers, keepalive: true, throwOnError: true });
        });
        notify.done(text.unpublish.done);
      } catch (error) {
        notify.failed(error);
      }
    };
    notify.soon(text.unpublish.soon, () => void now());
    return Promise.resolve();
  };
  const remove = async () => {
    const version = await queue.run((saved) => Promise.resolve({ result: saved, version: saved }));
    // What is not saved goes with the post.
    await navigate({ to: '/projects/$projectId/posts', params: path, ignoreBlocker: true });
    deleteSoon([{ ...blog, title, version }], queries);
  };
  const unschedule = async () => {
    try {
      await run(() => unscheduleBlog({ path, throwOnError: true }));
      notify.done(text.schedule.ended);
    } catch (error) {
      notify.failed(error);
    }
  };
  const schedule = async (at: string) => {
    await run((version) =>
      scheduleBlog({ path, body: { publish_at: at }, headers: ifMatch(version), throwOnError: true }),
    );
    notify.done(text.schedule.done(formatDateTime(at), timeZone()));
  };
  return { begin, publish, unpublish, remove, schedule, unschedule };
}
