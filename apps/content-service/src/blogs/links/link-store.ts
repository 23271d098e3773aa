import { renamePlaceholders } from '@blog-content/link-resolver';
import type { BlogPublishedEvent, Extras } from '@blog-content/payload-schemas';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { BlogRow } from '../blog-row.ts';

/**
 * The links of working copies and of what readers see of them, beside the contents: a rename changes no content and no
 * row of these, however many links lead to the blog.
 *
 * A transaction takes its blogs' rows first, then slugs, and the links last: no two wait for each other.
 */

/** A placeholder's slug and the blog that it belongs to, in its current state. */
export interface BoundLink {
  /** The slug as the stored content names it. */
  readonly named: string;
  readonly targetId: string;
  readonly isDeleted: boolean;
  /** The slug of the target's working copy; of a deleted one, the last that links named, if that is known. */
  readonly workingSlug: string | null;
  /** What readers see of the target; null while it is not published. */
  readonly served: { readonly slug: string; readonly title: string } | null;
}

/** What content is written as: the slugs that it names are not touched when their blogs are renamed. */
interface Written {
  readonly content: string;
  readonly contentMarkdown: string | null;
}

/** New slugs by the ones that the stored content names. */
export type Renames = ReadonlyMap<string, string>;

type Targets = BlogPublishedEvent['published_link_targets'];

/** Ids of blogs by the slugs that a content names. */
export type Bindings = Readonly<Record<string, string>>;

interface LinkingBlog {
  readonly id: string;
  readonly projectId: string;
}
type LinkedToItself = Pick<BlogRow, 'id' | 'slug' | 'title'>;

/**
 * Binds the links of a working copy that is saved: to the blogs of `given`; else to the blog that has the slug, as its
 * own or as an alias; else to the one that the link was bound to before.
 */
export async function bindLinks(
  tx: Transaction,
  { id, projectId }: LinkingBlog,
  slugs: readonly string[],
  given: Bindings = {},
): Promise<void> {
  // A blog that is being created with one of the slugs comes before, and is found, or after, and finds the link.
  if (slugs.length > 0) await lockUnbound(tx, projectId, 'shared');
  await tx.$executeRaw`
    WITH named AS (SELECT DISTINCT slug FROM unnest(${slugs}::text[]) AS slug),
    gone AS (
      DELETE FROM blog_link old WHERE old.blog_id = ${id}::uuid AND NOT old.is_published
        AND NOT EXISTS (SELECT FROM named WHERE named.slug = old.slug))
    INSERT INTO blog_link (blog_id, is_published, slug, project_id, target_id)
    SELECT ${id}::uuid, false, named.slug, ${projectId}::uuid,
      coalesce((${given}::jsonb ->> named.slug)::uuid, claim.blog_id, old.target_id)
    FROM named
    LEFT JOIN slug_claim claim ON claim.project_id = ${projectId}::uuid AND claim.slug = named.slug
    LEFT JOIN blog_link old ON old.blog_id = ${id}::uuid AND NOT old.is_published AND old.slug = named.slug
    ON CONFLICT (blog_id, is_published, slug) DO UPDATE SET target_id = excluded.target_id
    WHERE blog_link.target_id IS DISTINCT FROM excluded.target_id`;
}

/** Binds the links of other working copies that name a new blog's slug and have belonged to none. */
export async function bindLinksToNewBlog(tx: Transaction, { id, projectId, slug }: LinkingBlog & { slug: string }) {
  await lockUnbound(tx, projectId, 'exclusive');
  await tx.$executeRaw`
    UPDATE blog_link SET target_id = ${id}::uuid
    WHERE project_id = ${projectId}::uuid AND slug = ${slug} AND target_id IS NULL AND NOT is_published`;
}

async function lockUnbound(tx: Transaction, projectId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = Prisma.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await tx.$executeRaw`SELECT ${lock}(hashtextextended(${`links ${projectId}`}, 0))`;
}

/** Forgets the links of a blog that readers no longer see. */
export async function dropPublishedLinks(tx: Transaction, blogId: string): Promise<void> {
  await tx.blogLink.deleteMany({ where: { blogId, isPublished: true } });
}

/** Forgets all links of blogs that are deleted. */
export async function dropLinks(tx: Transaction, blogIds: readonly string[]): Promise<void> {
  await tx.blogLink.deleteMany({ where: { blogId: { in: [...blogIds] } } });
}

/** Whether a working copy has links. */
export async function hasLinks(tx: Transaction, blogId: string): Promise<boolean> {
  return (await tx.blogLink.findFirst({ where: { blogId, isPublished: false }, select: { slug: true } })) !== null;
}

/** Whether links lead to the blog, from any working copy, or from what readers see of one. */
export async function isLinked(tx: Transaction, blogId: string, from: 'anything' | 'published'): Promise<boolean> {
  const where = { targetId: blogId, blogId: { not: blogId }, ...(from === 'published' && { isPublished: true }) };
  return (await tx.blogLink.findFirst({ where, select: { slug: true } })) !== null;
}

/** The links of a working copy that belong to a blog. */
export async function boundLinks(tx: Transaction, blogId: string): Promise<BoundLink[]> {
  const links = await tx.$queryRaw<LinkRow[]>`
    SELECT link.slug AS named, ${TARGET} FROM blog_link link JOIN ${TARGETS}
    WHERE link.blog_id = ${blogId}::uuid AND NOT link.is_published`;
  return links.map(toBoundLink);
}

/** Of several working copies, by their blogs: slugs that are named otherwise now. */
export async function renamesInBlogs(
  tx: Database | Transaction,
  blogIds: readonly string[],
): Promise<ReadonlyMap<string, Renames>> {
  const links = await tx.$queryRaw<(LinkRow & { key: string })[]>`
    SELECT link.blog_id::text AS key, link.slug AS named, ${TARGET} FROM blog_link link JOIN ${TARGETS}
    WHERE link.blog_id = ANY (${blogIds}::uuid[]) AND NOT link.is_published
      AND link.slug IS DISTINCT FROM ${WORKING_SLUG}`;
  return renamesByKey(links);
}

/** Of several revisions of a blog, by their numbers. */
export async function renamesInRevisions(
  tx: Database | Transaction,
  blogId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<string, Renames>> {
  const links = await tx.$queryRaw<(LinkRow & { key: string })[]>`
    SELECT link.number::text AS key, link.slug AS named, ${TARGET} FROM (
      SELECT number, link.key AS slug, link.value::uuid AS target_id
      FROM blog_revision, jsonb_each_text(links) AS link
      WHERE blog_id = ${blogId}::uuid AND number = ANY (${numbers}::int[])
    ) AS link JOIN ${TARGETS}
    WHERE link.slug IS DISTINCT FROM ${WORKING_SLUG}`;
  return renamesByKey(links);
}

interface LinkRow {
  readonly named: string;
  readonly targetId: string;
  readonly isDeleted: boolean;
  readonly workingSlug: string | null;
  readonly servedSlug: string | null;
  readonly servedTitle: string | null;
}

const WORKING_SLUG = Prisma.sql`CASE target.state WHEN 'deleted' THEN target.linked_slug ELSE target.slug END`;
const TARGET = Prisma.sql`target.id AS "targetId", target.state = 'deleted' AS "isDeleted",
  ${WORKING_SLUG} AS "workingSlug", served.slug AS "servedSlug",
  served.title AS "servedTitle"`;
const TARGETS = Prisma.sql`blog target ON target.id = link.target_id
  LEFT JOIN blog_revision served
    ON target.state = 'published' AND served.blog_id = target.id AND served.number = target.revision`;

function toBoundLink({ servedSlug, servedTitle, ...link }: LinkRow): BoundLink {
  const served = servedSlug === null || servedTitle === null ? null : { slug: servedSlug, title: servedTitle };
  return { ...link, served };
}

function renamesByKey(links: readonly (LinkRow & { readonly key: string })[]): ReadonlyMap<string, Renames> {
  const byKey = Map.groupBy(links, ({ key }) => key);
  return new Map([...byKey].map(([key, rows]) => [key, renamesOf(rows.map(toBoundLink), slugForAuthors)]));
}

/** The links of a content as a publish tells of them. */
export interface PublishedLinks {
  /** The content with the slugs that its links name now. */
  readonly content: string;
  /** Which blog each placeholder belongs to. */
  readonly bindings: NonNullable<BlogPublishedEvent['link_bindings']>;
  /** Those targets that are published now. */
  readonly targets: Targets;
}

/**
 * Makes the links of the working copy those that readers see, and reads where they lead now.
 *
 * @param slugs those that the placeholders of the published `content` name.
 */
export async function publishLinks(
  tx: Transaction,
  blog: BlogRow,
  content: string,
  slugs: readonly string[],
): Promise<PublishedLinks> {
  const bound = await tx.$queryRaw<LinkRow[]>`
    WITH working AS (
      SELECT * FROM blog_link WHERE blog_id = ${blog.id}::uuid AND NOT is_published AND target_id IS NOT NULL),
    gone AS (
      DELETE FROM blog_link old WHERE old.blog_id = ${blog.id}::uuid AND old.is_published
        AND NOT EXISTS (SELECT FROM working WHERE working.slug = old.slug)),
    published AS (
      INSERT INTO blog_link (blog_id, is_published, slug, project_id, target_id)
      SELECT blog_id, true, slug, project_id, target_id FROM working
      ON CONFLICT (blog_id, is_published, slug) DO UPDATE SET target_id = excluded.target_id)
    SELECT link.slug AS named, ${TARGET} FROM working AS link JOIN ${TARGETS}`;
  return linksOf(tx, blog, { content, slugs, bound: asPublished(bound.map(toBoundLink), blog) });
}

/** With links to the post itself as they are once it is published: the revision that readers get is written later. */
export function asPublished(bound: readonly BoundLink[], { id, slug, title }: LinkedToItself): BoundLink[] {
  return bound.map((link) => (link.targetId === id ? { ...link, served: { slug, title } } : link));
}

/** Reads the links that readers see again: what `publishLinks` gave, with the slugs that its targets have now. */
export async function publishedLinks(
  tx: Transaction,
  blog: LinkingBlog,
  content: string,
  slugs: readonly string[],
): Promise<PublishedLinks> {
  const bound = await tx.$queryRaw<LinkRow[]>`
    SELECT link.slug AS named, ${TARGET} FROM blog_link link JOIN ${TARGETS}
    WHERE link.blog_id = ${blog.id}::uuid AND link.is_published`;
  return linksOf(tx, blog, { content, slugs, bound: bound.map(toBoundLink) });
}

/** Where the links of a content lead now. */
export async function linksOf(
  tx: Transaction,
  blog: LinkingBlog,
  { content, slugs, bound }: { content: string; slugs: readonly string[]; bound: readonly BoundLink[] },
): Promise<PublishedLinks> {
  if (slugs.length === 0) return { content, bindings: [], targets: [] };
  const named = new Set(slugs);
  const links = bound.filter((link) => named.has(link.named));
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
async function targetsBySlug(tx: Transaction, blog: LinkingBlog, slugs: readonly string[]): Promise<Targets> {
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

/**
 * Adds the translations that placeholders lead to instead of the targets: published ones in the post's own language, of
 * targets in another one. Not among translations of each other.
 */
export async function withTranslations(
  tx: Transaction,
  { projectId }: LinkingBlog,
  { language, translation_key: key }: Pick<Extras, 'language' | 'translation_key'>,
  links: PublishedLinks,
): Promise<PublishedLinks> {
  if (language === null || links.targets.length === 0) return links;
  const servedSlug = ({ slug, current_slug: current = slug }: Targets[number]) => current;
  const found = await tx.$queryRaw<{ of: string; slug: string; title: string; blog_id: string }[]>`
    SELECT claim.slug AS of, translation.*
    FROM slug_claim claim
    JOIN blog target ON target.id = claim.blog_id AND target.state = 'published'
    JOIN blog_revision served
      ON served.blog_id = target.id AND served.number = target.revision AND served.slug = claim.slug
    CROSS JOIN LATERAL (
      SELECT revision.slug, revision.title, sibling.id::text AS blog_id
      FROM blog sibling JOIN blog_revision revision
        ON revision.blog_id = sibling.id AND revision.number = sibling.revision
      -- By the index of working copies: one that is to leave the others with its next publish is not found any more.
      WHERE sibling.project_id = ${projectId}::uuid AND sibling.state = 'published'
        AND sibling.extra ->> 'translation_key' = served.extra ->> 'translation_key'
        AND revision.extra ->> 'translation_key' = served.extra ->> 'translation_key'
        AND revision.extra ->> 'language' = ${language}
      ORDER BY revision.published_at DESC, sibling.id DESC LIMIT 1
    ) translation
    WHERE claim.project_id = ${projectId}::uuid AND claim.slug = ANY (${links.targets.map(servedSlug)}::text[])
      AND served.extra ->> 'language' IS DISTINCT FROM ${language}
      AND served.extra ->> 'translation_key' IS DISTINCT FROM ${key}::text`;
  const bySlug = new Map(found.map(({ of, ...translation }) => [of, translation]));
  return {
    ...links,
    targets: links.targets.map((target) => {
      const translation = bySlug.get(servedSlug(target));
      return translation === undefined ? target : { ...target, translation };
    }),
  };
}

/** What authors see: the slug of the target's working copy. */
export const slugForAuthors = ({ named, workingSlug }: BoundLink): string => workingSlug ?? named;

/** What readers get: the slug that the target is published under, or the one that it would be. */
export const slugForReaders = (link: BoundLink): string => link.served?.slug ?? slugForAuthors(link);

/** The slugs that are named otherwise now. */
export function renamesOf(links: readonly BoundLink[], slugOf: (link: BoundLink) => string): Renames {
  return new Map(links.map((link) => [link.named, slugOf(link)] as const).filter(([named, now]) => named !== now));
}

/** The content with the slugs that its links name now. */
export function withCurrentSlugs<Row extends Written>(row: Row, renames: Renames): Row {
  if (renames.size === 0) return row;
  const { content, contentMarkdown } = row;
  return {
    ...row,
    content: renamePlaceholders(content, renames),
    contentMarkdown: contentMarkdown === null ? null : renamePlaceholders(contentMarkdown, renames),
  };
}
