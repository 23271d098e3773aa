import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { blogListQuery } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import { slugify } from '../../content/slugify.ts';
import type { Blog, Prisma } from '../../generated/prisma/client.ts';
import { imageHashesIn } from '../../images/image-urls.ts';
import { markImagesUsed } from '../../images/library/image-use-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import { countNewBlog } from './blog-count-store.ts';
import type { BlogFields, DatedDraft, Draft } from './draft.ts';
import { claimFreeSlug, claimSlug, releaseSlugs } from './slug-claim-store.ts';

export type { Blog };

/** A blog without what makes it large. */
export type BlogItem = Omit<Blog, 'content' | 'contentMarkdown'>;

export type BlogFilter = z.infer<typeof blogListQuery>;

/** Blogs and their working copies. */
export interface BlogStore {
  /**
   * @param slug null: made from the title.
   * @returns `slug_taken` when another blog holds the given slug; `no_project` when the project was deleted meanwhile.
   */
  create(
    projectId: string,
    draft: DatedDraft,
    slug: string | null,
  ): Promise<Blog | 'slug_taken' | 'too_many' | 'no_project'>;
  /** Changes the working copy only; equal values change nothing. `changed`: `mayChange` refused its version. */
  edit(
    projectId: string,
    blogId: string,
    changes: Partial<DatedDraft>,
    slug: string | undefined,
    mayChange?: MayChange,
  ): Promise<Blog | 'slug_taken' | 'not_found' | 'changed'>;
  /** Null for a blog that is not the project's, or deleted. */
  find(projectId: string, blogId: string): Promise<Blog | null>;
  /** The blog whose working copy has the slug. */
  findBySlug(projectId: string, slug: string): Promise<Blog | null>;
  /** In order of creation, newest first, one more than the page holds; never deleted ones. */
  list(projectId: string, page: Page, filter: BlogFilter): Promise<BlogItem[]>;
}

/** Thrown to roll a transaction back, for {@link orSlugTaken}. */
class SlugTaken extends Error {}

export function createBlogStore(database: Database | Transaction, clock: () => Date): BlogStore {
  return {
    create: (projectId, draft, slug) =>
      orSlugTaken(
        database.$transaction(async (tx) => {
          const { refused } = await countNewBlog(tx, projectId);
          if (refused !== null) return refused;
          const id = randomUUID();
          const claimed =
            slug === null
              ? await claimFreeSlug(tx, projectId, id, slugify(draft.title))
              : await claim(tx, projectId, id, slug);
          const now = clock();
          const madeExcerpt = makeExcerpt(draft.content);
          const imageHashes = hashesOf(projectId, draft);
          await markImagesUsed(tx, projectId, imageHashes);
          await addProjectEvents(tx, [{ projectId, data: { event: 'blog.changed', blog_id: id, state: 'draft' } }]);
          return tx.blog.create({
            data: {
              id,
              projectId,
              state: 'draft',
              slug: claimed,
              ...draft,
              madeExcerpt,
              imageHashes,
              createdAt: now,
              updatedAt: now,
            },
          });
        }),
      ),

    edit: (projectId, blogId, changes, slug, mayChange = () => true) =>
      orSlugTaken(
        database.$transaction(async (tx) => {
          const blog = await lockBlog(tx, projectId, blogId);
          if (!blog || blog.state === 'deleted') return 'not_found';
          if (!mayChange(blog.version, blog.publishAt !== null)) return 'changed';
          return writeWorkingCopy(tx, blog, { ...changes, ...(slug !== undefined && { slug }) }, clock());
        }),
      ),

    find: (projectId, blogId) =>
      database.blog.findFirst({ where: { id: blogId, projectId, state: { not: 'deleted' } } }),

    async findBySlug(projectId, slug) {
      const claimed = await database.slugClaim.findUnique({ where: { projectId_slug: { projectId, slug } } });
      if (!claimed) return null;
      return database.blog.findFirst({ where: { id: claimed.blogId, projectId, slug, state: { not: 'deleted' } } });
    },

    list(projectId, { from, limit }, filter) {
      return database.blog.findMany({
        where: { projectId, ...(from !== null && { position: { lt: BigInt(from) } }), AND: conditions(filter) },
        omit: { content: true, contentMarkdown: true },
        orderBy: { position: 'desc' },
        take: limit + 1,
      });
    },
  };
}

function conditions({ state, q, category, tag, scheduled, changed }: BlogFilter): Prisma.BlogWhereInput[] {
  const found: Prisma.BlogWhereInput[] = [{ state: state ?? { not: 'deleted' } }];
  if (category !== undefined) found.push({ categories: { has: category } });
  if (tag !== undefined) found.push({ tags: { has: tag } });
  if (scheduled !== undefined) found.push({ publishAt: scheduled === 'true' ? { not: null } : null });
  if (changed !== undefined) found.push({ state: 'published', changedSincePublish: changed === 'true' });
  if (q) {
    const contains = { contains: q.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const;
    const label = { has: q };
    found.push({
      OR: [{ title: contains }, { slug: contains }, { keyword: contains }, { categories: label }, { tags: label }],
    });
  }
  return found;
}

/** The blog's row, locked until the transaction ends: one blog's changes and events come one after the other. */
export async function lockBlog(tx: Transaction, projectId: string, blogId: string): Promise<Blog | null> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM blog WHERE id = ${blogId}::uuid AND project_id = ${projectId}::uuid FOR UPDATE`;
  return locked.length === 0 ? null : tx.blog.findUnique({ where: { id: blogId } });
}

/** Writes into the working copy of a locked blog. @throws SlugTaken, for {@link orSlugTaken}. */
export async function writeWorkingCopy(
  tx: Transaction,
  blog: Blog,
  changes: Partial<BlogFields & DatedDraft>,
  now: Date,
): Promise<Blog> {
  if (isDeepStrictEqual({ ...blog, ...changes }, blog)) return blog;
  const { slug, content } = changes;
  if (slug !== undefined && slug !== blog.slug) {
    await claim(tx, blog.projectId, blog.id, slug);
    await releaseSlugs(tx, blog.id, [slug, ...(await publishedSlugs(tx, blog))]);
  }
  const imageHashes = hashesOf(blog.projectId, { ...blog, ...changes });
  await markImagesUsed(tx, blog.projectId, imageHashes);
  return tx.blog.update({
    where: { id: blog.id },
    data: {
      ...changes,
      imageHashes,
      ...(content !== undefined && { madeExcerpt: makeExcerpt(content) }),
      changedSincePublish: true,
      version: { increment: 1 },
      updatedAt: now,
    },
  });
}

/** The stored images of the project that a draft shows, or may show. */
function hashesOf(projectId: string, draft: Omit<Draft, 'title'>): string[] {
  const { content, contentMarkdown, featuredImageUrl, generatedImages } = draft;
  return imageHashesIn(projectId, [content, contentMarkdown, featuredImageUrl, ...generatedImages]);
}

/** The slug under which the blog is served now, if it is. */
async function publishedSlugs(tx: Transaction, blog: Blog): Promise<string[]> {
  if (blog.state !== 'published') return [];
  const where = { blogId_number: { blogId: blog.id, number: blog.revision } };
  const revision = await tx.blogRevision.findUnique({ where, select: { slug: true } });
  return revision ? [revision.slug] : [];
}

async function claim(tx: Transaction, projectId: string, blogId: string, slug: string): Promise<string> {
  if (!(await claimSlug(tx, projectId, blogId, slug))) throw new SlugTaken();
  return slug;
}

/** Answers `slug_taken` when the change was rolled back because of that. */
export async function orSlugTaken<T>(change: Promise<T>): Promise<T | 'slug_taken'> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof SlugTaken) return 'slug_taken';
    throw error;
  }
}
