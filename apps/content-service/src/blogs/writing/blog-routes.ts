import { blogCreateRequest, blogListQuery, blogUpdateRequest } from '@blog-content/payload-schemas';
import {
  conflict,
  etagOf,
  notFound,
  parseBody,
  parseQuery,
  preconditionFailed,
  readId,
  readIfMatch,
  readPage,
  toPage,
} from '@blog-content/service-runtime';
import { Router } from 'express';
import type { ContentWork } from '../../content/content-work.ts';
import { MAX_BLOGS } from '../../limits.ts';
import { callerId, callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent, type Reply } from '../../platform/idempotency/idempotent.ts';
import type { Blog, BlogStore } from './blog-store.ts';
import { checkGivenSlug, draftChanges, newDraft } from './draft.ts';
import { showBlog, showBlogItem, type LivePostStore } from './show-blog.ts';

export interface BlogRoutesDependencies {
  readonly blogs: BlogStore;
  readonly contentWork: Pick<ContentWork, 'clean'>;
  readonly outcomes: LivePostStore;
  readonly idempotency: IdempotencyStore;
}

/** `/blogs` of a project: writing, not publishing. */
export function createBlogRoutes({ blogs, contentWork, outcomes, idempotency }: BlogRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });
  const reply = replyWithBlog(outcomes);

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    const filter = parseQuery(blogListQuery, req.query);
    res.json(toPage(await blogs.list(callerOf(res).projectId, page, filter), page.limit, showBlogItem));
  });

  routes.post('/', async (req, res, next) => {
    const request = parseBody(blogCreateRequest, req.body);
    const slug = request.slug === undefined ? null : checkGivenSlug(request.slug);
    const { projectId } = callerOf(res);
    // Before the transaction that makes it happen once: this may take its time, and that holds a connection.
    const draft = newDraft(request, await contentWork.clean(projectId, request));
    const create = idempotent(idempotency, callerId, async () => {
      const blog = await blogs.create(projectId, draft, slug);
      if (blog === 'no_project') throw notFound('No such project.');
      if (blog === 'slug_taken') throw slugTaken(request.slug);
      if (blog === 'too_many') throw conflict(`A project has at most ${MAX_BLOGS} blogs: delete some first.`);
      res.locals.log['blog_id'] = blog.id;
      return reply(blog, 201, { Location: `${req.baseUrl}/${blog.id}` });
    });
    await create(req, res, next);
  });

  routes.get('/:blogId', async (req, res) => {
    const blog = await blogs.find(callerOf(res).projectId, readId(req.params.blogId, 'blog'));
    if (!blog) throw noBlog();
    const { headers, body } = await reply(blog);
    res.set(headers).json(body);
  });

  routes.patch('/:blogId', async (req, res) => {
    const blogId = readId(req.params.blogId, 'blog');
    const ifMatch = readIfMatch(req);
    const request = parseBody(blogUpdateRequest, req.body);
    const slug = request.slug === undefined ? undefined : checkGivenSlug(request.slug);
    const { projectId } = callerOf(res);
    const changes = draftChanges(request, await contentWork.clean(projectId, request));
    const blog = await blogs.edit(projectId, blogId, changes, slug, ifMatch);
    if (blog === 'not_found') throw noBlog();
    if (blog === 'slug_taken') throw slugTaken(request.slug);
    if (blog === 'changed') throw preconditionFailed('blog');
    const { headers, body } = await reply(blog);
    res.set(headers).json(body);
  });
  return routes;
}

/** Makes the answer that shows a blog, with its version as `ETag`. */
export function replyWithBlog(outcomes: LivePostStore) {
  return async (blog: Blog, status = 200, headers: Record<string, string> = {}) =>
    ({
      status,
      headers: { ...headers, ETag: etagOf(blog.version) },
      body: showBlog(blog, await outcomes.livePosts(blog)),
    }) satisfies Reply;
}

export const noBlog = () => notFound('No such blog.');

export const slugTaken = (slug: string | undefined) =>
  conflict(`The slug “${slug ?? ''}” is taken by another blog of the project: choose another.`);
