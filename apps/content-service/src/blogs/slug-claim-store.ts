import { numberedSlug, RESERVED_SLUGS } from '../content/slugify.ts';
import type { Transaction } from '../open-database.ts';

/**
 * Slugs in use in a project. A blog holds the slug of its working copy and, while it is published, the slug it is served
 * under; no other blog can take either. The table's primary key decides races.
 */

/** Claims exactly this slug; false when another blog holds it. */
export async function claimSlug(tx: Transaction, projectId: string, blogId: string, slug: string): Promise<boolean> {
  // DO NOTHING, because DO UPDATE locks the other blog's claim even where its WHERE is false, which deadlocks with a move.
  const claimed = await tx.$executeRaw`
    INSERT INTO slug_claim (project_id, slug, blog_id) VALUES (${projectId}::uuid, ${slug}, ${blogId}::uuid)
    ON CONFLICT (project_id, slug) DO NOTHING`;
  if (claimed === 1) return true;
  const where = { projectId_slug: { projectId, slug } };
  const held = await tx.slugClaim.findUnique({ where, select: { blogId: true } });
  return held?.blogId === blogId;
}

/** Claims the first free one of `slug`, `slug-2`, `slug-3`, …; never a reserved one. */
export async function claimFreeSlug(tx: Transaction, projectId: string, blogId: string, slug: string): Promise<string> {
  const stem = numberedSlug(slug, 1_000_000).replace(/-1000000$/, '');
  const taken = new Set(
    (
      await tx.$queryRaw<{ slug: string }[]>`
        SELECT slug FROM slug_claim WHERE project_id = ${projectId}::uuid AND starts_with(slug, ${stem})`
    ).map((row) => row.slug),
  );
  for (let attempt = 1; ; attempt += 1) {
    const candidate = numberedSlug(slug, attempt);
    if (taken.has(candidate) || RESERVED_SLUGS.has(candidate)) continue;
    // Taken by another transaction since: go on.
    if (await claimSlug(tx, projectId, blogId, candidate)) return candidate;
  }
}

/** Gives back the blog's slugs but for those in `kept`. */
export async function releaseSlugs(tx: Transaction, blogId: string, kept: readonly string[]): Promise<void> {
  await tx.slugClaim.deleteMany({ where: { blogId, slug: { notIn: [...kept] } } });
}
