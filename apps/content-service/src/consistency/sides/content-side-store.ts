import type { Pool } from 'pg';
import type { ContentBlog, ProjectState } from '../compare.ts';
import { readIds, readProjectIds, readProjects } from './projects-side-store.ts';

/** A post of content-service with its place in the order of creation. */
export type PlacedBlog = ContentBlog & { readonly position: number };
export type PlacedProject = ProjectState & { readonly position: number };

interface BlogRow {
  readonly id: string;
  readonly position: string;
  readonly state: ContentBlog['state'];
  readonly event_number: number;
  readonly working_title: string;
  readonly publish_id: string | null;
  readonly number: number | null;
  readonly slug: string;
  readonly title: string;
  readonly updated_at: Date;
  readonly published_at: Date;
}

export type ContentSide = ReturnType<typeof createContentSide>;

/** What content-service has: the truth. */
export function createContentSide(pool: Pool) {
  return {
    projectIds: (after: string, limit: number) => readProjectIds(pool, after, limit),

    blogIds: (projectId: string, after: string, limit: number) =>
      readIds(pool, 'SELECT id FROM blog WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3', [
        projectId,
        after,
        limit,
      ]),

    async blogs(ids: readonly string[]): Promise<Map<string, PlacedBlog>> {
      const { rows } = await pool.query<BlogRow>(
        `SELECT blog.id, blog.position, blog.state, blog.event_number, blog.title AS working_title,
           publish.id AS publish_id, publish.event_number AS number, revision.slug, revision.title,
           revision.published_at AS updated_at, coalesce(blog.public_date, blog.publication_began_at) AS published_at
         FROM blog
         LEFT JOIN blog_revision revision
           ON blog.state = 'published' AND revision.blog_id = blog.id AND revision.number = blog.revision
         LEFT JOIN LATERAL (
           SELECT id, event_number FROM publish
           WHERE publish.blog_id = blog.id AND publish.revision = blog.revision AND blog.state = 'published'
           ORDER BY position DESC LIMIT 1) publish ON true
         WHERE blog.id = ANY ($1::uuid[])`,
        [ids],
      );
      return new Map(rows.map((row) => [row.id, toBlog(row)]));
    },

    async projects(ids: readonly string[]): Promise<Map<string, PlacedProject>> {
      const own = 'position, deleted_at IS NOT NULL AS "isDeleted"';
      const found = await readProjects<{ position: string }>(pool, ids, own);
      return new Map([...found].map(([id, state]) => [id, { ...state, position: Number(state.position) }]));
    },

    async hasProjects(): Promise<boolean> {
      return (await pool.query('SELECT FROM project LIMIT 1')).rows.length > 0;
    },

    /** The place of the last event that was committed. */
    async lastEvent(): Promise<string> {
      const { rows } = await pool.query<{ position: string }>(
        'SELECT coalesce(max(position), 0) AS position FROM outbox',
      );
      return rows[0]!.position;
    },

    /** How many events up to a place are not in the log yet. */
    async unpublished(position: string): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM outbox WHERE published_at IS NULL AND position <= $1',
        [position],
      );
      return rows[0]!.count;
    },

    close: () => pool.end(),
  };
}

function toBlog(row: BlogRow): PlacedBlog {
  const { state, event_number: eventNumber, position, working_title: title } = row;
  const publication =
    row.publish_id === null
      ? null
      : {
          publishId: row.publish_id,
          number: row.number!,
          slug: row.slug,
          title: row.title,
          updatedAt: row.updated_at.toISOString(),
          publishedAt: row.published_at.toISOString(),
        };
  return { state, eventNumber, title, publication, position: Number(position) };
}
