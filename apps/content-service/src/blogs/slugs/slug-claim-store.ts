import { MAX_ALIASES } from '@blog-content/payload-schemas';
import { numberedSlug, RESERVED_SLUGS } from '../../content/slugify.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';

/**
 * Slugs in use in a project. A blog holds the slug of its working copy, the slug it is served under while it is
 * published, and every slug that it was ever published under: its aliases. No other blog can take the first two; an
 * alias, when it says so. The table's primary key decides races.
 */

/** Who holds a slug. */
export interface SlugHolder {
  readonly id: string;
  readonly title: string;
  /** Neither the slug of its working copy nor the one it is served under. */
  readonly isAlias: boolean;
}

/** Why a blog does not get a slug. */
export type SlugRefusal =
  | { readonly refused: 'slug_taken'; readonly slug: string; readonly holder: SlugHolder }
  | { readonly refused: 'too_many_aliases'; readonly slug: string };

/** The blog that holds a slug now. */
export async function holderOf(
  tx: Database | Transaction,
  projectId: string,
  slug: string,
): Promise<SlugHolder | null> {
  const [holder] = await tx.$queryRaw<SlugHolder[]>`
    SELECT claim.blog_id AS id, coalesce(blog.title, '') AS title,
      claim.was_published AND claim.slug IS DISTINCT FROM blog.slug AND claim.slug IS DISTINCT FROM served.slug
        AS "isAlias"
    FROM slug_claim claim LEFT JOIN blog ON blog.id = claim.blog_id
    LEFT JOIN blog_revision served
      ON blog.state = 'published' AND served.blog_id = blog.id AND served.number = blog.revision
    WHERE claim.project_id = ${projectId}::uuid AND claim.slug = ${slug}`;
  return holder ?? null;
}

/**
 * Claims exactly this slug.
 *
 * @param taken the blog that an alias may be taken from, whose row the transaction has locked.
 * @returns who holds the slug, when that is another blog; for `taken` it has been taken, and that blog is to be told.
 */
export async function claimSlug(
  tx: Transaction,
  projectId: string,
  blogId: string,
  slug: string,
  taken: string | null = null,
): Promise<{ readonly isMine: boolean; readonly holder: SlugHolder | null }> {
  for (;;) {
    // DO NOTHING, because DO UPDATE locks the other blog's claim even where its WHERE is false, which deadlocks with a
    // move.
    const claimed = await tx.$executeRaw`
      INSERT INTO slug_claim (project_id, slug, blog_id) VALUES (${projectId}::uuid, ${slug}, ${blogId}::uuid)
      ON CONFLICT (project_id, slug) DO NOTHING`;
    if (claimed === 1) return { isMine: true, holder: null };
    const where = { projectId_slug: { projectId, slug } };
    const held = await tx.slugClaim.findUnique({ where, select: { blogId: true } });
    if (held?.blogId === blogId) return { isMine: true, holder: null };
    const holder = await holderOf(tx, projectId, slug);
    // Released meanwhile.
    if (holder === null) continue;
    if (!holder.isAlias || holder.id !== taken) return { isMine: false, holder };
    await tx.slugClaim.update({ where, data: { blogId, wasPublished: false } });
    return { isMine: true, holder };
  }
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
      if ((await claimSlug(tx, projectId, blogId, candidate)).isMine) return candidate;
    }
  }
}

async function takenSlugs(tx: Transaction, projectId: string, slugs: string[]): Promise<ReadonlySet<string>> {
  const taken = await tx.slugClaim.findMany({ where: { projectId, slug: { in: slugs } }, select: { slug: true } });
  return new Set(taken.map((claimed) => claimed.slug));
}

/**
 * Notes that the blog is published under a slug that it holds: it stays with the blog from now on. Those under which it
 * was never published are released.
 *
 * @returns its aliases, in alphabetical order.
 */
export async function publishSlug(tx: Transaction, blogId: string, slug: string): Promise<string[]> {
  const aliases = await tx.$queryRaw<{ slug: string }[]>`
    WITH kept AS (
      UPDATE slug_claim SET was_published = true
      WHERE blog_id = ${blogId}::uuid AND slug = ${slug} AND NOT was_published),
    released AS (
      DELETE FROM slug_claim WHERE blog_id = ${blogId}::uuid AND slug <> ${slug} AND NOT was_published)
    SELECT slug FROM slug_claim WHERE blog_id = ${blogId}::uuid AND slug <> ${slug} AND was_published
    ORDER BY slug COLLATE "C"`;
  return aliases.map((alias) => alias.slug);
}

/** Releases the blog's slugs except those in `kept` and those that it was published under. */
export async function releaseSlugs(tx: Transaction, blogId: string, kept: readonly string[]): Promise<void> {
  await tx.slugClaim.deleteMany({ where: { blogId, slug: { notIn: [...kept] }, wasPublished: false } });
}

/** Releases all slugs of blogs that are deleted. */
export async function freeSlugs(tx: Transaction, blogIds: readonly string[]): Promise<void> {
  await tx.slugClaim.deleteMany({ where: { blogId: { in: [...blogIds] } } });
}

/** Every slug that the blog was published under and still holds, in alphabetical order. */
export async function publishedSlugs(tx: Database | Transaction, blogId: string): Promise<string[]> {
  const claims = await tx.slugClaim.findMany({ where: { blogId, wasPublished: true }, select: { slug: true } });
  return claims.map(({ slug }) => slug).toSorted();
}

/**
 * Whether the blog may go on under a slug: all that it was published under but the one that it is served under are its
 * aliases then.
 */
export async function hasRoomForSlug(tx: Transaction, blogId: string, slug: string): Promise<boolean> {
  const others = await tx.slugClaim.count({ where: { blogId, wasPublished: true, slug: { not: slug } } });
  return others <= MAX_ALIASES;
}
