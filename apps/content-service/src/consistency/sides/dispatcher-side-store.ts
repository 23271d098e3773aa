import { eventsThat } from '@blog-content/payload-schemas';
import type { Pool } from 'pg';
import type { DispatcherBlog, ProjectState } from '../compare.ts';
import { readIds, readProjectIds, readProjects } from './projects-side-store.ts';

interface BlogRow {
  readonly id: string;
  readonly number: number | null;
  readonly event: string | null;
  readonly publish_id: string | null;
  readonly title: string | null;
  readonly readers_only: boolean | null;
  readonly holders: readonly string[];
  readonly is_parked: boolean;
}

const SHOWING: readonly string[] = eventsThat('shows');

/**
 * The active receivers of project `$1` that have published posts, and were planned no delivery of an end since. One
 * that failed is no difference: the delivery log has it. `$2`: the events that end a publication.
 */
const HOLDERS = `
  receiver_blog held JOIN integration receiver ON receiver.id = held.integration_id
  WHERE receiver.project_id = $1 AND receiver.active AND receiver.deleted_at IS NULL AND held.published
    AND NOT EXISTS (
      SELECT FROM delivery WHERE delivery.blog_id = held.blog_id AND delivery.integration_id = held.integration_id
        AND delivery.position > held.position AND delivery.event = ANY ($2::text[]))`;

export type DispatcherSide = ReturnType<typeof createDispatcherSide>;

/** What webhook-dispatcher has planned, and recorded of receivers, from its database. */
export function createDispatcherSide(pool: Pool) {
  const ending = eventsThat('hides');
  return {
    projectIds: (after: string, limit: number) => readProjectIds(pool, after, limit),

    blogIds: (projectId: string, after: string, limit: number) =>
      readIds(
        pool,
        `SELECT DISTINCT held.blog_id AS id
         FROM receiver_blog held JOIN integration receiver ON receiver.id = held.integration_id
         WHERE receiver.project_id = $1 AND receiver.deleted_at IS NULL AND held.blog_id > $2
         ORDER BY held.blog_id LIMIT $3`,
        [projectId, after, limit],
      ),

    async blogs(projectId: string, ids: readonly string[]): Promise<Map<string, DispatcherBlog>> {
      const { rows } = await pool.query<BlogRow>(
        `WITH holding AS (
           SELECT held.blog_id, array_agg(receiver.name ORDER BY receiver.position) AS names
           FROM ${HOLDERS} AND held.blog_id = ANY ($3::uuid[]) GROUP BY held.blog_id)
         SELECT given.id, newest.number, newest.event, newest.publish_id, newest.title, newest.readers_only,
           coalesce(holding.names, '{}') AS holders, EXISTS (
             SELECT FROM parked_event WHERE topic = 'blog.lifecycle' AND key = given.id::text) AS is_parked
         FROM unnest($3::uuid[]) AS given (id)
         LEFT JOIN LATERAL (
           SELECT blog_event_number AS number, data ->> 'event' AS event, data ->> 'publish_id' AS publish_id,
             coalesce(data ->> 'title', data -> 'revision' ->> 'title') AS title,
             (data ->> 'readers_only')::boolean AS readers_only
           FROM lifecycle_event WHERE lifecycle_event.blog_id = given.id
           ORDER BY blog_event_number DESC, newest DESC LIMIT 1) newest ON true
         LEFT JOIN holding ON holding.blog_id = given.id`,
        [projectId, ending, ids],
      );
      return new Map(rows.map((row) => [row.id, toBlog(row)]));
    },

    projects: (ids: readonly string[]): Promise<Map<string, ProjectState>> =>
      readProjects(pool, ids, 'deleted AS "isDeleted"'),

    /** Whether receivers of a project have posts, or are about to be sent something. */
    async isInUse(projectId: string): Promise<boolean> {
      const { rows } = await pool.query<{ is_in_use: boolean }>(
        `SELECT EXISTS (SELECT FROM ${HOLDERS}) OR EXISTS (
           SELECT FROM delivery_queue queued JOIN integration ON integration.id = queued.integration_id
           WHERE integration.project_id = $1) AS is_in_use`,
        [projectId, ending],
      );
      return rows[0]!.is_in_use;
    },

    close: () => pool.end(),
  };
}

function toBlog({
  number,
  event,
  publish_id: publishId,
  title,
  readers_only,
  holders,
  is_parked,
}: BlogRow): DispatcherBlog {
  return {
    newest:
      number === null
        ? null
        : {
            number,
            shows: event !== null && SHOWING.includes(event),
            publishId,
            title,
            readersOnly: readers_only === true,
          },
    holders,
    isParked: is_parked,
  };
}
