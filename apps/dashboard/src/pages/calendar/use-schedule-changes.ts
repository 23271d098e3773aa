import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { scheduleBlog, unscheduleBlog } from '../../generated/sdk.gen.ts';
import { formatDateTime } from '../../parts/dates.ts';
import { isOver } from '../../parts/forms/local-time.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { calendar as text } from '../../strings/writing/calendar.ts';
import { common } from '../../strings/common.ts';

interface Scheduled {
  readonly blogId: string;
  readonly title: string;
  /** When it was scheduled for, if it was. */
  readonly before: string | null;
}

/** Schedules, moves and cancels. Each says so with Undo, and throws what the service refuses. */
export function useScheduleChanges() {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  return useMemo(() => {
    const set = async (blogId: string, at: string | null) => {
      const path = { projectId, blogId };
      await (at === null
        ? unscheduleBlog({ path, throwOnError: true })
        : scheduleBlog({ path, body: { publish_at: at }, throwOnError: true }));
      await Promise.all(
        ['listSchedules', 'listBlogs', 'countBlogs'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })),
      );
    };
    const undo = ({ blogId, before }: Scheduled) => ({
      label: text.undo,
      run: () =>
        void set(blogId, before)
          .then(() => notify.done(text.undone))
          .catch((error: unknown) => notify.failed(error)),
    });
    return {
      async schedule(post: Scheduled, at: string) {
        await set(post.blogId, at);
        const say = post.before === null ? text.scheduled : text.moved;
        notify.done(say(post.title, formatDateTime(at)), undo(post));
      },
      async cancel(post: Scheduled) {
        await set(post.blogId, null);
        // A time that is over can't be scheduled again.
        notify.done(text.canceled(post.title), post.before === null || isOver(post.before) ? undefined : undo(post));
      },
      /** With no dialog that would show what is refused. */
      move(post: Scheduled, at: string) {
        if (isOver(at)) notify.refused(common.timeIsOver);
        else void this.schedule(post, at).catch((error: unknown) => notify.failed(error));
      },
    };
  }, [projectId, queries]);
}

export type ScheduleChanges = ReturnType<typeof useScheduleChanges>;
