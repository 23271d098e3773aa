import type { Page } from '@blog-content/service-runtime';
import type { BlogRevision } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import { presentBlog } from '../links/present-blog.ts';
import { renamesInRevisions, withCurrentSlugs, type Bindings } from '../links/link-store.ts';
import { blogFieldsOf } from '../writing/draft.ts';
import type { SlugRefusal } from '../slugs/slug-claim-store.ts';
import type { Blog } from '../blog-row.ts';
import { lockBlog, orSlugRefused, writeWorkingCopy } from '../writing/working-copy-store.ts';

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

export type RevisionStore = ReturnType<typeof createRevisionStore>;

/** What each publish of a blog made public. */
export function createRevisionStore(database: Database | Transaction, clock: () => Date) {
  return {
    /** Newest first, one more than the page holds; a page's `from` is a revision's number. */
    list: (projectId: string, blogId: string, { from, limit }: Page): Promise<RevisionItem[]> =>
      database.blogRevision.findMany({
        where: { blogId, blog: { projectId }, ...(from !== null && { number: { lt: Number(from) } }) },
        select: { number: true, publishedAt: true, title: true, slug: true },
        orderBy: { number: 'desc' },
        take: limit + 1,
      }),

    /** With the slugs that its links name now. */
    async find(projectId: string, blogId: string, number: number): Promise<Revision | null> {
      const where = { blogId_number: { blogId, number }, blog: { projectId } };
      const revision = await database.blogRevision.findUnique({ where });
      return revision && ((await presentRevisions(database, blogId, [revision]))[0] ?? null);
    },

    /** Brings a revision back into the working copy; nothing is published by it. */
    restore: ({
      projectId,
      blogId,
      number,
      keepSlug,
      mayChange,
    }: RestoreRequest): Promise<Blog | SlugRefusal | 'not_found' | 'no_revision' | 'changed'> =>
      orSlugRefused(
        database.$transaction(async (tx) => {
          const blog = await lockBlog(tx, projectId, blogId);
          if (!blog || blog.state === 'deleted') return 'not_found';
          if (!mayChange(blog.version, blog.publishAt !== null)) return 'changed';
          const revision = await tx.blogRevision.findUnique({ where: { blogId_number: { blogId, number } } });
          if (!revision) return 'no_revision';
          const { slug, ...draft } = blogFieldsOf(revision);
          const bindings = (revision.links ?? {}) as Bindings;
          const given = keepSlug ? undefined : { slug };
          const change = { changes: draft, slug: given, bindings, now: clock() };
          return presentBlog(tx, await writeWorkingCopy(tx, blog, change));
        }),
      ),
  };
}

/** Stored revisions of a blog as they are shown: with the slugs that their links name now. Not to be done twice. */
export async function presentRevisions(
  tx: Database | Transaction,
  blogId: string,
  revisions: readonly Revision[],
): Promise<Revision[]> {
  const numbers = revisions.map(({ number }) => number);
  const renames = await renamesInRevisions(tx, blogId, numbers);
  return revisions.map((revision) => withCurrentSlugs(revision, renames.get(`${revision.number}`) ?? new Map()));
}
