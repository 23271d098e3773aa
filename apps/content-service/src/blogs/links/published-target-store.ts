import type { BlogPublishedEvent } from '@blog-content/payload-schemas';
import type { Transaction } from '../../platform/database/open-database.ts';
import type { BlogRow } from '../blog-row.ts';
import { renamesOf, slugForReaders, withCurrentSlugs, type BoundLink } from './current-slugs.ts';
import { boundLinks } from './link-store.ts';

type Targets = BlogPublishedEvent['published_link_targets'];

/** The links of a content as a publish tells of them. */
export interface PublishedLinks {
  /** The content with the slugs that its links name now. */
  readonly content: string;
  /** Which blog each placeholder belongs to. */
  readonly bindings: NonNullable<BlogPublishedEvent['link_bindings']>;
  /** Those targets that are published now. */
  readonly targets: Targets;
}

/** Reads where the links of a published content lead now. @param slugs those that its placeholders name. */
export async function publishedLinks(
  tx: Transaction,
  blog: BlogRow,
  content: string,
  slugs: readonly string[],
): Promise<PublishedLinks> {
  if (slugs.length === 0) return { content, bindings: [], targets: [] };
  const named = new Set(slugs);
  const links = (await boundLinks(tx, blog.id)).filter((link) => named.has(link.named));
  const renames = renamesOf(links, slugForReaders);
  const bySlug = bindingsBySlug(links);
  const current = [...new Set(slugs.map((slug) => renames.get(slug) ?? slug))];
  const targets = new Map<string, Targets[number]>();
  for (const [slug, { targetId, served }] of bySlug) {
    if (served !== null && targetId !== blog.id) targets.set(slug, { slug, title: served.title });
  }
  const open = current.filter((slug) => (bySlug.get(slug)?.served ?? null) === null);
  for (const target of await targetsBySlug(tx, blog, open)) {
    // What belongs to a blog that is not published does not lead to another one's alias.
    if (target.current_slug === undefined || !bySlug.has(target.slug)) targets.set(target.slug, target);
  }
  return {
    content: withCurrentSlugs({ content, contentMarkdown: null }, renames).content,
    bindings: current.flatMap((slug) => {
      const link = bySlug.get(slug);
      return link === undefined ? [] : [{ slug, blog_id: link.targetId }];
    }),
    targets: current.flatMap((slug) => targets.get(slug) ?? []),
  };
}

/** By the slug that they name now. Two may name one: the blog that has it comes before one that had it and is gone. */
function bindingsBySlug(links: readonly BoundLink[]): ReadonlyMap<string, BoundLink> {
  const living = (link: BoundLink) => (link.isDeleted ? 0 : 1);
  const inOrder = links.toSorted((a, b) => living(a) - living(b));
  return new Map(inOrder.map((link) => [slugForReaders(link), link]));
}

/** Other published blogs of the project that have one of the slugs: the one that they are served under, or an alias. */
async function targetsBySlug(tx: Transaction, blog: BlogRow, slugs: readonly string[]): Promise<Targets> {
  if (slugs.length === 0) return [];
  const found = await tx.$queryRaw<{ slug: string; title: string; current: string }[]>`
    SELECT claim.slug, revision.title, revision.slug AS current
    FROM slug_claim claim
    JOIN blog target ON target.id = claim.blog_id AND target.state = 'published' AND target.id <> ${blog.id}::uuid
    JOIN blog_revision revision ON revision.blog_id = target.id AND revision.number = target.revision
    WHERE claim.project_id = ${blog.projectId}::uuid AND claim.slug = ANY (${slugs}::text[])
      AND (claim.slug = revision.slug OR claim.was_published)`;
  return found.map(({ slug, title, current }) => ({ slug, title, ...(current !== slug && { current_slug: current }) }));
}
