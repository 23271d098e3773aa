import { MAX_BLOGS } from '../../limits.ts';
import type { Transaction } from '../../platform/database/open-database.ts';
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

/** Counts a blog that is about to be created, and locks the project's row as {@link lockBlogCount} does. */
export async function countNewBlog(
  tx: Transaction,
  projectId: string,
): Promise<{ readonly refused: 'no_project' | 'too_many' | null }> {
  const counted = await tx.$executeRaw`
    UPDATE project SET kept_blogs = kept_blogs + 1
    WHERE id = ${projectId}::uuid AND deleted_at IS NULL AND kept_blogs < ${MAX_BLOGS}`;
  if (counted > 0) return { refused: null };
  return { refused: (await shareLockProject(tx, projectId)) ? 'too_many' : 'no_project' };
}

/** Counts a blog that was deleted in the transaction, which holds the project's row. */
export async function countDeletedBlog(tx: Transaction, projectId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE project SET kept_blogs = greatest(kept_blogs - 1, 0) WHERE id = ${projectId}::uuid`;
}
