import { publishListQuery, publishRequest } from '@blog-content/payload-schemas';
import { parseBody, parseQuery, readId, readIfMatch, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import { callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import { noBlog } from '../writing/blog-actions.ts';
import { replyWithBlog } from '../writing/blog-routes.ts';
import type { BlogStore } from '../writing/blog-store.ts';
import type { LivePostStore } from '../writing/show-blog.ts';
import type { ChangeRequest } from './change.ts';
import type { DeliveryOutcomeStore } from './delivery-outcome-store.ts';
import type { PublishStore } from './publish-store.ts';
import { findPublish, orRefused, publicationDateOf, showPublish, showPublished } from './show-publish.ts';

export interface PublishRoutesDependencies {
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly publishing: Pick<PublishStore, 'prepare' | 'delete'>;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find' | 'list'>;
  readonly idempotency: IdempotencyStore<{
    readonly publishing: Pick<PublishStore, 'publish' | 'unpublish'>;
    readonly outcomes: LivePostStore;
  }>;
}

/** Publishing in a project, one blog at a time. */
export function createPublishRoutes(dependencies: PublishRoutesDependencies): Router {
  const { blogs, publishing, outcomes, idempotency } = dependencies;
  const routes = Router({ mergeParams: true });

  for (const command of ['publish', 'sync'] as const) {
    routes.post(`/blogs/:blogId/${command}`, async (req, res, next) => {
      const request = changeRequest(req, res);
      const publicationDate = publicationDateOf(parseBody(publishRequest, req.body ?? {}));
      // Before the transaction, which holds a connection.
      const ready = await publishing.prepare(request, command, publicationDate);
      const publish = idempotent(idempotency, callerOf, async (_req, _res, stores) => {
        const made = orRefused(await stores.publishing.publish(request, command, { publicationDate, ready }));
        const body = showPublished(made);
        if ('publish' in made) res.locals.log['publish_id'] = made.publish.id;
        const path = 'publish' in made ? `publishes/${made.publish.id}` : `blogs/${request.blogId}`;
        return {
          status: 202,
          headers: { Location: `${req.baseUrl}/${path}` },
          body,
          about: { blogId: request.blogId },
        };
      });
      await publish(req, res, next);
    });
  }

  routes.post(
    '/blogs/:blogId/unpublish',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const { blog } = orRefused(await stores.publishing.unpublish(changeRequest(req, res)));
      return replyWithBlog(stores.outcomes, blog);
    }),
  );

  routes.delete('/blogs/:blogId', async (req, res) => {
    orRefused(await publishing.delete(changeRequest(req, res)));
    res.status(204).end();
  });

  routes.get('/blogs/:blogId/publishes', async (req, res) => {
    const page = readPage(req.query);
    const { projectId } = callerOf(res);
    const blogId = readId(req.params.blogId, 'post');
    if (!(await blogs.find(projectId, blogId))) throw noBlog();
    res.json(toPage(await outcomes.list(projectId, page, { blog_id: blogId }), page.limit, showPublish));
  });

  routes.get('/publishes', async (req, res) => {
    const page = readPage(req.query);
    const filter = parseQuery(publishListQuery, req.query);
    res.json(toPage(await outcomes.list(callerOf(res).projectId, page, filter), page.limit, showPublish));
  });

  routes.get('/publishes/:publishId', async (req, res) => {
    res.json(await findPublish(outcomes, callerOf(res).projectId, readId(req.params.publishId, 'publish')));
  });
  return routes;
}

function changeRequest(req: Request, res: Response): ChangeRequest {
  const { projectId, id: requestedBy, trigger } = callerOf(res);
  const blogId = readId(req.params['blogId'], 'post');
  res.locals.log['blog_id'] = blogId;
  return { projectId, blogId, trigger, requestedBy, ifMatch: readIfMatch(req) };
}
