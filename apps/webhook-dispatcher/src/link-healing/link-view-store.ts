import type { VisibilityEvent } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockBlogs } from '../queue/queue-transaction-store.ts';
import { linkParameters } from './keep-links.ts';
import { keepLinks, keepSlugs } from './keep-statements.ts';
import { HEALS } from './link-statements.ts';
import { oneOfEachAccount } from './project-turns-store.ts';

/** Most events that are read together: each holds a post. */
const MAX_EVENTS_READ = 20;
/** Most rows of a project that are forgotten in one transaction. */
const MAX_FORGOTTEN = 2_000;
/** Most blogs, each with up to a thousand links. */
const MAX_BLOGS_FORGOTTEN = 50;
/** Most known projects that are looked at in one round. */
export const MAX_PROJECTS_KNOWN = 20;

/** Keeps the links of those projects known that have healing integrations, and of no others. */
export interface LinkViewStore {
  /**
   * Projects that are to be read, one of each account: those that are not known, and those that were last looked
   * through longer ago than `everyMs`.
   */
  toRead(everyMs: number): Promise<string[]>;
  /**
   * Reads what is not known of a project, a bounded part of it; true when nothing is left. Planning keeps what is
   * published; this finds what was published before, or planned by a process that did not know of the integration yet.
   */
  readNext(projectId: string): Promise<boolean>;
  /**
   * Projects of which something is known, in the order of their ids, behind that one, and whether it need be no longer.
   */
  known(behind: string): Promise<{ readonly id: string; readonly isOver: boolean }[]>;
  /** Forgets a bounded part of a project; true when nothing is left. */
  forgetNext(projectId: string): Promise<boolean>;
}

const heals = Prisma.raw(HEALS);

export function createLinkViewStore(database: Database): LinkViewStore {
  return {
    async toRead(everyMs) {
      const rows = await database.$queryRaw<{ id: string }[]>(
        oneOfEachAccount(Prisma.sql`
      SELECT DISTINCT i.project_id::text AS id, coalesce(p.account_id, i.project_id)::text AS account
      FROM integration i LEFT JOIN link_view v ON v.project_id = i.project_id LEFT JOIN project p ON p.id = i.project_id
      WHERE ${heals} AND (v.checked_at IS NULL OR v.checked_at < now() - ${everyMs} * interval '1 millisecond')`),
      );
      return rows.map(({ id }) => id);
    },

    async readNext(projectId) {
      const missing = await database.$queryRaw<{ blog_id: string }[]>`
        SELECT e.blog_id::text FROM lifecycle_event e LEFT JOIN link_target t ON t.blog_id = e.blog_id
        WHERE e.project_id::text = ${projectId} AND e.newest AND e.data IS NOT NULL
          AND t.event_number IS DISTINCT FROM e.blog_event_number
        LIMIT ${MAX_EVENTS_READ}`;
      if (missing.length === 0) {
        await database.$executeRaw`
          INSERT INTO link_view (project_id) VALUES (${projectId}::uuid)
          ON CONFLICT (project_id) DO UPDATE SET checked_at = now()`;
        return true;
      }
      const blogIds = missing.map(({ blog_id: id }) => id);
      await database.$transaction(async (tx) => {
        await lockBlogs(tx, blogIds);
        const rows = await tx.$queryRaw<{ data: VisibilityEvent }[]>`
          SELECT data FROM lifecycle_event WHERE blog_id = ANY (${blogIds}::uuid[]) AND newest AND data IS NOT NULL`;
        // What was not known at all is no change: receivers got it as it was.
        const given = { ...(await linkParameters(rows.map(({ data }) => data))), notesUnknown: false };
        await keepLinks.runIn(tx, given);
        await keepSlugs.runIn(tx, given);
      });
      return false;
    },

    // Planning keeps links before a project has been read: it need not have a view.
    known: (behind) => database.$queryRaw<{ id: string; isOver: boolean }[]>`
      WITH RECURSIVE linked (id, step) AS (
        SELECT ${behind}::uuid, 0
        UNION ALL
        SELECT (SELECT project_id FROM link_target WHERE project_id > linked.id ORDER BY project_id LIMIT 1), step + 1
        FROM linked WHERE linked.id IS NOT NULL AND step < ${MAX_PROJECTS_KNOWN}
      )
      SELECT known.id::text, NOT EXISTS (SELECT FROM integration i WHERE i.project_id = known.id AND ${heals})
        AS "isOver"
      FROM (
        SELECT id FROM linked WHERE step > 0 AND id IS NOT NULL
        UNION
        (SELECT project_id FROM link_view WHERE project_id > ${behind}::uuid ORDER BY project_id
          LIMIT ${MAX_PROJECTS_KNOWN})
        ORDER BY 1 LIMIT ${MAX_PROJECTS_KNOWN}
      ) known ORDER BY known.id`,

    async forgetNext(projectId) {
      // First of all: what is half forgotten is not known. Should healing be turned on again, it is reread.
      await database.$executeRaw`DELETE FROM link_view WHERE project_id = ${projectId}::uuid`;
      for (const table of ['link_healing', 'link_change', 'link_target_change', 'link_translation_change']) {
        const forgotten = await database.$executeRaw`
          DELETE FROM ${Prisma.raw(table)} WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM ${Prisma.raw(table)} WHERE project_id = ${projectId}::uuid LIMIT ${MAX_FORGOTTEN}))`;
        if (forgotten === MAX_FORGOTTEN) return false;
      }
      // A blog goes with all its links: by the number of its event it would count as read.
      const forgotten = await database.$executeRaw`
        WITH part AS (
          SELECT blog_id FROM link_target WHERE project_id = ${projectId}::uuid LIMIT ${MAX_BLOGS_FORGOTTEN}
        ),
        links AS (DELETE FROM blog_link WHERE blog_id = ANY (ARRAY(SELECT blog_id FROM part)))
        DELETE FROM link_target WHERE blog_id = ANY (ARRAY(SELECT blog_id FROM part))`;
      return forgotten < MAX_BLOGS_FORGOTTEN;
    },
  };
}
