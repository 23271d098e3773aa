import type { ProjectNews } from '@blog-content/payload-schemas';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';

/** How long events are kept for clients that come back. */
export const EVENT_LIFE_MS = 3_600_000;
/** Most events of one reading: if there are more, clients are told to read everything again. */
export const MAX_EVENTS_AT_ONCE = 2_000;
const MAX_SWEPT = 1_000;

export interface EventOfProject {
  readonly projectId: string;
  readonly data: ProjectNews;
}

/** What has committed between two snapshots. */
export interface News {
  /** In no more than roughly the order of their commits; null when they are too many. */
  readonly events: readonly EventOfProject[] | null;
  /** The projects that have any, where they are too many. */
  readonly crowded: ReadonlySet<string>;
  /** The later snapshot: what the next question begins at. */
  readonly snapshot: string;
}

/** Who watches what. */
export interface Watcher {
  readonly projectId: string;
  readonly accountId: string;
  readonly sessionId: string;
}

export const watcherKey = ({ sessionId, projectId }: Pick<Watcher, 'sessionId' | 'projectId'>): string =>
  `${sessionId} ${projectId}`;

/** Adds events for those who watch a project, in the transaction of the change. */
export async function addProjectEvents(tx: Transaction, events: readonly EventOfProject[]): Promise<void> {
  if (events.length > 0) await tx.$executeRaw(insertProjectEvents(events));
}

/** The same as a part of a statement. */
export function insertProjectEvents(events: readonly EventOfProject[]): Prisma.Sql {
  const ids = events.map(({ projectId }) => projectId);
  const data = events.map((event) => JSON.stringify(event.data));
  return Prisma.sql`
    INSERT INTO project_event (xid, project_id, data)
    SELECT pg_current_xact_id()::text::bigint, added.project_id, added.data::jsonb
    FROM unnest(${ids}::uuid[], ${data}::text[]) AS added (project_id, data)`;
}

export type ProjectEventStore = ReturnType<typeof createProjectEventStore>;

export function createProjectEventStore(database: Database, clock: () => Date) {
  return {
    /** The snapshot of now. */
    async now(): Promise<string> {
      const [row] = await database.$queryRaw<{ snapshot: string }[]>`SELECT pg_current_snapshot()::text AS snapshot`;
      return row?.snapshot ?? '';
    },

    /**
     * What has committed since a snapshot, in all projects or in one. Each event is told once, however long its
     * transaction took, because snapshots know which transactions they have seen.
     */
    async since(snapshot: string, projectId?: string): Promise<News> {
      const [row] = await database.$queryRaw<{ snapshot: string; events: EventOfProject[] | null }[]>`
        SELECT pg_current_snapshot()::text AS snapshot, (
          SELECT jsonb_agg(jsonb_build_object('projectId', news.project_id, 'data', news.data) ORDER BY news.position)
          FROM (
            SELECT position, project_id, data FROM project_event
            WHERE xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
              AND NOT pg_visible_in_snapshot(xid::text::xid8, ${snapshot}::pg_snapshot)
              -- Of a database that was restored from a dump some are of transactions that are to come.
              AND pg_visible_in_snapshot(xid::text::xid8, pg_current_snapshot())
              AND (${projectId ?? null}::uuid IS NULL OR project_id = ${projectId ?? null}::uuid)
            LIMIT ${MAX_EVENTS_AT_ONCE + 1}
          ) news) AS events`;
      const events = row?.events ?? [];
      const next = row?.snapshot ?? snapshot;
      if (events.length <= MAX_EVENTS_AT_ONCE) return { events, crowded: new Set(), snapshot: next };
      const crowded = await database.$queryRaw<{ id: string }[]>`
        SELECT DISTINCT project_id AS id FROM project_event
        WHERE xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
          AND NOT pg_visible_in_snapshot(xid::text::xid8, ${snapshot}::pg_snapshot)
          AND pg_visible_in_snapshot(xid::text::xid8, ${next}::pg_snapshot)`;
      return { events: null, crowded: new Set(crowded.map(({ id }) => id)), snapshot: next };
    },

    /** Those whose session goes on and who are members, by session and project. */
    async allowed(watchers: readonly Watcher[]): Promise<ReadonlySet<string>> {
      const rows = await database.$queryRaw<Pick<Watcher, 'sessionId' | 'projectId'>[]>`
        SELECT session.id AS "sessionId", member.project_id AS "projectId"
        FROM unnest(
          ${watchers.map(({ sessionId }) => sessionId)}::uuid[],
          ${watchers.map(({ projectId }) => projectId)}::uuid[],
          ${watchers.map(({ accountId }) => accountId)}::uuid[]) AS watcher (session_id, project_id, account_id)
        JOIN account_session session ON session.id = watcher.session_id AND session.account_id = watcher.account_id
          AND session.revoked_at IS NULL AND session.expires_at > ${clock()}
        JOIN project_member member
          ON member.project_id = watcher.project_id AND member.account_id = watcher.account_id`;
      return new Set(rows.map(watcherKey));
    },

    /** Deletes some of the old ones. @returns how many. */
    sweep: (): Promise<number> =>
      database.$executeRaw`
        DELETE FROM project_event WHERE position IN (
          SELECT position FROM project_event WHERE created_at <= ${new Date(clock().getTime() - EVENT_LIFE_MS)}
          LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED)`,
  };
}
