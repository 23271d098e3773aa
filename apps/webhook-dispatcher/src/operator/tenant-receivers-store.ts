import type { Page } from '@blog-content/service-runtime';
import type { Database } from '../database/open-database.ts';

/** Most receivers of a project that are named. */
const MAX_RECEIVERS = 10;

export interface TenantReceivers {
  readonly projectId: string;
  readonly failing: number;
  readonly receivers: readonly {
    readonly id: string;
    readonly name: string;
    readonly since: string;
    readonly reason: string | null;
    readonly failed: number;
  }[];
  /** How many come before it and with it: where the next page begins. */
  readonly position: string;
}

export type TenantReceiversStore = ReturnType<typeof createTenantReceiversStore>;

/** The failing receivers of all projects, for the administrator. */
export function createTenantReceiversStore(database: Database) {
  return {
    /** The projects with the most, or of `ids` alone; one more than the page holds. */
    async list(ids: readonly string[] | null, { from, limit }: Page): Promise<TenantReceivers[]> {
      const skipped = Number(from ?? 0);
      const rows = await database.$queryRaw<Omit<TenantReceivers, 'position'>[]>`
        WITH project AS (
          SELECT project_id, count(*)::int AS failing FROM integration
          WHERE failing_since IS NOT NULL AND deleted_at IS NULL AND active
            AND (${ids}::text[] IS NULL OR project_id::text = ANY (${ids}::text[]))
          GROUP BY project_id ORDER BY failing DESC, project_id OFFSET ${skipped} LIMIT ${limit + 1}
        )
        SELECT project.project_id AS "projectId", project.failing, (
          SELECT json_agg(json_build_object('id', id, 'name', name, 'reason', failing_reason, 'failed', failed_in_row,
            'since', to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY failing_since)
          FROM (
            SELECT * FROM integration
            WHERE integration.project_id = project.project_id
              AND failing_since IS NOT NULL AND deleted_at IS NULL AND active
            ORDER BY failing_since LIMIT ${MAX_RECEIVERS}
          ) first) AS receivers
        FROM project ORDER BY failing DESC, project_id`;
      return rows.map((row, index) => ({ ...row, position: String(skipped + index + 1) }));
    },
  };
}
