import type { LifecycleEvent } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';
import { changedAddresses, type KnownBlog } from './changed-addresses.ts';

/** Most addresses of a project that are kept; those that come beyond are given up. The protocol takes 10,000 in a ping. */
export const MAX_WAITING_ADDRESSES = 1_000;
/** Most addresses that receivers gave for a post, newest first, that are looked through. */
export const MAX_LIVE_URLS = 5;

/** Keeps the changed addresses of projects with IndexNow. */
export interface AddressStore {
  /**
   * Keeps what these events change. To be called before deliveries are planned for them, which writes down what is
   * known of their blogs: a planned event is one whose addresses were kept, and one that comes again changes nothing.
   */
  keep(events: readonly { readonly id: string; readonly data: LifecycleEvent }[]): Promise<void>;
}

interface KnownRow {
  blog_id: string;
  number: number;
  slug: string | null;
}

export function createAddressStore(database: Database): AddressStore {
  return {
    async keep(events) {
      const projectIds = [...new Set(events.map(({ data }) => data.project_id))];
      // Most projects have not turned it on: for them this one look is all.
      const on = await database.indexNow.findMany({
        where: { projectId: { in: projectIds } },
        select: { projectId: true },
      });
      if (on.length === 0) return;
      const own = events.filter(({ data }) => on.some(({ projectId }) => projectId === data.project_id));
      const blogIds = [...new Set(own.map(({ data }) => data.blog_id))];
      const rows = await database.$queryRaw<KnownRow[]>`
        SELECT blog_id, blog_event_number AS number, data -> 'revision' ->> 'slug' AS slug
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
      await database.$executeRaw`
        WITH given AS (
          SELECT g.*, a.slug IS NOT NULL AS waits,
            row_number() OVER (PARTITION BY g.project_id, a.slug IS NULL ORDER BY g.place)
              + (SELECT count(*) FROM index_now_address other WHERE other.project_id = g.project_id) AS number
          FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS g (place integer, project_id uuid, slug text,
            blog_id uuid, event_id uuid, is_gone boolean, is_new boolean)
          JOIN index_now i ON i.project_id = g.project_id
          LEFT JOIN index_now_address a ON a.project_id = g.project_id AND a.slug = g.slug
        ),
        kept AS (
          INSERT INTO index_now_address AS a (project_id, slug, blog_id, event_id, is_gone, is_new, live_urls)
          SELECT project_id, slug, blog_id, event_id, is_gone, is_new,
            CASE WHEN is_gone THEN ARRAY(
              SELECT r.live_url FROM receiver_blog r JOIN integration n ON n.id = r.integration_id
              WHERE r.blog_id = given.blog_id AND n.project_id = given.project_id AND r.published AND r.live_url IS NOT NULL
              ORDER BY r.position DESC LIMIT ${MAX_LIVE_URLS}) ELSE '{}' END
          FROM given WHERE waits OR number <= ${MAX_WAITING_ADDRESSES}
          ON CONFLICT (project_id, slug) DO UPDATE SET blog_id = excluded.blog_id, event_id = excluded.event_id,
            is_gone = excluded.is_gone, live_urls = excluded.live_urls, looks = 0, before = NULL, shown_at = NULL, due_at = now(),
            is_new = excluded.is_new OR (a.is_new AND NOT a.is_gone AND NOT excluded.is_gone AND a.shown_at IS NULL)
          WHERE a.event_id <> excluded.event_id
        )
        UPDATE index_now i SET skipped_at = now(), skipped = over.count,
          skipped_detail = ${`More than ${MAX_WAITING_ADDRESSES} addresses were waiting.`}
        FROM (
          SELECT project_id, count(*)::integer FROM given
          WHERE NOT waits AND number > ${MAX_WAITING_ADDRESSES} GROUP BY project_id) AS over
        WHERE i.project_id = over.project_id`;
    },
  };
}
