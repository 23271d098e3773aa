import type { Page } from '@blog-content/service-runtime';
import type { Pool } from 'pg';

export interface TenantRequests {
  readonly projectId: string;
  readonly requests: number;
  /** How many come before it and with it: where the next page begins. */
  readonly position: string;
}

export type TenantRequestsStore = ReturnType<typeof createTenantRequestsStore>;

/** How often the posts of all projects were read, for the administrator. */
export function createTenantRequestsStore(pool: Pick<Pool, 'query'>) {
  return {
    /**
     * The projects with the most requests from the day `since` on (`2026-01-31`), or of `ids` alone; one more than the
     * page holds.
     */
    async list(since: string, ids: readonly string[] | null, { from, limit }: Page): Promise<TenantRequests[]> {
      const skipped = Number(from ?? 0);
      const { rows } = await pool.query<{ project_id: string; requests: string }>({
        name: 'list_tenant_requests',
        text: `
          SELECT project_id::text, sum(requests)::text AS requests FROM key_usage
          WHERE day >= $1::date AND ($2::text[] IS NULL OR project_id::text = ANY ($2))
          GROUP BY project_id ORDER BY sum(requests) DESC, project_id OFFSET $3 LIMIT $4`,
        values: [since, ids, skipped, limit + 1],
      });
      return rows.map(({ project_id: projectId, requests }, index) => ({
        projectId,
        requests: Number(requests),
        position: String(skipped + index + 1),
      }));
    },
  };
}
