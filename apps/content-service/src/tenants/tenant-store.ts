import type { tenantListQuery } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/database/open-database.ts';

/** A project as the administrator sees it. */
export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly siteUrl: string | null;
  readonly createdAt: Date;
  readonly suspended: string | null;
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
  readonly owners: readonly string[];
  readonly posts: number;
  readonly storageBytes: number;
  readonly publishes: number;
  /** How many come before it and with it: where the next page begins. */
  readonly position: string;
}

type TenantQuery = z.infer<typeof tenantListQuery>;

/** What the list counts publishes of. */
const PUBLISHES_SINCE_MS = 7 * 24 * 3_600_000;

export type TenantStore = ReturnType<typeof createTenantStore>;

/** All projects, for the administrator. What a page does not show is not counted, unless the order is by it. */
export function createTenantStore(database: Database, clock: () => Date) {
  return {
    /** One more than the page holds. */
    async list({ q, sort, ids }: TenantQuery, { from, limit }: Page): Promise<Tenant[]> {
      const since = new Date(clock().getTime() - PUBLISHES_SINCE_MS);
      const skipped = Number(from ?? 0);
      const tenants = await database.$queryRaw<Omit<Tenant, 'position'>[]>`
        WITH page AS MATERIALIZED (
          SELECT project.id, row_number() OVER () AS place FROM (
            SELECT project.id FROM project ${byMost(sort, since)}
            WHERE deleted_at IS NULL AND ${named(ids)} AND ${fitting(q)}
            ORDER BY ${orderOf(sort)}, project.position DESC OFFSET ${skipped} LIMIT ${limit + 1}
          ) project
        )
        SELECT project.id, name, site_url AS "siteUrl", created_at AS "createdAt", suspended,
          suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason", kept_blogs AS posts,
          ARRAY(SELECT email FROM project_member owner JOIN account ON account.id = owner.account_id
            WHERE owner.project_id = project.id AND owner.role = 'owner' ORDER BY email LIMIT 20) AS owners,
          (SELECT coalesce(sum(bytes), 0)::float8 FROM image
            WHERE image.project_id = project.id AND state <> 'deleting') AS "storageBytes",
          (SELECT count(*)::int FROM publish
            WHERE publish.project_id = project.id AND requested_at >= ${since}) AS publishes
        FROM page JOIN project ON project.id = page.id ORDER BY page.place`;
      return tenants.map((tenant, index) => ({ ...tenant, position: String(skipped + index + 1) }));
    },
  };
}

function named(ids: string | undefined): Prisma.Sql {
  return ids === undefined ? Prisma.sql`true` : Prisma.sql`project.id::text = ANY (${ids.toLowerCase().split(',')})`;
}

function fitting(q: string | undefined): Prisma.Sql {
  const text = q?.trim() ?? '';
  if (text === '') return Prisma.sql`true`;
  const part = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return Prisma.sql`(name ILIKE ${part} OR project.id::text = ${text.toLowerCase()} OR EXISTS (
    SELECT FROM project_member owner JOIN account ON account.id = owner.account_id
    WHERE owner.project_id = project.id AND owner.role = 'owner' AND email ILIKE ${part}))`;
}

function byMost(sort: TenantQuery['sort'], since: Date): Prisma.Sql {
  switch (sort) {
    case 'publishes':
      return Prisma.sql`LEFT JOIN (
        SELECT project_id, count(*) AS most FROM publish WHERE requested_at >= ${since} GROUP BY project_id
      ) counted ON counted.project_id = project.id`;
    case 'storage':
      return Prisma.sql`LEFT JOIN (
        SELECT project_id, sum(bytes) AS most FROM image WHERE state <> 'deleting' GROUP BY project_id
      ) counted ON counted.project_id = project.id`;
    case 'newest':
    case 'posts':
      return Prisma.empty;
  }
}

function orderOf(sort: TenantQuery['sort']): Prisma.Sql {
  if (sort === 'newest') return Prisma.sql`project.position DESC`;
  return sort === 'posts' ? Prisma.sql`kept_blogs DESC` : Prisma.sql`coalesce(counted.most, 0) DESC`;
}
