import { numberedSlug, RESERVED_SLUGS } from '../../content/slugify.ts';
import type { Transaction } from '../../platform/database/open-database.ts';

/**
 * Slugs in use in a project. A blog holds the slug of its working copy and, while it is published, the slug it is
 * served under; no other blog can take either. The table's primary key decides races.
 */

/** Claims exactly this slug; false when another blog holds it. */
export async function claimSlug(tx: Transaction, projectId: string, blogId: string, slug: string): Promise<boolean> {
  // DO NOTHING, because DO UPDATE locks the other blog's claim even where its WHERE is false, which deadlocks with a
  // move.
  const claimed = await tx.$executeRaw`
    INSERT INTO slug_claim (project_id, slug, blog_id) VALUES (${projectId}::uuid, ${slug}, ${blogId}::uuid)
    ON CONFLICT (project_id, slug) DO NOTHING`;
  if (claimed === 1) return true;
  const where = { projectId_slug: { projectId, slug } };
  const held = await tx.slugClaim.findUnique({ where, select: { blogId: true } });
  return held?.blogId === blogId;
}

/** Candidates that one query looks for. */
const SLUGS_PER_QUERY = 100;

/**
 * Claims the first free one of `slug`, `slug-2`, `slug-3`, …; never a reserved one. Beyond a hundred it searches in
 * steps, so that thousands of blogs with the same title cost only a few queries; it may then skip numbers that were
 * released.
 */
export async function claimFreeSlug(tx: Transaction, projectId: string, blogId: string, slug: string): Promise<string> {
  let [before, step] = [0, 1];
  for (;;) {
    const candidates = Array.from({ length: SLUGS_PER_QUERY }, (_, index) =>
      numberedSlug(slug, before + (index + 1) * step),
    );
    const taken = await takenSlugs(tx, projectId, candidates);
    const free = candidates.findIndex((candidate) => !taken.has(candidate) && !RESERVED_SLUGS.has(candidate));
    if (free === -1) {
      step *= SLUGS_PER_QUERY;
    } else if (step > 1) {
      before += free * step;
      step /= SLUGS_PER_QUERY;
    } else {
      const candidate = candidates[free]!;
      // If another transaction has just taken it, search again.
      if (await claimSlug(tx, projectId, blogId, candidate)) return candidate;
    }
  }
}

async function takenSlugs(tx: Transaction, projectId: string, slugs: string[]): Promise<ReadonlySet<string>> {
  const taken = await tx.slugClaim.findMany({ where: { projectId, slug: { in: slugs } }, select: { slug: true } });
  return new Set(taken.map((claimed) => claimed.slug));
}

/** Releases the blog's slugs except those in `kept`. */
export async function releaseSlugs(tx: Transaction, blogId: string, kept: readonly string[]): Promise<void> {
  await tx.slugClaim.deleteMany({ where: { blogId, slug: { notIn: [...kept] } } });
}
