import type { IfMatch, Page } from '@blog-content/service-runtime';
import { lockBlog, type Blog } from '../blogs/blog-store.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { MAX_SCHEDULES } from '../limits.ts';
import type { Database } from '../open-database.ts';

export interface Schedule {
  readonly blogId: string;
  readonly title: string;
  readonly publishAt: Date;
  /** Place in lists: time in milliseconds, then the blog's own place. */
  readonly position: string;
}

/** The form of a schedule's position. */
export const SCHEDULE_POSITION = /^\d{1,15}\.\d{1,18}$/;

/** Publishes that are to happen at a time. They stand with the blogs, and end with any publish, unpublish or delete. */
export interface ScheduleStore {
  /** Sets or moves the blog's scheduled publish. */
  set(
    request: { projectId: string; blogId: string; publishAt: Date; setBy: string },
    ifMatch: IfMatch,
  ): Promise<Schedule | 'not_found' | 'changed' | 'too_many'>;
  /** False when there is no such blog; taking back what is not scheduled is fine. */
  clear(projectId: string, blogId: string): Promise<boolean>;
  /** The next one first, one more than the page holds. */
  list(projectId: string, page: Page): Promise<Schedule[]>;
  /** The ids of blogs that are due, those waiting longest first, `limit` at most. */
  due(now: Date, limit: number): Promise<string[]>;
  /** How many are due. */
  countDue(now: Date): Promise<number>;
}

export function createScheduleStore(database: Database): ScheduleStore {
  return {
    set: ({ projectId, blogId, publishAt, setBy }, ifMatch) =>
      database.$transaction(async (tx) => {
        const blog = await lockBlog(tx, projectId, blogId);
        if (!blog || blog.state === 'deleted') return 'not_found';
        if (!ifMatch(blog.version)) return 'changed';
        const others = await tx.blog.count({
          where: { projectId, publishAt: { not: null }, id: { not: blogId } },
          take: MAX_SCHEDULES,
        });
        if (others >= MAX_SCHEDULES) return 'too_many';
        await tx.blog.update({ where: { id: blogId }, data: { publishAt, publishAtSetBy: setBy } });
        return toSchedule({ ...blog, publishAt });
      }),

    async clear(projectId, blogId) {
      const { count } = await database.blog.updateMany({
        where: { id: blogId, projectId, state: { not: 'deleted' } },
        data: { publishAt: null, publishAtSetBy: null },
      });
      return count === 1;
    },

    async list(projectId, { from, limit }) {
      const blogs = await database.blog.findMany({
        where: { projectId, publishAt: { not: null }, ...(from !== null && { OR: after(from) }) },
        select: { id: true, title: true, publishAt: true, position: true },
        orderBy: [{ publishAt: 'asc' }, { position: 'asc' }],
        take: limit + 1,
      });
      return blogs.flatMap(({ publishAt, ...blog }) =>
        publishAt === null ? [] : [toSchedule({ ...blog, publishAt })],
      );
    },

    async due(now, limit) {
      const blogs = await database.blog.findMany({
        where: { publishAt: { lte: now } },
        select: { id: true },
        orderBy: { publishAt: 'asc' },
        take: limit,
      });
      return blogs.map(({ id }) => id);
    },

    countDue: (now) => database.blog.count({ where: { publishAt: { lte: now } } }),
  };
}

function toSchedule(blog: Pick<Blog, 'id' | 'title' | 'position'> & { publishAt: Date }): Schedule {
  const { id: blogId, title, publishAt } = blog;
  return { blogId, title, publishAt, position: `${publishAt.getTime()}.${blog.position}` };
}

function after(from: string): Prisma.BlogWhereInput[] {
  const [timeMs = '', position = ''] = from.split('.');
  const time = new Date(Number(timeMs));
  return [{ publishAt: { gt: time } }, { publishAt: time, position: { gt: BigInt(position) } }];
}
