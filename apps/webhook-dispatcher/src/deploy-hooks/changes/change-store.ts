import { randomUUID } from 'node:crypto';
import type { ReceivedEvent } from '@blog-content/event-log';
import type { BlogServedEvent, VisibilityEvent } from '@blog-content/payload-schemas';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../database/open-database.ts';
import { lockHooks } from '../settings/hook-store.ts';
import { joinWindow, type ReadyChange, type Window, type WindowRules } from './window.ts';

type Lifecycle = Pick<ReceivedEvent<VisibilityEvent>, 'id' | 'data'>;

/** Changes that joined a request unserved. */
export interface OverdueChanges {
  readonly projectId: string;
  readonly requestId: string;
  readonly count: number;
}

/**
 * Gathers the changes of projects with an active hook into requests. A change is kept until the public API serves it,
 * then it joins the project's window: the request that waits to be made.
 */
export interface ChangeStore {
  /**
   * Keeps the changes of these events, each once. To be called before deliveries are planned for them: a planned event
   * is one whose change was kept, or never will be. What was planned before a hook was switched on does not count
   * (contract §1.5, ADR 18).
   */
  keep(events: readonly Lifecycle[], rules: WindowRules & { readonly servedWaitMs: number }): Promise<void>;
  /** The read service serves these events: their changes join. To be called after the deliveries know of it. */
  markServed(events: readonly BlogServedEvent[], rules: WindowRules): Promise<void>;
  /** Changes that have waited too long for that join anyway. */
  joinOverdue(rules: WindowRules): Promise<OverdueChanges[]>;
}

/** Most projects whose overdue changes join in one round. */
const OVERDUE_BATCH = 100;

export function createChangeStore(database: Database): ChangeStore {
  return {
    async keep(events, { servedWaitMs, ...rules }) {
      const hooked = await withHook(
        database,
        events.map(({ data }) => data.project_id),
      );
      if (hooked.length === 0) return;
      const rows = events
        .filter(({ data }) => hooked.includes(data.project_id))
        .map(({ id, data: { project_id, blog_id, blog_event_number, event } }) => {
          return { id, project_id, blog_id, blog_event_number, event };
        });
      await database.$transaction(async (tx) => {
        await lockHooks(tx, hooked);
        const kept = await tx.$executeRaw`
          INSERT INTO deploy_hook_change (lifecycle_event_id, project_id, blog_id, blog_event_number, event, overdue_at)
          SELECT row.id, row.project_id, row.blog_id, row.blog_event_number, row.event,
            clock_timestamp() + ${servedWaitMs} * interval '1 millisecond'
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id uuid, project_id uuid,
            blog_id uuid, blog_event_number integer, event text)
          JOIN deploy_hook h ON h.project_id = row.project_id AND h.active
          WHERE NOT EXISTS (
            SELECT FROM lifecycle_event planned
            WHERE planned.blog_id = row.blog_id AND planned.blog_event_number >= row.blog_event_number)
          ON CONFLICT DO NOTHING`;
        if (kept === 0) return;
        // The read service may have been faster than this service.
        const isServed = Prisma.sql`c.lifecycle_event_id = ANY (${rows.map(({ id }) => id)}::uuid[])
          AND EXISTS (SELECT FROM served_event s WHERE s.lifecycle_event_id = c.lifecycle_event_id)`;
        await joinWindows(tx, { condition: isServed, isServed: true }, rules);
      });
    },

    async markServed(events, rules) {
      const hooked = await withHook(
        database,
        events.map(({ project_id }) => project_id),
      );
      if (hooked.length === 0) return;
      const rows = events.map(({ project_id, blog_id, blog_event_number }) => {
        return { project_id, blog_id, blog_event_number };
      });
      // A service that serves an event of a blog has served the earlier ones.
      const isServed = Prisma.sql`c.project_id = ANY (${hooked}::uuid[])
        AND c.blog_id = ANY (${rows.map(({ blog_id: id }) => id)}::uuid[])
        AND EXISTS (
          SELECT FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS served (project_id uuid, blog_id uuid,
            blog_event_number integer)
          WHERE served.project_id = c.project_id AND served.blog_id = c.blog_id
            AND served.blog_event_number >= c.blog_event_number)`;
      await database.$transaction(async (tx) => {
        await lockHooks(tx, hooked);
        await joinWindows(tx, { condition: isServed, isServed: true }, rules);
      });
    },

    async joinOverdue(rules) {
      const found = await database.$queryRaw<{ project_id: string }[]>`
        SELECT DISTINCT project_id FROM deploy_hook_change WHERE request_id IS NULL AND overdue_at <= now()
          LIMIT ${OVERDUE_BATCH}`;
      if (found.length === 0) return [];
      const projectIds = found.map(({ project_id }) => project_id);
      return database.$transaction(async (tx) => {
        await lockHooks(tx, projectIds);
        const isOverdue = Prisma.sql`c.project_id = ANY (${projectIds}::uuid[]) AND c.overdue_at <= now()`;
        return joinWindows(tx, { condition: isOverdue, isServed: false }, rules);
      });
    },
  };
}

/** Most projects have no hook: for them this one look is all. */
async function withHook(database: Database, projectIds: readonly string[]): Promise<string[]> {
  const rows = await database.$queryRaw<{ project_id: string }[]>`
    SELECT project_id FROM deploy_hook WHERE active AND project_id = ANY (${[...new Set(projectIds)]}::uuid[])`;
  return rows.map(({ project_id }) => project_id);
}

interface ChangeRow {
  lifecycle_event_id: string;
  project_id: string;
  blog_id: string;
  event: VisibilityEvent['event'];
}

/**
 * Lets the waiting changes (alias `c`) that `condition` selects join the windows of their projects, which are locked.
 */
async function joinWindows(
  tx: Prisma.TransactionClient,
  { condition, isServed }: { readonly condition: Prisma.Sql; readonly isServed: boolean },
  rules: WindowRules,
): Promise<OverdueChanges[]> {
  const rows = await tx.$queryRaw<ChangeRow[]>`
    SELECT lifecycle_event_id, project_id, blog_id, event FROM deploy_hook_change c
    WHERE c.request_id IS NULL AND ${condition}
    ORDER BY blog_id, blog_event_number`;
  const joined: OverdueChanges[] = [];
  for (const [projectId, changes] of Map.groupBy(rows, (row) => row.project_id)) {
    const ready = changes.map(({ blog_id, event }): ReadyChange => ({ blogId: blog_id, event, isServed }));
    const requestId = await joinRequest(tx, projectId, ready, rules);
    const ids = changes.map((change) => change.lifecycle_event_id);
    await tx.$executeRaw`
      UPDATE deploy_hook_change SET request_id = ${requestId}::uuid WHERE lifecycle_event_id = ANY (${ids}::uuid[])`;
    joined.push({ projectId, requestId, count: changes.length });
  }
  return joined;
}

interface WindowRow extends Omit<Window, 'dueAt'> {
  id: string;
  attempts: number;
}

/** The project's open request, or a new one; a retry that waits is superseded by it. */
async function joinRequest(
  tx: Prisma.TransactionClient,
  projectId: string,
  changes: readonly ReadyChange[],
  rules: WindowRules,
): Promise<string> {
  // Locked: either it is still there when the changes have joined, or it has just been claimed and is not found.
  const [waiting] = await tx.$queryRaw<WindowRow[]>`
    SELECT id, attempts, first_change_at AS "firstChangeAt", published, unpublished, deleted, not_served AS "notServed",
      blog_ids AS "blogIds"
    FROM deploy_hook_request WHERE project_id = ${projectId}::uuid AND status = 'waiting' FOR UPDATE`;
  const open = waiting?.attempts === 0 ? waiting : null;
  if (waiting !== undefined && open === null) await supersede(tx, waiting.id);
  const window = joinWindow(open, changes, await databaseTime(tx), rules);
  const data = { ...window, blogIds: [...window.blogIds] };
  if (open !== null) {
    await tx.deployHookRequest.update({ where: { id: open.id }, data });
    return open.id;
  }
  const id = randomUUID();
  await tx.deployHookRequest.create({ data: { id, projectId, kind: 'changes', status: 'waiting', ...data } });
  return id;
}

/** How a retry ends that a newer request supersedes. */
export const SUPERSEDED_DETAIL = 'Replaced by a request for newer changes.';

async function supersede(tx: Prisma.TransactionClient, requestId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE deploy_hook_request SET status = 'superseded', detail = ${SUPERSEDED_DETAIL}, finished_at = now()
    WHERE id = ${requestId}::uuid`;
}

async function databaseTime(tx: Prisma.TransactionClient): Promise<Date> {
  const [clock] = await tx.$queryRaw<{ at: Date }[]>`SELECT clock_timestamp()::timestamptz(3) AS at`;
  if (clock === undefined) throw new Error('The database gave no time.');
  return clock.at;
}
