import type { Publish as ShownPublish } from '@blog-content/payload-schemas';
import { conflict, notFound, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type Request } from 'express';
import { noBlog, showBlog } from '../blogs/blog-routes.ts';
import type { BlogStore } from '../blogs/blog-store.ts';
import type { DeliveryOutcomeStore, PublishWithDeliveries } from './delivery-outcome-store.ts';
import { publishStatus } from './publish-status.ts';
import type { ChangeRequest, PublishStore, Refusal } from './publish-store.ts';

export interface PublishRoutesDependencies {
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly publishing: PublishStore;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find' | 'list'>;
}

/** Publishing below `/projects/:projectId`. */
export function createPublishRoutes({ blogs, publishing, outcomes }: PublishRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  for (const command of ['publish', 'sync'] as const) {
    routes.post(`/blogs/:blogId/${command}`, async (req, res) => {
      const request = changeRequest(req);
      const made = await publishing.publish(request, command);
      if ('refused' in made) throw refusal(made, 'A sync publishes only what is published: publish the blog first.');
      const publish = await outcomes.find(request.projectId, made.publishId);
      if (!publish) throw new Error('The publish just made is gone.');
      res.locals.log['publish_id'] = publish.id;
      res.status(202).location(publishPath(req, publish.id)).json(showPublish(publish));
    });
  }

  routes.post('/blogs/:blogId/unpublish', async (req, res) => {
    const made = await publishing.unpublish(changeRequest(req));
    if ('refused' in made) throw refusal(made, 'The blog is not published.');
    res.json(showBlog(made.blog));
  });

  routes.delete('/blogs/:blogId', async (req, res) => {
    const made = await publishing.delete(changeRequest(req));
    if ('refused' in made) throw noBlog();
    res.status(204).end();
  });

  routes.get('/blogs/:blogId/publishes', async (req, res) => {
    const page = readPage(req.query);
    const { projectId, blogId } = changeRequest(req);
    if (!(await blogs.find(projectId, blogId))) throw noBlog();
    res.json(toPage(await outcomes.list(projectId, blogId, page), page.limit, showPublish));
  });

  routes.get('/publishes/:publishId', async (req, res) => {
    const { projectId } = req.params as Record<string, string>;
    const publish = await outcomes.find(readId(projectId, 'project'), readId(req.params['publishId'], 'publish'));
    if (!publish) throw notFound('No such publish.');
    res.json(showPublish(publish));
  });
  return routes;
}

/** What a request that carries an owner's session asks to change. */
function changeRequest(req: Request): ChangeRequest {
  return {
    projectId: readId(req.params['projectId'], 'project'),
    blogId: readId(req.params['blogId'], 'blog'),
    trigger: 'manual',
  };
}

function refusal({ refused }: Refusal, notPublished: string): Error {
  return refused === 'not_found' ? noBlog() : conflict(notPublished);
}

function publishPath(req: Request, publishId: string): string {
  return `${req.baseUrl}/publishes/${publishId}`;
}

const NO_URL_NOTICE = 'The receiver returned no public URL for this post.';

/** A publish as its owner sees it. */
function showPublish(publish: PublishWithDeliveries): ShownPublish {
  const { deliveries } = publish;
  return {
    id: publish.id,
    blog_id: publish.blogId,
    project_id: publish.projectId,
    revision: publish.revision,
    trigger: publish.trigger as ShownPublish['trigger'],
    status: publishStatus({ planned: publish.plannedAt !== null, deliveries }),
    requested_at: publish.requestedAt.toISOString(),
    deliveries: deliveries.map((delivery) => ({
      delivery_id: delivery.deliveryId,
      integration_id: delivery.integrationId,
      receiver: delivery.receiver,
      status: delivery.status as ShownPublish['deliveries'][number]['status'],
      reason: delivery.reason,
      detail: delivery.detail,
      attempts: delivery.attempts,
      status_code: delivery.statusCode,
      live_url: delivery.liveUrl,
      external_id: delivery.externalId,
      notice: delivery.status === 'succeeded' && delivery.liveUrl === null ? NO_URL_NOTICE : null,
      finished_at: delivery.finishedAt?.toISOString() ?? null,
    })),
  };
}
