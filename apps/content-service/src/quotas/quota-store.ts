import { QUOTA_NAMES, type Quotas, type quotaUse } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { shareLockProject } from '../projects/project-change-store.ts';
import { usedBy } from './quota-checks-store.ts';
import { nextDay } from './quota-reached.ts';

type QuotaUse = z.infer<typeof quotaUse>;

export interface ProjectUse {
  readonly uses: QuotaUse[];
  readonly resetsAt: Date;
  readonly held: number;
}

export const NO_QUOTAS: Quotas = { posts: null, publishes_per_day: null, storage_bytes: null };

export type QuotaStore = ReturnType<typeof createQuotaStore>;

/** What an administrator lets projects and accounts use. A quota below what is used deletes nothing. */
export function createQuotaStore(database: Database, clock: () => Date) {
  return {
    /** Replaces all quotas of the project; false when there is no such project. */
    setOfProject: (projectId: string, quotas: Quotas): Promise<boolean> =>
      database.$transaction(async (tx) => {
        if (!(await shareLockProject(tx, projectId))) return false;
        await replace(tx, projectId, quotas, clock());
        return true;
      }),

    /** Replaces all quotas of the account; false when there is no such account. */
    setOfAccount: (accountId: string, quotas: Quotas): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const found = await tx.$queryRaw<unknown[]>`
          SELECT FROM account WHERE id = ${accountId}::uuid FOR KEY SHARE`;
        if (found.length === 0) return false;
        await replace(tx, accountId, quotas, clock());
        return true;
      }),

    /** The quotas of projects or accounts, by their ids; those without have none here. */
    async of(subjectIds: readonly string[]): Promise<ReadonlyMap<string, Quotas>> {
      const found = new Map<string, Quotas>();
      for (const { subjectId, kind, most } of await database.quota.findMany({
        where: { subjectId: { in: [...subjectIds] } },
      }))
        found.set(subjectId, { ...(found.get(subjectId) ?? NO_QUOTAS), [kind]: Number(most) });
      return found;
    },

    /**
     * What the project uses, whether it has a quota of it or not; and its owners' accounts, where they have one.
     * `held`: how many scheduled publishes wait until `resetsAt`.
     */
    async usesOf(projectId: string): Promise<ProjectUse> {
      const now = clock();
      const uses = QUOTA_NAMES.map(
        (name) => Prisma.sql`
          SELECT ${name} AS name, CASE WHEN subject.id = ${projectId}::uuid THEN 'project' ELSE 'account' END AS of,
            ${usedBy(name, now)} AS used, quota.most::float8 AS allowed
          FROM (SELECT ${projectId}::uuid AS id UNION ALL
            SELECT account_id FROM project_member WHERE project_id = ${projectId}::uuid AND role = 'owner') subject
          LEFT JOIN quota ON quota.subject_id = subject.id AND quota.kind = ${name}
          WHERE subject.id = ${projectId}::uuid OR quota.most IS NOT NULL`,
      );
      const resetsAt = nextDay(now);
      return {
        uses: await database.$queryRaw<QuotaUse[]>`
          SELECT * FROM (${Prisma.join(uses, ' UNION ALL ')}) uses ORDER BY of DESC, name, allowed - used`,
        resetsAt,
        held: await database.blog.count({
          where: { projectId, publishAt: { not: null }, publishRetryAt: resetsAt },
        }),
      };
    },
  };
}

async function replace(tx: Transaction, subjectId: string, quotas: Quotas, now: Date): Promise<void> {
  // In the order of names, as an import locks them: it locks those of publishes, then creates a post.
  for (const kind of QUOTA_NAMES) {
    const most = quotas[kind];
    await tx.$executeRaw(
      most === null
        ? Prisma.sql`DELETE FROM quota WHERE subject_id = ${subjectId}::uuid AND kind = ${kind}`
        : Prisma.sql`INSERT INTO quota (subject_id, kind, most) VALUES (${subjectId}::uuid, ${kind}, ${most}::bigint)
            ON CONFLICT (subject_id, kind) DO UPDATE SET most = excluded.most`,
    );
  }
  // What waits for tomorrow is tried again with the new quota.
  await tx.$executeRaw`
    UPDATE blog SET publish_retry_at = NULL WHERE id IN (
      SELECT id FROM blog
      WHERE publish_at IS NOT NULL AND publish_retry_at = ${nextDay(now)}::timestamptz
        AND project_id = ANY (ARRAY(
          SELECT ${subjectId}::uuid
          UNION ALL
          SELECT project_id FROM project_member WHERE account_id = ${subjectId}::uuid AND role = 'owner'))
      FOR UPDATE SKIP LOCKED)`;
}
