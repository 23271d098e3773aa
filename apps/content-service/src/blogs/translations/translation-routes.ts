import { translationCreateRequest, translationSourceRequest } from '@blog-content/payload-schemas';
import { parseBody, readId } from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import { callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import { replyWithBlog } from '../writing/blog-routes.ts';
import type { LivePostStore } from '../writing/show-blog.ts';
import type { SiblingStore } from './sibling-store.ts';
import { createTranslationActions } from './translation-actions.ts';

export interface TranslationRoutesDependencies {
  readonly siblings: SiblingStore;
  readonly idempotency: IdempotencyStore<{ readonly siblings: SiblingStore; readonly outcomes: LivePostStore }>;
}

/** `/blogs/:blogId/translations`: a post in other languages. A post of another project is 404, even for a bad body. */
export function createTranslationRoutes(dependencies: TranslationRoutesDependencies): Router {
  const actions = createTranslationActions(dependencies);
  const routes = Router({ mergeParams: true });

  routes.get('/blogs/:blogId/translations', async (req, res) => {
    res.json(await actions.list(...postOf(req, res)));
  });

  routes.post(
    '/blogs/:blogId/translations',
    idempotent(dependencies.idempotency, callerOf, async (req, res, stores) => {
      const actionsOfStores = createTranslationActions(stores);
      await actionsOfStores.list(...postOf(req, res));
      const { language } = parseBody(translationCreateRequest, req.body);
      const blog = await actionsOfStores.create(...postOf(req, res), language);
      res.locals.log['blog_id'] = blog.id;
      const blogs = req.baseUrl + req.path.replace(/\/[^/]+\/translations\/?$/, '');
      return replyWithBlog(stores.outcomes, blog, 201, { Location: `${blogs}/${blog.id}` });
    }),
  );

  routes.put('/blogs/:blogId/translations/source', async (req, res) => {
    await actions.list(...postOf(req, res));
    const { blog_id: sourceId } = parseBody(translationSourceRequest, req.body);
    res.json(await actions.confirm(...postOf(req, res), sourceId));
  });
  return routes;
}

const postOf = (req: Request, res: Response) =>
  [callerOf(res).projectId, readId(req.params['blogId'], 'post')] as const;
