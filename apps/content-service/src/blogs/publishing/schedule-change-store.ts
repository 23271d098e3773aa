import { extras, type Trigger } from '@blog-content/payload-schemas';
import { MAX_SCHEDULE_AHEAD_MS, MAX_SCHEDULES } from '../../limits.ts';
import type { Transaction } from '../../platform/database/open-database.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import type { BlogRow } from '../blog-row.ts';

export interface Schedule {
  readonly blogId: string;
  readonly title: string;
  readonly language: string | null;
  readonly publishAt: Date;
  /** What it counts as: whether a member has set it, or an agent or the autopilot. */
  readonly trigger: Trigger;
  /** Its position in lists: time in milliseconds, then the blog's own position. */
  readonly position: string;
}

/** The columns of a blog that is not scheduled. */
export const NOT_SCHEDULED = {
  publishAt: null,
  publishAtTrigger: null,
  publishAtSetBy: null,
  publishRetryAt: null,
} as const;

export const isTooFarAhead = (publishAt: Date, now: Date): boolean =>
  publishAt.getTime() - now.getTime() > MAX_SCHEDULE_AHEAD_MS;

/** Has a locked blog that is scheduled published later. */
export async function moveSchedule(tx: Transaction, { id, projectId }: BlogRow, publishAt: Date): Promise<void> {
  await tx.blog.update({ where: { id }, data: { publishAt, publishRetryAt: null }, select: { id: true } });
  await announceSchedule(tx, projectId, id, publishAt);
}

/** Sets or moves the scheduled publish of a locked blog. */
export async function writeSchedule(
  tx: Transaction,
  blog: BlogRow,
  { publishAt, trigger, setBy }: { readonly publishAt: Date; readonly trigger: Trigger; readonly setBy: string | null },
): Promise<Schedule | 'too_many'> {
  const { id: blogId, projectId } = blog;
  // One at a time in a project, so that the limit holds. Taken after the blog's row, by everyone who takes both.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`schedules ${projectId}`}, 0))`;
  const others = await tx.blog.count({
    where: { projectId, publishAt: { not: null }, id: { not: blogId } },
    take: MAX_SCHEDULES,
  });
  if (others >= MAX_SCHEDULES) return 'too_many';
  const publishAtTrigger = trigger === 'autopilot' ? trigger : null;
  await tx.blog.update({
    where: { id: blogId },
    data: { publishAt, publishAtTrigger, publishAtSetBy: setBy, publishRetryAt: null },
    select: { id: true },
  });
  await announceSchedule(tx, projectId, blogId, publishAt);
  return toSchedule({ ...blog, publishAt, publishAtTrigger });
}

export const announceSchedule = (tx: Transaction, projectId: string, blogId: string, publishAt: Date | null) =>
  addProjectEvents(tx, [
    {
      projectId,
      data: { event: 'schedule.changed', blog_id: blogId, publish_at: publishAt?.toISOString() ?? null },
    },
  ]);

export function toSchedule(
  blog: Pick<BlogRow, 'id' | 'title' | 'extra' | 'position' | 'publishAtTrigger'> & { publishAt: Date },
): Schedule {
  const { id: blogId, title, publishAt } = blog;
  const trigger = blog.publishAtTrigger === 'autopilot' ? 'autopilot' : 'manual';
  const { language } = extras.of(blog.extra);
  return { blogId, title, language, publishAt, trigger, position: `${publishAt.getTime()}.${blog.position}` };
}
