import type { QuotaName } from '@blog-content/payload-schemas';
import { Prisma } from '../generated/prisma/client.ts';
import type { Transaction } from '../platform/database/open-database.ts';
import { startOfDay, type FullQuota } from './quota-reached.ts';

/** A quota that applies to a project. Its row is locked. */
export interface LockedQuota {
  /** The project, or an account that owns it. */
  readonly subjectId: string;
  readonly most: number;
}

/**
 * Locks the rows of the quotas that apply to a project, for a statement that has locked the project in a CTE of that
 * name, with its `id`. The lock makes those who add to the same use take turns. It comes after the project's, and
 * before that of any blog.
 */
const lockQuotas = (name: QuotaName): Prisma.Sql => Prisma.sql`
  SELECT subject_id, most FROM quota
  WHERE kind = ${name} AND subject_id = ANY (ARRAY(
    SELECT id FROM project
    UNION ALL
    SELECT account_id FROM project JOIN project_member ON project_id = project.id AND role = 'owner'))
  ORDER BY subject_id FOR UPDATE`;

/** {@link lockQuotas}, of publishes. */
export const LOCK_PUBLISH_QUOTAS = lockQuotas('publishes_per_day');

/** Whether any quota of this name applies to `project.id`, without locking it: an expression. */
export const hasQuota = (name: QuotaName): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM quota WHERE kind = ${name} AND subject_id = ANY (ARRAY(
    SELECT project.id
    UNION ALL
    SELECT account_id FROM project_member WHERE project_id = project.id AND role = 'owner')))`;

/** What {@link lockQuotas} has locked in a CTE named `quota`: a table of one row with `quotas`. */
export const LOCKED_QUOTAS = Prisma.sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('subjectId', subject_id, 'most', most)), '[]') AS quotas FROM quota)`;

/** Does what {@link lockQuotas} does, for a project that the transaction has locked. */
export async function lockQuotasOf(tx: Transaction, projectId: string, name: QuotaName): Promise<LockedQuota[]> {
  const [locked] = await tx.$queryRaw<{ quotas: LockedQuota[] }[]>`
    WITH project AS (SELECT ${projectId}::uuid AS id), quota AS MATERIALIZED (${lockQuotas(name)})
    SELECT quotas FROM ${LOCKED_QUOTAS} locked`;
  return locked?.quotas ?? [];
}

/**
 * The first of the locked quotas that has no room for `more`; null when all have. A statement of its own: it sees what
 * those did who had the lock before. Callers leave it out where there is no quota.
 */
export async function findFull(
  tx: Transaction,
  projectId: string,
  name: QuotaName,
  quotas: readonly LockedQuota[],
  more: number,
  now: Date,
): Promise<FullQuota | null> {
  const subjects = quotas.map(({ subjectId }) => subjectId);
  const uses = await tx.$queryRaw<{ subjectId: string; used: number }[]>`
    SELECT subject.id AS "subjectId", ${usedBy(name, now)} AS used FROM unnest(${subjects}::uuid[]) AS subject(id)`;
  for (const { subjectId, most } of quotas) {
    const used = uses.find((use) => use.subjectId === subjectId)?.used ?? 0;
    const of = subjectId === projectId ? 'project' : 'account';
    if (used + more > most) return { name, of, used, most, more };
  }
  return null;
}

/** How much `subject.id` uses, a project or an account with all projects that it owns: an expression. */
export function usedBy(name: QuotaName, now: Date): Prisma.Sql {
  const projects = Prisma.sql`ANY (ARRAY(
    SELECT subject.id
    UNION ALL
    SELECT owned.project_id FROM project_member owned WHERE owned.account_id = subject.id AND owned.role = 'owner'))`;
  switch (name) {
    case 'posts':
      return Prisma.sql`(SELECT coalesce(sum(kept_blogs), 0)::float8 FROM project held WHERE held.id = ${projects})`;
    case 'storage_bytes':
      return Prisma.sql`(SELECT coalesce(sum(bytes), 0)::float8 FROM image
        WHERE image.project_id = ${projects} AND state <> 'deleting')`;
    case 'publishes_per_day':
      return Prisma.sql`(SELECT count(*)::float8 FROM publish
        WHERE publish.project_id = ${projects} AND requested_at >= ${startOfDay(now)}::timestamptz)`;
  }
}
