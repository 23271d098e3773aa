import { randomUUID } from 'node:crypto';
import { extras } from '@blog-content/payload-schemas';
import { nameAuthors } from '../../authors/named-author-store.ts';
import { linkSlugsIn } from '../../content/link-slugs.ts';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import { slugify } from '../../content/slugify.ts';
import { markImagesUsed } from '../../images/library/image-use-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import { bindLinks, bindLinksToNewBlog } from '../links/link-store.ts';
import { presentBlog } from '../links/present-blog.ts';
import { createBlogListStore } from './blog-list-store.ts';
import { countNewBlog } from './blog-count-store.ts';
import type { DatedDraft } from './draft.ts';
import { claimFreeSlug, type SlugRefusal } from '../slugs/slug-claim-store.ts';
import type { Blog } from '../blog-row.ts';
import { checkTranslation } from './translation-store.ts';
import {
  claim,
  type GivenSlug,
  hashesOf,
  lockBlog,
  lockHolder,
  orSlugRefused,
  writeWorkingCopy,
} from './working-copy-store.ts';

export type { Blog };

export type BlogStore = ReturnType<typeof createBlogStore>;

/** Blogs and their working copies. */
export function createBlogStore(database: Database | Transaction, clock: () => Date) {
  return {
    ...createBlogListStore(database),

    /**
     * @param slug null: made from the title.
     * @param authorsBefore slugs of authors that it may name although they were deleted.
     * @returns a refusal when another blog holds the given slug; `no_project` when the project was deleted meanwhile.
     * @throws a 409 problem when the administrator's quota of posts is reached, a 422 problem for unknown authors.
     */
    create: (
      projectId: string,
      { linkSlugs, ...draft }: DatedDraft,
      slug: GivenSlug | null,
      authorsBefore: readonly string[] = [],
    ): Promise<Blog | SlugRefusal | 'too_many' | 'no_project'> =>
      orSlugRefused(
        database.$transaction(async (tx) => {
          const { refused } = await countNewBlog(tx, projectId, clock());
          if (refused !== null) return refused;
          const id = randomUUID();
          const now = clock();
          const claimed =
            slug === null
              ? await claimFreeSlug(tx, projectId, id, slugify(draft.title, extras.of(draft.extra).language))
              : await claim(tx, { projectId, id }, slug, await lockHolder(tx, projectId, slug), now);
          await checkTranslation(tx, { id, projectId, extra: draft.extra });
          const imageHashes = hashesOf(projectId, draft);
          await markImagesUsed(tx, projectId, imageHashes);
          await addProjectEvents(tx, [{ projectId, data: { event: 'blog.changed', blog_id: id, state: 'draft' } }]);
          const blog = await tx.blog.create({
            data: {
              id,
              projectId,
              state: 'draft',
              slug: claimed,
              ...draft,
              ...(await withAuthors(tx, projectId, draft, authorsBefore)),
              madeExcerpt: makeExcerpt(draft.content),
              imageHashes,
              createdAt: now,
              updatedAt: now,
            },
          });
          const linked = linkSlugs ?? linkSlugsIn(draft.content, draft.contentMarkdown);
          if (linked.length > 0) await bindLinks(tx, blog, linked);
          await bindLinksToNewBlog(tx, blog);
          return linked.length > 0 ? presentBlog(tx, blog) : { ...blog, aliases: [] };
        }),
      ),

    /**
     * Changes the working copy only; equal values change nothing.
     *
     * @returns `changed` when `mayChange` refused its version.
     * @throws a 422 problem for unknown authors.
     */
    edit: (
      projectId: string,
      blogId: string,
      changes: Partial<DatedDraft>,
      given: GivenSlug | undefined,
      mayChange: MayChange = () => true,
    ): Promise<Blog | SlugRefusal | 'not_found' | 'changed'> =>
      orSlugRefused(
        database.$transaction(async (tx) => {
          const holder = given === undefined ? null : await lockHolder(tx, projectId, given, blogId);
          const blog = await lockBlog(tx, projectId, blogId);
          if (!blog || blog.state === 'deleted') return 'not_found';
          if (!mayChange(blog.version, blog.publishAt !== null)) return 'changed';
          const named = { ...changes, ...(await withAuthors(tx, projectId, changes, extras.of(blog.extra).authors)) };
          return presentBlog(
            tx,
            await writeWorkingCopy(tx, blog, { changes: named, slug: given, holder, now: clock() }),
          );
        }),
      ),

    /** Null for a blog that is not the project's, or deleted. */
    async find(projectId: string, blogId: string): Promise<Blog | null> {
      const blog = await database.blog.findFirst({ where: { id: blogId, projectId, state: { not: 'deleted' } } });
      return blog && presentBlog(database, blog);
    },

    /** The blog that holds the slug: of its working copy, of what is published, or as an alias. */
    async findBySlug(projectId: string, slug: string): Promise<Blog | null> {
      const claimed = await database.slugClaim.findUnique({ where: { projectId_slug: { projectId, slug } } });
      if (!claimed) return null;
      const where = { id: claimed.blogId, projectId, state: { not: 'deleted' } };
      const blog = await database.blog.findFirst({ where });
      return blog && presentBlog(database, blog);
    },
  };
}

/** The extra fields of a draft that gives authors, with the slugs that these have now. */
async function withAuthors(
  tx: Transaction,
  projectId: string,
  { extra }: Partial<DatedDraft>,
  before?: readonly string[],
): Promise<Pick<Partial<DatedDraft>, 'extra'>> {
  const { authors } = extra ?? {};
  return authors ? { extra: { ...extra, authors: await nameAuthors(tx, projectId, authors, before) } } : {};
}
