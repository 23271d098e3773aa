import type { Pool } from 'pg';
import type { ProjectState, ReadBlog } from '../compare.ts';

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
    projectIds: async (after: string, limit: number): Promise<string[]> => {
      const { rows } = await pool.query<{ id: string }>('SELECT id FROM project WHERE id > $1 ORDER BY id LIMIT $2', [
        after,
        limit,
      ]);
      return rows.map(({ id }) => id);
    },

    blogIds: async (projectId: string, after: string, limit: number): Promise<string[]> => {
      const { rows } = await pool.query<{ id: string }>(
        `(SELECT blog_id AS id FROM blog_position WHERE project_id = $1 AND blog_id > $2 ORDER BY blog_id LIMIT $3)
         UNION (SELECT id FROM published_blog WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3)
         ORDER BY id LIMIT $3`,
        [projectId, after, limit],
      );
      return rows.map(({ id }) => id);
    },

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

    async projects(ids: readonly string[]): Promise<Map<string, ProjectState>> {
      const { rows } = await pool.query<ProjectState & { id: string }>(
        `SELECT id, event_number AS "eventNumber", deleted_at IS NOT NULL AS "isDeleted", name, site_url AS "siteUrl",
           suspended,
           (SELECT coalesce(string_agg(account_id || ' ' || role, ', ' ORDER BY account_id), '')
            FROM project_member member WHERE member.project_id = project.id) AS members
         FROM project WHERE id = ANY ($1::uuid[])`,
        [ids],
      );
      return new Map(rows.map(({ id, ...state }) => [id, state]));
    },

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
