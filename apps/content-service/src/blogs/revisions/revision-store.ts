import type { Page } from '@blog-content/service-runtime';
import type { BlogRevision } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import { lockBlog, orSlugTaken, writeWorkingCopy, type Blog } from '../writing/blog-store.ts';
import { blogFieldsOf } from '../writing/draft.ts';

export type Revision = BlogRevision;
type RevisionItem = Pick<Revision, 'number' | 'publishedAt' | 'title' | 'slug'>;

export interface RestoreRequest {
  readonly projectId: string;
  readonly blogId: string;
  readonly number: number;
  /** Leave the slug of the working copy as it is. */
  readonly keepSlug: boolean;
  readonly mayChange: MayChange;
}

/** What each publish of a blog made public. */
export interface RevisionStore {
  /** Newest first, one more than the page holds; a page's `from` is a revision's number. */
  list(projectId: string, blogId: string, page: Page): Promise<RevisionItem[]>;
  find(projectId: string, blogId: string, number: number): Promise<Revision | null>;
  /** Brings a revision back into the working copy; nothing is published by it. */
  restore(request: RestoreRequest): Promise<Blog | 'not_found' | 'no_revision' | 'slug_taken' | 'changed'>;
}

export function createRevisionStore(database: Database | Transaction, clock: () => Date): RevisionStore {
  return {
    list: (projectId, blogId, { from, limit }) =>
      database.blogRevision.findMany({
        where: { blogId, blog: { projectId }, ...(from !== null && { number: { lt: Number(from) } }) },
        select: { number: true, publishedAt: true, title: true, slug: true },
        orderBy: { number: 'desc' },
        take: limit + 1,
      }),

    find: (projectId, blogId, number) =>
      database.blogRevision.findUnique({ where: { blogId_number: { blogId, number }, blog: { projectId } } }),

    restore: ({ projectId, blogId, number, keepSlug, mayChange }) =>
      orSlugTaken(
        database.$transaction(async (tx) => {
          const blog = await lockBlog(tx, projectId, blogId);
          if (!blog || blog.state === 'deleted') return 'not_found';
          if (!mayChange(blog.version, blog.publishAt !== null)) return 'changed';
          const revision = await tx.blogRevision.findUnique({ where: { blogId_number: { blogId, number } } });
          if (!revision) return 'no_revision';
          const { slug, ...draft } = blogFieldsOf(revision);
          return writeWorkingCopy(tx, blog, { ...draft, ...(!keepSlug && { slug }) }, clock());
        }),
      ),
  };
}
