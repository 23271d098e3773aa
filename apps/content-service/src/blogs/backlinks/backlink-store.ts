import type { Page } from '@blog-content/service-runtime';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { holderOf, publishedSlugs } from '../slugs/slug-claim-store.ts';
import { lockBlog } from '../writing/working-copy-store.ts';
import type { RenameFacts } from './preview-rename.ts';
import { emitSlugsChanged, servedSlug } from '../links/slug-change-store.ts';

export interface Backlink {
  readonly position: bigint;
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly state: string;
  readonly inWorkingCopy: boolean;
  readonly inPublished: boolean;
}

export type BacklinkStore = ReturnType<typeof createBacklinkStore>;

/** What leads to a blog: links of other blogs, and slugs of before. */
export function createBacklinkStore(database: Database | Transaction, clock: () => Date) {
  async function count(blogId: string): Promise<number> {
    const [counted] = await database.$queryRaw<{ posts: number }[]>`
      SELECT count(DISTINCT blog_id)::int AS posts FROM blog_link
      WHERE target_id = ${blogId}::uuid AND blog_id <> ${blogId}::uuid`;
    return counted?.posts ?? 0;
  }

  return {
    /** How many blogs link to one. */
    count,

    /** The blogs that link to one, newest first, one more than the page holds. */
    list: (blogId: string, { from, limit }: Page): Promise<Backlink[]> => database.$queryRaw<Backlink[]>`
      SELECT blog.position, blog.id, blog.title, blog.slug, blog.state,
        bool_or(NOT link.is_published) AS "inWorkingCopy", bool_or(link.is_published) AS "inPublished"
      FROM blog_link link JOIN blog ON blog.id = link.blog_id
      WHERE link.target_id = ${blogId}::uuid AND link.blog_id <> ${blogId}::uuid
        AND (${from}::text IS NULL OR blog.position < ${from}::text::bigint)
      GROUP BY blog.id ORDER BY blog.position DESC LIMIT ${limit + 1}`,

    /** Null for a blog that is not the project's, or deleted. @param slug the new one; null for the one that it has. */
    async renameFacts(projectId: string, blogId: string, slug: string | null): Promise<RenameFacts | null> {
      const where = { id: blogId, projectId, state: { not: 'deleted' } };
      const select = { id: true, slug: true, state: true, revision: true } as const;
      const blog = await database.blog.findFirst({ where, select });
      if (!blog) return null;
      return {
        blogId,
        currentSlug: blog.slug,
        publishedSlug: await servedSlug(database, blog),
        publishedSlugs: await publishedSlugs(database, blogId),
        linkingPosts: await count(blogId),
        holder: await holderOf(database, projectId, slug ?? blog.slug),
      };
    },

    /** Releases an alias: it is free, and readers hear of it. */
    releaseAlias: (projectId: string, blogId: string, slug: string): Promise<'released' | 'no_blog' | 'no_alias'> =>
      database.$transaction(async (tx) => {
        const blog = await lockBlog(tx, projectId, blogId);
        if (!blog || blog.state === 'deleted') return 'no_blog';
        const holder = await holderOf(tx, projectId, slug);
        if (holder?.id !== blogId || !holder.isAlias) return 'no_alias';
        await tx.slugClaim.delete({ where: { projectId_slug: { projectId, slug } } });
        await emitSlugsChanged(tx, blog, clock());
        return 'released';
      }),
  };
}
