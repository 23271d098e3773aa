import type { Transaction } from '../open-database.ts';

/**
 * The project's row and how many blogs it keeps, held until the transaction ends, so that limits hold whoever else makes
 * blogs; null when the project is gone. To be taken before the row of any blog. Weaker than `lockProject`: two imports that
 * keep the project from being deleted can both come to take it.
 */
export async function lockKeptBlogs(tx: Transaction, projectId: string): Promise<number | null> {
  const [project] = await tx.$queryRaw<{ kept: number }[]>`
    SELECT kept_blogs AS kept FROM project WHERE id = ${projectId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return project?.kept ?? null;
}

/** Counts a blog that was made (1) or deleted (-1) in the transaction, which holds the project's row. */
export async function countKeptBlog(tx: Transaction, projectId: string, change: 1 | -1): Promise<void> {
  await tx.$executeRaw`
    UPDATE project SET kept_blogs = greatest(kept_blogs + ${change}::int, 0) WHERE id = ${projectId}::uuid`;
}
