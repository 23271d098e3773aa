import type { BlogCreateRequest, blogListQuery, BlogUpdateRequest } from '@blog-content/payload-schemas';
import { conflict, notFound, preconditionFailed, toPage, type Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { ContentWork } from '../../content/content-work.ts';
import { MAX_BLOGS } from '../../limits.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import type { Blog, BlogStore } from './blog-store.ts';
import { checkGivenSlug, draftChanges, newDraft } from './draft.ts';
import { showBlogItem } from './show-blog.ts';

export interface BlogActionsDependencies {
  readonly blogs: Pick<BlogStore, 'list' | 'find' | 'edit'>;
  readonly contentWork: Pick<ContentWork, 'clean'>;
}

/** Writing, as routes and agents' tools do it alike: refusals are thrown as problems. */
export type BlogActions = ReturnType<typeof createBlogActions>;

export function createBlogActions({ blogs, contentWork }: BlogActionsDependencies) {
  return {
    list: async (projectId: string, page: Page, filter: z.infer<typeof blogListQuery>) =>
      toPage(await blogs.list(projectId, page, filter), page.limit, showBlogItem),

    async find(projectId: string, blogId: string): Promise<Blog> {
      const blog = await blogs.find(projectId, blogId);
      if (!blog) throw noBlog();
      return blog;
    },

    /**
     * Checks and cleans what is to be written, which may take its time. @returns what makes the draft, by a store on a
     * transaction.
     */
    async prepareDraft(
      projectId: string,
      request: BlogCreateRequest,
    ): Promise<(blogs: Pick<BlogStore, 'create'>) => Promise<Blog>> {
      const slug = request.slug === undefined ? null : checkGivenSlug(request.slug);
      const draft = newDraft(request, await contentWork.clean(projectId, request));
      return async (store) => {
        const blog = await store.create(projectId, draft, slug);
        if (blog === 'no_project') throw notFound('No such project.');
        if (blog === 'slug_taken') throw slugTaken(request.slug);
        if (blog === 'too_many') throw conflict(`A project has at most ${MAX_BLOGS} blogs: delete some first.`);
        return blog;
      };
    },

    async update(projectId: string, blogId: string, request: BlogUpdateRequest, mayChange: MayChange): Promise<Blog> {
      const slug = request.slug === undefined ? undefined : checkGivenSlug(request.slug);
      const changes = draftChanges(request, await contentWork.clean(projectId, request));
      const blog = await blogs.edit(projectId, blogId, changes, slug, mayChange);
      if (blog === 'not_found') throw noBlog();
      if (blog === 'slug_taken') throw slugTaken(request.slug);
      if (blog === 'changed') throw preconditionFailed('blog');
      return blog;
    },
  };
}

export const noBlog = () => notFound('No such blog.');

const slugTaken = (slug: string | undefined) =>
  conflict(`The slug “${slug ?? ''}” is taken by another blog of the project: choose another.`);
