import { blogCountsQuery, blogCreateRequest, blogListQuery, blogUpdateRequest } from '@blog-content/payload-schemas';
import { etagOf, parseBody, parseQuery, readId, readIfMatch, readPage } from '@blog-content/service-runtime';
import { Router } from 'express';
import { callerOf } from '../../platform/http/caller.ts';
import { changesBy, requireAliasPermission } from '../../platform/http/permission.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent, type Reply } from '../../platform/idempotency/idempotent.ts';
import { createBlogActions, type BlogActionsDependencies } from './blog-actions.ts';
import type { Blog, BlogStore } from './blog-store.ts';
import { showBlog, type LivePostStore } from './show-blog.ts';

export interface BlogRoutesDependencies extends BlogActionsDependencies {
  readonly outcomes: LivePostStore;
  readonly idempotency: IdempotencyStore<{
    readonly blogs: Pick<BlogStore, 'create'>;
    readonly outcomes: LivePostStore;
  }>;
}

/** `/blogs` of a project: writing, not publishing. */
export function createBlogRoutes(dependencies: BlogRoutesDependencies): Router {
  const { outcomes, idempotency } = dependencies;
  const actions = createBlogActions(dependencies);
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    const filter = parseQuery(blogListQuery, req.query);
    res.json(await actions.list(callerOf(res).projectId, page, filter));
  });

  routes.get('/counts', async (req, res) => {
    res.json(await actions.count(callerOf(res).projectId, parseQuery(blogCountsQuery, req.query)));
  });

  routes.post('/', async (req, res, next) => {
    const request = parseBody(blogCreateRequest, req.body);
    requireAliasPermission(callerOf(res), request);
    // Before the transaction that makes it happen once: this may take its time, and that holds a connection.
    const makeDraft = await actions.prepareDraft(callerOf(res).projectId, request);
    const create = idempotent(idempotency, callerOf, async (_req, _res, stores) => {
      const blog = await makeDraft(stores.blogs);
      res.locals.log['blog_id'] = blog.id;
      return replyWithBlog(stores.outcomes, blog, 201, { Location: `${req.baseUrl}/${blog.id}` });
    });
    await create(req, res, next);
  });

  routes.get('/:blogId', async (req, res) => {
    const blog = await actions.find(callerOf(res).projectId, readId(req.params.blogId, 'post'));
    const { headers, body } = await replyWithBlog(outcomes, blog);
    res.set(headers).json(body);
  });

  routes.patch('/:blogId', async (req, res) => {
    const blogId = readId(req.params.blogId, 'post');
    const caller = callerOf(res);
    const mayChange = changesBy(caller, readIfMatch(req));
    const request = parseBody(blogUpdateRequest, req.body);
    requireAliasPermission(caller, request);
    const blog = await actions.update(caller.projectId, blogId, request, mayChange);
    const { headers, body } = await replyWithBlog(outcomes, blog);
    res.set(headers).json(body);
  });
  return routes;
}

/** Makes the answer that shows a blog, with its version as `ETag`. */
export async function replyWithBlog(
  outcomes: LivePostStore,
  blog: Blog,
  status = 200,
  headers: Record<string, string> = {},
) {
  return {
    status,
    headers: { ...headers, ETag: etagOf(blog.version) },
    body: showBlog(blog, await outcomes.livePosts(blog)),
    about: { blogId: blog.id },
  } satisfies Reply;
}
