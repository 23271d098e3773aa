import { publishListQuery, publishRequest } from '@blog-content/payload-schemas';
import { parseBody, parseQuery, readId, readIfMatch, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import type { ContentWork } from '../../content/content-work.ts';
import { callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import { noBlog } from '../writing/blog-actions.ts';
import { replyWithBlog } from '../writing/blog-routes.ts';
import type { BlogStore } from '../writing/blog-store.ts';
import type { LivePostStore } from '../writing/show-blog.ts';
import type { DeliveryOutcomeStore } from './delivery-outcome-store.ts';
import { createPublishActions, refusal, type PublishActionsDependencies } from './publish-actions.ts';
import type { ChangeRequest, PublishStore } from './publish-store.ts';
import { withReadyContent } from './ready-content.ts';
import { showPublish } from './show-publish.ts';

export interface PublishRoutesDependencies {
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly publishing: PublishStore;
  readonly contentWork: Pick<ContentWork, 'publish'>;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find' | 'list'>;
  readonly idempotency: IdempotencyStore<PublishActionsDependencies & { readonly outcomes: LivePostStore }>;
}

/** Publishing in a project, one blog at a time. */
export function createPublishRoutes(dependencies: PublishRoutesDependencies): Router {
  const { blogs, publishing, contentWork, outcomes, idempotency } = dependencies;
  const actions = createPublishActions(dependencies);
  const routes = Router({ mergeParams: true });

  for (const command of ['publish', 'sync'] as const) {
    routes.post(`/blogs/:blogId/${command}`, (req, res, next) =>
      withReadyContent(contentWork, async (ready) => {
        const publishOnce = idempotent(idempotency, callerOf, async (_req, _res, stores) => {
          const request = changeRequest(req, res);
          const dated = parseBody(publishRequest, req.body ?? {});
          const answer = await createPublishActions(stores).publish(request, command, dated, ready);
          const about = { blogId: answer.blog_id };
          if (answer.status === 'scheduled') {
            const headers = { Location: `${req.baseUrl}/blogs/${answer.blog_id}` };
            return { status: 202, headers, body: answer, about };
          }
          res.locals.log['publish_id'] = answer.id;
          return { status: 202, headers: { Location: publishPath(req, answer.id) }, body: answer, about };
        });
        await publishOnce(req, res, next);
      }),
    );
  }

  routes.post(
    '/blogs/:blogId/unpublish',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const blog = await createPublishActions(stores).unpublish(changeRequest(req, res));
      return replyWithBlog(stores.outcomes, blog);
    }),
  );

  routes.delete('/blogs/:blogId', async (req, res) => {
    const outcome = await publishing.delete(changeRequest(req, res));
    if ('refused' in outcome) throw refusal(outcome);
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
    res.json(await actions.find(callerOf(res).projectId, readId(req.params.publishId, 'publish')));
  });
  return routes;
}

function changeRequest(req: Request, res: Response): ChangeRequest {
  const { projectId, id: requestedBy, trigger } = callerOf(res);
  const blogId = readId(req.params['blogId'], 'post');
  res.locals.log['blog_id'] = blogId;
  return { projectId, blogId, trigger, requestedBy, ifMatch: readIfMatch(req) };
}

function publishPath(req: Request, publishId: string): string {
  return `${req.baseUrl}/publishes/${publishId}`;
}
