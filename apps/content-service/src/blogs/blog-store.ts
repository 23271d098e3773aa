import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BlogState } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import { slugify } from '../content/slugify.ts';
import { Prisma, type Blog } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../open-database.ts';
import type { Draft } from './draft.ts';
import { claimFreeSlug, claimSlug, releaseSlugs } from './slug-claim-store.ts';

export type { Blog };

/** Blogs and their working copies. */
export interface BlogStore {
  /** @param slug null: made from the title. Answers `slug_taken` when another blog holds the given one. */
  create(projectId: string, draft: Draft, slug: string | null): Promise<Blog | 'slug_taken'>;
  /** Changes the working copy only; what is the same as before changes nothing. */
  edit(
    projectId: string,
    blogId: string,
    changes: Partial<Draft>,
    slug: string | undefined,
  ): Promise<Blog | 'slug_taken' | 'not_found'>;
  /** Null for a blog that is not the project's, or deleted. */
  find(projectId: string, blogId: string): Promise<Blog | null>;
  /** In order of creation, newest first, one more than the page holds; never deleted ones. */
  list(projectId: string, page: Page, state: BlogState | null): Promise<Blog[]>;
}

/** Thrown to roll a transaction back; never leaves this file. */
class SlugTaken extends Error {}

export function createBlogStore(database: Database, clock: () => Date): BlogStore {
  return {
    create: (projectId, draft, slug) =>
      orSlugTaken(
        database.$transaction(async (tx) => {
          const id = randomUUID();
          const claimed =
            slug === null
              ? await claimFreeSlug(tx, projectId, id, slugify(draft.title))
              : await claim(tx, projectId, id, slug);
          const now = clock();
          return tx.blog.create({
            data: { id, projectId, state: 'draft', slug: claimed, ...draft, createdAt: now, updatedAt: now },
          });
        }),
      ),

    edit: (projectId, blogId, changes, slug) =>
      orSlugTaken(
        database.$transaction(async (tx) => {
          const blog = await lockBlog(tx, projectId, blogId);
          if (!blog || blog.state === 'deleted') return 'not_found';
          const edited = { ...changes, ...(slug !== undefined && { slug }) };
          if (!changesSomething(blog, edited)) return blog;
          if (slug !== undefined && slug !== blog.slug) {
            await claim(tx, projectId, blogId, slug);
            await releaseSlugs(tx, blogId, [slug, ...(await publishedSlugs(tx, blog))]);
          }
          return tx.blog.update({
            where: { id: blogId },
            data: { ...edited, changedSincePublish: true, updatedAt: clock() },
          });
        }),
      ),

    find: (projectId, blogId) =>
      database.blog.findFirst({ where: { id: blogId, projectId, state: { not: 'deleted' } } }),

    list: (projectId, { from, limit }, state) =>
      database.blog.findMany({
        where: {
          projectId,
          state: state === null ? { not: 'deleted' } : { equals: state, not: 'deleted' },
          ...(from !== null && { position: { lt: BigInt(from) } }),
        },
        orderBy: { position: 'desc' },
        take: limit + 1,
      }),
  };
}

/** The blog's row, locked until the transaction ends: one blog's changes and events come one after the other. */
export async function lockBlog(tx: Transaction, projectId: string, blogId: string): Promise<Blog | null> {
  const locked = await tx.$queryRaw<{ id: string }[]>(
    Prisma.sql`SELECT id FROM blog WHERE id = ${blogId}::uuid AND project_id = ${projectId}::uuid FOR UPDATE`,
  );
  return locked.length === 0 ? null : tx.blog.findUnique({ where: { id: blogId } });
}

function changesSomething(blog: Blog, edited: Partial<Draft & { slug: string }>): boolean {
  return !isDeepStrictEqual({ ...blog, ...edited }, blog);
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

async function orSlugTaken<T>(change: Promise<T>): Promise<T | 'slug_taken'> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof SlugTaken) return 'slug_taken';
    throw error;
  }
}
