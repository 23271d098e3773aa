import { Prisma } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { renamesOf, slugForAuthors, type BoundLink, type Renames } from './current-slugs.ts';

/**
 * The links of working copies and of what readers see of them, beside the contents: a rename changes no content and no
 * row of these, however many links lead to the blog.
 *
 * A transaction takes its blogs' rows first, then slugs, and the links last: no two wait for each other.
 */

/** Ids of blogs by the slugs that a content names. */
export type Bindings = Readonly<Record<string, string>>;

interface LinkingBlog {
  readonly id: string;
  readonly projectId: string;
}

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

/** Makes the links of the working copy those that readers see. */
export async function publishLinks(tx: Transaction, blogId: string): Promise<void> {
  await tx.$executeRaw`
    WITH working AS (
      SELECT * FROM blog_link WHERE blog_id = ${blogId}::uuid AND NOT is_published AND target_id IS NOT NULL),
    gone AS (
      DELETE FROM blog_link old WHERE old.blog_id = ${blogId}::uuid AND old.is_published
        AND NOT EXISTS (SELECT FROM working WHERE working.slug = old.slug))
    INSERT INTO blog_link (blog_id, is_published, slug, project_id, target_id)
    SELECT blog_id, true, slug, project_id, target_id FROM working
    ON CONFLICT (blog_id, is_published, slug) DO UPDATE SET target_id = excluded.target_id`;
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
