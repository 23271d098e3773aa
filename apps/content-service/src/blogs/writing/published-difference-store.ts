import { isDeepStrictEqual } from 'node:util';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import type { Transaction } from '../../platform/database/open-database.ts';
import type { BlogRow } from '../blog-row.ts';
import {
  boundLinks,
  renamesInRevisions,
  renamesOf,
  slugForAuthors,
  withCurrentSlugs,
  type Renames,
} from '../links/link-store.ts';
import { publicFieldsOf, type StoredFields } from './draft.ts';

type ShortFields = Omit<StoredFields, 'content' | 'contentMarkdown'>;

/** Whether publishing a published blog's working copy, as it is stored now, would change what readers get. */
export async function differsFromPublished(tx: Transaction, blog: BlogRow): Promise<boolean> {
  const date = blog.publicationDate ?? blog.publicationBeganAt;
  if (date?.getTime() !== (blog.publicDate ?? blog.publicationBeganAt)?.getTime()) return true;
  // Contents are compared where they are: they may be long.
  const [published] = await tx.$queryRaw<(ShortFields & { isSameContent: boolean })[]>`
    SELECT revision.title, revision.slug, revision.excerpt, revision.meta_title AS "metaTitle",
      revision.meta_description AS "metaDescription", revision.featured_image_url AS "featuredImageUrl",
      revision.generated_images AS "generatedImages", revision.categories, revision.tags, revision.keyword,
      revision.extra, revision.content = blog.content AS "isSameContent"
    FROM blog_revision revision JOIN blog ON blog.id = revision.blog_id
    WHERE revision.blog_id = ${blog.id}::uuid AND revision.number = ${blog.revision}`;
  if (published === undefined) return true;
  const before = publicFieldsOf(published);
  const now = publicFieldsOf(blog);
  if (!isDeepStrictEqual({ ...before, excerpt: '' }, { ...now, excerpt: '' })) return true;
  if (!(await hasSameContent(tx, blog, published.isSameContent))) return true;
  const made = () => makeExcerpt(blog.content);
  return before.excerpt !== now.excerpt && (before.excerpt ?? made()) !== (now.excerpt ?? made());
}

/** Both contents may name a blog that was renamed since, by its old slug or its new one. */
async function hasSameContent(tx: Transaction, blog: BlogRow, isStoredAlike: boolean): Promise<boolean> {
  const renames = renamesOf(await boundLinks(tx, blog.id), slugForAuthors);
  const number = blog.revision;
  const none: Renames = new Map();
  const publishedRenames = (await renamesInRevisions(tx, blog.id, [number])).get(`${number}`) ?? none;
  if (renames.size === 0 && publishedRenames.size === 0) return isStoredAlike;
  const where = { blogId_number: { blogId: blog.id, number } };
  const revision = await tx.blogRevision.findUniqueOrThrow({ where, select: { content: true } });
  const shown = ({ content }: { readonly content: string }, named: Renames) =>
    withCurrentSlugs({ content, contentMarkdown: null }, named).content;
  return shown(revision, publishedRenames) === shown(blog, renames);
}
