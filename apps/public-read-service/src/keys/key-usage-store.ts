import type { Pool } from 'pg';

/** Use to be added to a project's day. */
export interface UsageIncrement {
  readonly projectId: string;
  /** Day (UTC) as `2026-01-31`. */
  readonly day: string;
  /** Answers given with a valid key, those of the next field included. */
  readonly requests: number;
  /** Answers 304. */
  readonly notModified: number;
  readonly lastUsedAt: Date;
}

/** A day on which a project's key was used. */
export type DailyUsage = Omit<UsageIncrement, 'projectId'>;

/** Most rows that one call deletes. */
const MAX_DELETED_ROWS = 1_000;

export type KeyUsageStore = ReturnType<typeof createKeyUsageStore>;

/** The usage store on this service's database. */
export function createKeyUsageStore(pool: Pick<Pool, 'query'>) {
  return {
    /** Adds all of it, or nothing when it fails. Projects that are deleted or not known are left out. */
    async add(usage: readonly UsageIncrement[]): Promise<void> {
      if (usage.length === 0) return;
      // In one order everywhere: replicas that add to the same rows in different orders would wait for each other.
      await pool.query({
        name: 'add_key_usage',
        text: `
          INSERT INTO key_usage AS known (project_id, day, requests, not_modified, last_used_at)
          SELECT added.project_id, added.day, sum(added.requests), sum(added.not_modified), max(added.last_used_at)
          FROM unnest($1::uuid[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
            AS added (project_id, day, requests, not_modified, last_used_at)
          JOIN project ON project.id = added.project_id AND project.deleted_at IS NULL
          GROUP BY added.project_id, added.day
          ORDER BY added.project_id, added.day
          ON CONFLICT (project_id, day) DO UPDATE SET
            requests = known.requests + excluded.requests,
            not_modified = known.not_modified + excluded.not_modified,
            last_used_at = greatest(known.last_used_at, excluded.last_used_at)`,
        values: [
          usage.map((row) => row.projectId),
          usage.map((row) => row.day),
          usage.map((row) => row.requests),
          usage.map((row) => row.notModified),
          usage.map((row) => row.lastUsedAt.toISOString()),
        ],
      });
    },

    /** The projects with the most requests on a day (`2026-01-31`), and how many, for operators. */
    async busiest(day: string, limit: number): Promise<ReadonlyMap<string, number>> {
      const { rows } = await pool.query<{ project_id: string; requests: string }>({
        name: 'busiest_projects',
        text: 'SELECT project_id, requests FROM key_usage WHERE day = $1 ORDER BY requests DESC LIMIT $2',
        values: [day, limit],
      });
      return new Map(rows.map(({ project_id, requests }) => [project_id, Number(requests)]));
    },

    /** The days from `since` on (`2026-01-31`) that have any use, oldest first. */
    async list(projectId: string, since: string): Promise<readonly DailyUsage[]> {
      const { rows } = await pool.query<{ day: string; requests: string; not_modified: string; last_used_at: Date }>({
        name: 'list_key_usage',
        text: `
          SELECT to_char(day, 'YYYY-MM-DD') AS day, requests, not_modified, last_used_at
          FROM key_usage WHERE project_id = $1 AND day >= $2::date ORDER BY key_usage.day`,
        values: [projectId, since],
      });
      return rows.map(({ day, requests, not_modified, last_used_at }) => ({
        day,
        requests: Number(requests),
        notModified: Number(not_modified),
        lastUsedAt: last_used_at,
      }));
    },

    /** When the key was last used, as far as usage is stored; null for never. */
    async lastUsedAt(projectId: string): Promise<Date | null> {
      const { rows } = await pool.query<{ last_used_at: Date | null }>({
        name: 'last_key_usage',
        text: 'SELECT max(last_used_at) AS last_used_at FROM key_usage WHERE project_id = $1',
        values: [projectId],
      });
      return rows[0]?.last_used_at ?? null;
    },

    /** Deletes some of what is older than the day `before`; resolves to how many rows. */
    async deleteBefore(before: string): Promise<number> {
      const { rowCount } = await pool.query({
        name: 'delete_key_usage',
        text: `
          DELETE FROM key_usage WHERE (project_id, day) IN (
            SELECT project_id, day FROM key_usage WHERE day < $1::date
            LIMIT ${MAX_DELETED_ROWS} FOR UPDATE SKIP LOCKED)`,
        values: [before],
      });
      return rowCount ?? 0;
    },
  };
}
