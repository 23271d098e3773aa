import { queryInteger, restoreRequest } from '@blog-content/payload-schemas';
import { parseBody, parseQuery, readId, readIfMatch, readPage } from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { ContentWork } from '../../content/content-work.ts';
import { callerOf } from '../../platform/http/caller.ts';
import { changesBy } from '../../platform/http/permission.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import { replyWithBlog } from '../writing/blog-routes.ts';
import type { Blog } from '../writing/blog-store.ts';
import type { LivePostStore } from '../writing/show-blog.ts';
import { diffFields } from './diff-fields.ts';
import { createRevisionActions, noRevision, type RevisionActionsDependencies } from './revision-actions.ts';
import { showRevision } from './show-revision.ts';

export interface RevisionRoutesDependencies extends RevisionActionsDependencies {
  readonly contentWork: Pick<ContentWork, 'diff'>;
  readonly idempotency: IdempotencyStore<RevisionActionsDependencies & { readonly outcomes: LivePostStore }>;
}

/** A revision's number, as the database holds it. */
const REVISION_POSITION = /^\d{1,9}$/;
const revisionNumber = queryInteger({ min: 1, max: 2 ** 31 - 1 });
const diffQuery = z.object({ to: revisionNumber.optional() });

/** `/blogs/:blogId/revisions`: the history of a blog, and the way back. */
export function createRevisionRoutes(dependencies: RevisionRoutesDependencies): Router {
  const { contentWork, idempotency } = dependencies;
  const actions = createRevisionActions(dependencies);
  const routes = Router({ mergeParams: true });

  routes.get('/blogs/:blogId/revisions', async (req, res) => {
    const page = readPage(req.query, REVISION_POSITION);
    res.json(await actions.list(callerOf(res).projectId, readId(req.params.blogId, 'post'), page));
  });

  routes.get('/blogs/:blogId/revisions/:number', async (req, res) => {
    res.json(showRevision(await actions.find(await blogOf(req, res), readNumber(req))));
  });

  routes.get('/blogs/:blogId/revisions/:number/diff', async (req, res) => {
    const { to } = parseQuery(diffQuery, req.query);
    const blog = await blogOf(req, res);
    const from = await actions.find(blog, readNumber(req));
    const after = to === undefined ? blog : await actions.find(blog, to);
    const content = await contentWork.diff(blog.projectId, from.content, after.content);
    res.json({ from: from.number, to: to ?? 'working_copy', fields: diffFields(from, after), content });
  });

  routes.post(
    '/blogs/:blogId/revisions/:number/restore',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const { keep_slug: keepSlug } = parseBody(restoreRequest, req.body ?? {});
      const blogId = readId(req.params['blogId'], 'post');
      const caller = callerOf(res);
      const { projectId } = caller;
      const mayChange = changesBy(caller, readIfMatch(req));
      const request = { projectId, blogId, number: readNumber(req), keepSlug, mayChange };
      return replyWithBlog(stores.outcomes, await createRevisionActions(stores).restore(request));
    }),
  );
  return routes;

  function blogOf(req: Request, res: Response): Promise<Blog> {
    return actions.blogOf(callerOf(res).projectId, readId(req.params['blogId'], 'post'));
  }
}

function readNumber(req: Request): number {
  const number = revisionNumber.safeParse(req.params['number']);
  if (!number.success) throw noRevision();
  return number.data;
}
