import type { VisibilityEvent } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { changedAddresses, type KnownBlog } from './changed-addresses.ts';
import { listGivenUp, trimGivenUp } from './given-up-store.ts';

/**
 * Most addresses of a project that are kept; those that come beyond are given up. The protocol takes 10,000 in a ping.
 */
export const MAX_WAITING_ADDRESSES = 1_000;
/** Most addresses that receivers gave for a post, newest first, that are looked through. */
const MAX_LIVE_URLS = 5;

/** Where receivers say that a post lives now. */
export const liveUrlsOf = (blogId: Prisma.Sql, projectId: Prisma.Sql): Prisma.Sql => Prisma.sql`ARRAY(
  SELECT r.live_url FROM receiver_blog r JOIN integration n ON n.id = r.integration_id AND n.deleted_at IS NULL
  WHERE r.blog_id = ${blogId} AND n.project_id = ${projectId} AND r.published AND r.live_url IS NOT NULL
  ORDER BY r.position DESC LIMIT ${MAX_LIVE_URLS})`;

/** Keeps the changed addresses of projects with IndexNow. */
export interface AddressStore {
  /**
   * Keeps what these events change. To be called before deliveries are planned for them, which writes down what is
   * known of their blogs: a planned event is one whose addresses were kept, and one that comes again changes nothing.
   * Waits for no turn, but where both write the same address.
   */
  keep(events: readonly { readonly id: string; readonly data: VisibilityEvent }[]): Promise<void>;
}

interface KnownRow {
  blog_id: string;
  number: number;
  slug: string | null;
}

const TOO_MANY = `More than ${MAX_WAITING_ADDRESSES} URLs were waiting.`;

export function createAddressStore(database: Database): AddressStore {
  /**
   * Has the turns of projects come, once their addresses are there: while those were waited for, no project was locked.
   * A turn that has its project locked just now sees the new addresses when it ends, or the next sweep does.
   */
  const wake = (projectIds: readonly string[]) => database.$executeRaw`
    UPDATE index_now i SET next_due_at = greatest(i.key_due_at, now())
    WHERE i.project_id IN (
        SELECT project_id FROM index_now WHERE project_id = ANY (${[...projectIds]}::uuid[]) AND enabled
        ORDER BY project_id FOR NO KEY UPDATE SKIP LOCKED)
      AND (i.next_due_at IS NULL OR i.next_due_at > greatest(i.key_due_at, now()))
      AND EXISTS (SELECT FROM index_now_address a WHERE a.project_id = i.project_id)`;

  return {
    async keep(events) {
      const projectIds = [...new Set(events.map(({ data }) => data.project_id))];
      // Most projects have not turned it on: for them this one look is all.
      const on = await database.indexNow.findMany({
        where: { projectId: { in: projectIds }, enabled: true },
        select: { projectId: true },
      });
      if (on.length === 0) return;
      const own = events.filter(({ data }) => on.some(({ projectId }) => projectId === data.project_id));
      const blogIds = [...new Set(own.map(({ data }) => data.blog_id))];
      const rows = await database.$queryRaw<KnownRow[]>`
        SELECT blog_id, blog_event_number AS number, data #>> '{revision,slug}' AS slug
        FROM lifecycle_event WHERE blog_id = ANY (${blogIds}::uuid[]) AND newest`;
      const known = new Map(rows.map(({ blog_id, number, slug }): [string, KnownBlog] => [blog_id, { number, slug }]));
      const changes = changedAddresses(own, known);
      if (changes.length === 0) return;
      const given = changes.map(({ projectId, slug, blogId, eventId, isGone, isNew }, place) => {
        return {
          place,
          project_id: projectId,
          slug,
          blog_id: blogId,
          event_id: eventId,
          is_gone: isGone,
          is_new: isNew,
        };
      });
      // Everybody locks projects first, then addresses, then what was given up, each in order. KEY SHARE waits for
      // whoever turns a project off, so that it is seen to be off, and for no turn. What is given up is written when
      // all addresses are: a turn that holds one of these writes there, too.
      const over = await database.$queryRaw<{ projectId: string }[]>`
        WITH switched_on AS MATERIALIZED (
          SELECT project_id FROM index_now WHERE project_id = ANY (${projectIds}::uuid[]) AND enabled
          ORDER BY project_id FOR KEY SHARE
        ),
        given AS MATERIALIZED (
          SELECT g.*, a.slug IS NOT NULL AS waits,
            row_number() OVER (PARTITION BY g.project_id, a.slug IS NULL ORDER BY g.place)
              + (SELECT count(*) FROM index_now_address other WHERE other.project_id = g.project_id) AS number
          FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS g (place integer, project_id uuid, slug text,
            blog_id uuid, event_id uuid, is_gone boolean, is_new boolean)
          JOIN switched_on i ON i.project_id = g.project_id
          LEFT JOIN index_now_address a ON a.project_id = g.project_id AND a.slug = g.slug
        ),
        kept AS (
          INSERT INTO index_now_address AS a (project_id, slug, blog_id, event_id, is_gone, is_new, live_urls)
          SELECT project_id, slug, blog_id, event_id, is_gone, is_new,
            CASE WHEN is_gone THEN ${liveUrlsOf(Prisma.sql`given.blog_id`, Prisma.sql`given.project_id`)} ELSE '{}' END
          FROM given WHERE waits OR number <= ${MAX_WAITING_ADDRESSES}
          ORDER BY project_id, slug
          ON CONFLICT (project_id, slug) DO UPDATE SET blog_id = excluded.blog_id, event_id = excluded.event_id,
            is_gone = excluded.is_gone, live_urls = excluded.live_urls, site_url = NULL, looks = 0, before = NULL,
            shown_at = NULL, due_at = now(),
            -- What the site does not show yet counts: there may still be the page of a post that went.
            is_new = CASE WHEN a.shown_at IS NULL THEN a.is_new AND NOT a.is_gone AND NOT excluded.is_gone
              ELSE excluded.is_new END
          WHERE a.event_id <> excluded.event_id
          RETURNING 1
        ),
        given_up AS (${listGivenUp(Prisma.sql`
          SELECT project_id, slug, NULL AS url, ${TOO_MANY} AS detail
          FROM given WHERE NOT waits AND number > ${MAX_WAITING_ADDRESSES}
            AND (SELECT count(*) FROM kept) IS NOT NULL`)}
          RETURNING project_id
        )
        SELECT DISTINCT project_id AS "projectId" FROM given_up`;
      await wake(projectIds);
      if (over.length > 0) {
        await trimGivenUp(
          database,
          over.map(({ projectId }) => projectId),
        );
      }
    },
  };
}
