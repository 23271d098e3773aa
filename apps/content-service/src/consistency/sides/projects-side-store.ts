import type { Pool } from 'pg';
import type { ProjectState } from '../compare.ts';

/** The ids that a page of a statement gives. */
export async function readIds(pool: Pool, statement: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(statement, [...values]);
  return rows.map(({ id }) => id);
}

/** The ids of a service's projects after one. */
export const readProjectIds = (pool: Pool, after: string, limit: number): Promise<string[]> =>
  readIds(pool, 'SELECT id FROM project WHERE id > $1 ORDER BY id LIMIT $2', [after, limit]);

/**
 * What a service has of projects, which all keep in tables of the same names.
 *
 * @param own SQL: the columns that differ, `"isDeleted"` among them
 */
export async function readProjects<Own = unknown>(
  pool: Pool,
  ids: readonly string[],
  own: string,
): Promise<Map<string, ProjectState & Own>> {
  const { rows } = await pool.query<ProjectState & Own & { id: string }>(
    `SELECT id, event_number AS "eventNumber", name, site_url AS "siteUrl", suspended, ${own},
       (SELECT coalesce(string_agg(account_id || ' ' || role, ', ' ORDER BY account_id), '')
        FROM project_member member WHERE member.project_id = project.id) AS members
     FROM project WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...state }) => [id, state as unknown as ProjectState & Own]));
}
