import { withoutPlaceholders } from '@blog-content/link-resolver';
import {
  extras,
  MAX_ALIASES,
  type BlogCreateRequest,
  type blogCountsQuery,
  type blogListQuery,
  type BlogUpdateRequest,
} from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  preconditionFailed,
  toPage,
  type OperationalError,
  type Page,
} from '@blog-content/service-runtime';
import type { z } from 'zod';
import { checkGivenData, type GivenDataDependencies } from '../data/check-given-data.ts';
import type { ContentWork } from '../../content/content-work.ts';
import { MAX_BLOGS } from '../../limits.ts';
import type { MayChange } from '../../platform/http/permission.ts';
import type { BlogStore } from './blog-store.ts';
import { checkGivenSlug, draftChanges, newDraft } from './draft.ts';
import { showBlogItem } from './show-blog.ts';
import type { SlugRefusal } from '../slugs/slug-claim-store.ts';
import type { Blog } from '../blog-row.ts';
import type { GivenSlug } from './working-copy-store.ts';

export interface BlogActionsDependencies {
  readonly blogs: Pick<BlogStore, 'list' | 'count' | 'find' | 'findBySlug' | 'edit'>;
  readonly dataFields: GivenDataDependencies['dataFields'];
  readonly contentWork: Pick<ContentWork, 'clean'>;
}

/** Writing, as routes and agents' tools do it alike: refusals are thrown as problems. */
export type BlogActions = ReturnType<typeof createBlogActions>;

export function createBlogActions({ blogs, contentWork, dataFields }: BlogActionsDependencies) {
  /** The request with its data as it is stored. @param blogId of the post that has data already. */
  async function withData<Request extends BlogUpdateRequest>(
    projectId: string,
    request: Request,
    blogId?: string,
  ): Promise<Request> {
    if (request.data === undefined) return request;
    const blog = blogId === undefined ? null : await blogs.find(projectId, blogId);
    const { data: stored } = extras.of(blog?.extra);
    return { ...request, data: await checkGivenData({ dataFields, blogs }, projectId, request.data, stored) };
  }

  return {
    list: async (projectId: string, page: Page, filter: z.infer<typeof blogListQuery>) =>
      toPage(await blogs.list(projectId, page, filter), page.limit, showBlogItem),

    count: (projectId: string, filter: z.infer<typeof blogCountsQuery>) => blogs.count(projectId, filter),

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
      given: BlogCreateRequest,
    ): Promise<(blogs: Pick<BlogStore, 'create'>) => Promise<Blog>> {
      const request = await withData(projectId, given);
      const slug = givenSlug(request) ?? null;
      const draft = newDraft(request, await contentWork.clean(projectId, request));
      return async (store) => {
        const blog = await store.create(projectId, draft, slug);
        if (blog === 'no_project') throw notFound('Project not found.');
        if (blog === 'too_many') throw tooManyBlogs();
        if ('refused' in blog) throw slugRefusal(blog);
        return blog;
      };
    },

    async update(projectId: string, blogId: string, given: BlogUpdateRequest, mayChange: MayChange): Promise<Blog> {
      const request = await withData(projectId, given, blogId);
      const changes = draftChanges(request, await contentWork.clean(projectId, request));
      const blog = await blogs.edit(projectId, blogId, changes, givenSlug(request), mayChange);
      if (blog === 'not_found') throw noBlog();
      if (blog === 'changed') throw preconditionFailed('post');
      if ('refused' in blog) throw slugRefusal(blog);
      return blog;
    },
  };
}

export const noBlog = () => notFound('Post not found.');
export const tooManyBlogs = () => conflict(`Limit reached: ${MAX_BLOGS} posts per project. Delete some first.`);

function givenSlug({ slug, release_alias: releaseAlias }: BlogUpdateRequest): GivenSlug | undefined {
  return slug === undefined ? undefined : { slug: checkGivenSlug(slug), ...(releaseAlias && { releaseAlias }) };
}

/** Why a blog does not get a slug, as a problem that names the post which has it. */
export function slugRefusal(refusal: SlugRefusal): OperationalError {
  const { slug } = refusal;
  if (refusal.refused === 'too_many_aliases') {
    return conflict(`Limit reached: ${MAX_ALIASES} aliases per post. Release one before you rename it again.`);
  }
  const { id, title, isAlias } = refusal.holder;
  const holder = `“${withoutPlaceholders(title)}” (${id})`;
  return conflict(
    isAlias
      ? `The slug “${slug}” is an alias of ${holder}. Choose another, or take it with \`release_alias: true\`.`
      : `The slug “${slug}” is taken by ${holder}. Choose another.`,
  );
}
