import type { Pool } from 'pg';
import type { ProjectState, ReadBlog } from '../compare.ts';
import { readIds, readProjectIds, readProjects } from './projects-side-store.ts';

interface BlogRow {
  readonly id: string;
  readonly event_number: number;
  readonly slug: string | null;
  readonly title: string;
  readonly updated_at: Date;
  readonly published_at: Date;
  readonly is_parked: boolean;
}

export type ReadSide = ReturnType<typeof createReadSide>;

/** What public-read-service serves, from its database. */
export function createReadSide(pool: Pool) {
  return {
    projectIds: (after: string, limit: number) => readProjectIds(pool, after, limit),

    blogIds: (projectId: string, after: string, limit: number) =>
      readIds(
        pool,
        `(SELECT blog_id AS id FROM blog_position WHERE project_id = $1 AND blog_id > $2 ORDER BY blog_id LIMIT $3)
         UNION (SELECT id FROM published_blog WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3)
         ORDER BY id LIMIT $3`,
        [projectId, after, limit],
      ),

    async blogs(ids: readonly string[]): Promise<Map<string, ReadBlog>> {
      const { rows } = await pool.query<BlogRow>(
        `SELECT given.id, coalesce(position.event_number, 0) AS event_number, blog.slug, blog.title, blog.updated_at,
           blog.published_at, EXISTS (
             SELECT FROM parked_event WHERE topic = 'blog.lifecycle' AND key = given.id::text) AS is_parked
         FROM unnest($1::uuid[]) AS given (id)
         LEFT JOIN blog_position position ON position.blog_id = given.id
         LEFT JOIN published_blog blog ON blog.id = given.id`,
        [ids],
      );
      return new Map(rows.map((row) => [row.id, toBlog(row)]));
    },

    projects: (ids: readonly string[]): Promise<Map<string, ProjectState>> =>
      readProjects(pool, ids, 'deleted_at IS NOT NULL AS "isDeleted"'),

    /** Whether readers see posts of a project. */
    async showsPosts(projectId: string): Promise<boolean> {
      const { rows } = await pool.query('SELECT FROM published_blog WHERE project_id = $1 LIMIT 1', [projectId]);
      return rows.length > 0;
    },

    close: () => pool.end(),
  };
}

function toBlog(row: BlogRow): ReadBlog {
  return {
    eventNumber: row.event_number,
    shown:
      row.slug === null
        ? null
        : {
            slug: row.slug,
            title: row.title,
            updatedAt: row.updated_at.toISOString(),
            publishedAt: row.published_at.toISOString(),
          },
    isParked: row.is_parked,
  };
}
