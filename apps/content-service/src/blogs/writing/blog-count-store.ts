import { MAX_BLOGS } from '../../limits.ts';
import type { Transaction } from '../../platform/database/open-database.ts';
import { findFull, hasQuota, lockQuotasOf } from '../../quotas/quota-checks-store.ts';
import { quotaReached } from '../../quotas/quota-reached.ts';
import { shareLockProject } from '../../projects/project-change-store.ts';

/**
 * Locks the project's row until the transaction ends, and gives the number of its blogs; null when the project is gone.
 * Limits hold under this lock. Take it before the row of any blog. It is weaker than `lockProject`, so two imports that
 * hold a share lock on the project can both take it, one after the other.
 */
export async function lockBlogCount(tx: Transaction, projectId: string): Promise<number | null> {
  const [project] = await tx.$queryRaw<{ kept: number }[]>`
    SELECT kept_blogs AS kept FROM project WHERE id = ${projectId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return project?.kept ?? null;
}

/**
 * Counts a blog that is about to be created, and locks the project's row as {@link lockBlogCount} does.
 *
 * @throws a 409 problem when a quota that the administrator set is reached; the transaction must not commit then.
 */
export async function countNewBlog(
  tx: Transaction,
  projectId: string,
  now: Date,
): Promise<{ readonly refused: 'no_project' | 'too_many' | null }> {
  const [counted] = await tx.$queryRaw<{ hasQuota: boolean }[]>`
    UPDATE project SET kept_blogs = kept_blogs + 1
    WHERE id = ${projectId}::uuid AND deleted_at IS NULL AND kept_blogs < ${MAX_BLOGS}
    RETURNING ${hasQuota('posts')} AS "hasQuota"`;
  if (counted === undefined) return { refused: (await shareLockProject(tx, projectId)) ? 'too_many' : 'no_project' };
  if (counted.hasQuota) {
    const quotas = await lockQuotasOf(tx, projectId, 'posts');
    // The new one is counted already.
    const full = await findFull(tx, projectId, 'posts', quotas, 0, now);
    if (full !== null) throw quotaReached({ ...full, used: full.used - 1, more: 1 }, now);
  }
  return { refused: null };
}

/** Counts a blog that was deleted in the transaction, which holds the project's row. */
export async function countDeletedBlog(tx: Transaction, projectId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE project SET kept_blogs = greatest(kept_blogs - 1, 0) WHERE id = ${projectId}::uuid`;
}
