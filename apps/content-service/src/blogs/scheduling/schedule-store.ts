import type { IfMatch, Page } from '@blog-content/service-runtime';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/database/open-database.ts';
import type { DueQuery } from '../../platform/workload/due-watch-store.ts';
import { idsByAccount } from '../../platform/workload/ids-by-account.ts';
import { shareLockProject } from '../../projects/project-change-store.ts';
import { ownerAccountOf } from '../../projects/project-store.ts';
import {
  announceSchedule,
  NOT_SCHEDULED,
  toSchedule,
  writeSchedule,
  type Schedule,
} from '../publishing/schedule-change-store.ts';
import { lockBlog, writeWorkingCopy } from '../writing/working-copy-store.ts';

/** The form of a schedule's position. */
export const SCHEDULE_POSITION = /^\d{1,15}\.\d{1,18}$/;

export interface DueLimits {
  readonly inAll: number;
  readonly ofAccount: number;
}

const MIN_RETRY_S = 1;
const MAX_RETRY_S = 300;

/** Written as one look into an index, so that the planner's statistics don't matter. */
export const dueSchedules: DueQuery = (now) => Prisma.sql`
  SELECT WHERE (SELECT coalesce(publish_retry_at, publish_at) FROM blog WHERE publish_at IS NOT NULL
    ORDER BY coalesce(publish_retry_at, publish_at) LIMIT 1) <= ${now}`;

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/** Publishes that are set for later. They are columns of the blog; any publish, unpublish or delete ends them. */
export function createScheduleStore(database: Database, clock: () => Date) {
  return {
    /** Sets or moves the blog's scheduled publish. */
    set: (
      { projectId, blogId, publishAt, setBy }: { projectId: string; blogId: string; publishAt: Date; setBy: string },
      ifMatch: IfMatch,
    ): Promise<Schedule | 'not_found' | 'changed' | 'too_many'> =>
      database.$transaction(async (tx) => {
        if (!(await shareLockProject(tx, projectId))) return 'not_found';
        const locked = await lockBlog(tx, projectId, blogId);
        if (!locked || locked.state === 'deleted') return 'not_found';
        if (!ifMatch(locked.version)) return 'changed';
        const now = clock();
        // Two times to come would contradict each other: the schedule is the one that counts.
        const isDatedAhead = locked.publicationDate !== null && locked.publicationDate > now;
        const blog = isDatedAhead
          ? await writeWorkingCopy(tx, locked, { changes: { publicationDate: null }, now })
          : locked;
        return writeSchedule(tx, blog, { publishAt, trigger: 'manual', setBy });
      }),

    /** False when there is no such blog. Idempotent. */
    clear: (projectId: string, blogId: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const { count } = await tx.blog.updateMany({
          where: { id: blogId, projectId, state: { not: 'deleted' } },
          data: NOT_SCHEDULED,
        });
        if (count === 1) await announceSchedule(tx, projectId, blogId, null);
        return count === 1;
      }),

    /** The next one first, one more than the page holds. */
    async list(projectId: string, { from, limit }: Page): Promise<Schedule[]> {
      const blogs = await database.blog.findMany({
        where: { projectId, publishAt: { not: null }, ...(from !== null && { OR: after(from) }) },
        select: { id: true, title: true, extra: true, publishAt: true, publishAtTrigger: true, position: true },
        orderBy: [{ publishAt: 'asc' }, { position: 'asc' }],
        take: limit + 1,
      });
      return blogs.flatMap(({ publishAt, ...blog }) =>
        publishAt === null ? [] : [toSchedule({ ...blog, publishAt })],
      );
    },

    /**
     * The ids of blogs that are due, for the first or next try, by the account that owns the project: accounts take
     * turns, and so do the projects of one account. Of a project those come first that are due for longest.
     */
    async due(now: Date, { inAll, ofAccount }: DueLimits): Promise<ReadonlyMap<string, readonly string[]>> {
      // Whether anything is due is one look into an index. Only then it goes from project to project, by one look each,
      // and reads no more of any than its account may have: nothing that is set for later, or tried again later.
      const due = await database.$queryRaw<{ id: string; account: string }[]>`
        WITH RECURSIVE first AS (
          (SELECT project_id, coalesce(publish_retry_at, publish_at) AS due_at FROM blog
          WHERE publish_at IS NOT NULL AND (
            SELECT coalesce(publish_retry_at, publish_at) FROM blog WHERE publish_at IS NOT NULL
            ORDER BY coalesce(publish_retry_at, publish_at) LIMIT 1) <= ${now}
          ORDER BY project_id, coalesce(publish_retry_at, publish_at) LIMIT 1)
          UNION ALL
          SELECT next.project_id, next.due_at FROM first CROSS JOIN LATERAL (
            SELECT project_id, coalesce(publish_retry_at, publish_at) AS due_at FROM blog
            WHERE publish_at IS NOT NULL AND project_id > first.project_id
            ORDER BY project_id, coalesce(publish_retry_at, publish_at) LIMIT 1) next
        ), in_projects AS (
          SELECT due.*, ${ownerAccountOf(Prisma.sql`first.project_id`)} AS account
          FROM first JOIN project ON project.id = first.project_id AND project.suspended IS NULL
          CROSS JOIN LATERAL (
            SELECT id, coalesce(publish_retry_at, publish_at) AS due_at,
              row_number() OVER (ORDER BY coalesce(publish_retry_at, publish_at), position) AS turn FROM blog
            WHERE project_id = first.project_id AND publish_at IS NOT NULL
              AND coalesce(publish_retry_at, publish_at) <= ${now}
            ORDER BY coalesce(publish_retry_at, publish_at), position LIMIT ${ofAccount}) due
          WHERE first.due_at <= ${now}
        ), in_accounts AS (
          SELECT *, row_number() OVER (PARTITION BY account ORDER BY turn, due_at) AS turn_of_account
          FROM in_projects
        )
        SELECT id, account FROM in_accounts WHERE turn_of_account <= ${ofAccount}
        ORDER BY turn_of_account, due_at LIMIT ${inAll}`;
      return idsByAccount(due);
    },

    /** Whether the blog is still due, and no other replica publishes it now. */
    async isFree(blogId: string, now: Date): Promise<boolean> {
      const free = await database.$queryRaw<object[]>`
        SELECT FROM blog JOIN project ON project.id = blog.project_id
        WHERE blog.id = ${blogId}::uuid AND coalesce(blog.publish_retry_at, blog.publish_at) <= ${now}
          AND project.deleted_at IS NULL AND project.suspended IS NULL
        FOR UPDATE OF blog SKIP LOCKED FOR KEY SHARE OF project SKIP LOCKED`;
      return free.length > 0;
    },

    /**
     * Sets the next try of a due blog that could not be published: it waits as long as it is late already, 1 s to 5
     * min. Meanwhile the others have their turn.
     */
    async postpone(blogId: string, now: Date): Promise<void> {
      await database.$executeRaw`
        UPDATE blog SET publish_retry_at = ${now}::timestamptz + least(
          greatest(${now}::timestamptz - publish_at, make_interval(secs => ${MIN_RETRY_S})),
          make_interval(secs => ${MAX_RETRY_S}))
        WHERE id = ${blogId}::uuid AND publish_at <= ${now}`;
    },
  };
}

function after(from: string): Prisma.BlogWhereInput[] {
  const [timeMs = '', position = ''] = from.split('.');
  const time = new Date(Number(timeMs));
  return [{ publishAt: { gt: time } }, { publishAt: time, position: { gt: BigInt(position) } }];
}
