import { createFairQueue } from '@blog-content/concurrency';
import { bulkRequest, type schedule } from '@blog-content/payload-schemas';
import { OperationalError, parseBody } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { ContentWork } from '../../content/content-work.ts';
import { callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore, StoredResult } from '../../platform/idempotency/idempotency-store.ts';
import { fingerprintOf, readIdempotencyKey, resultOf } from '../../platform/idempotency/idempotent.ts';
import type { DeliveryOutcomeStore } from './delivery-outcome-store.ts';
import { refusal } from './publish-actions.ts';
import type { ChangeRequest, PublishStore } from './publish-store.ts';
import { withReadyContent, type ReadyContent } from './ready-content.ts';
import { showPublish, showSchedule } from './show-publish.ts';

interface BulkStores {
  readonly publishing: Pick<PublishStore, 'publish' | 'unpublish'>;
}

export interface BulkRoutesDependencies {
  readonly contentWork: Pick<ContentWork, 'publish'>;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find'>;
  readonly idempotency: IdempotencyStore<BulkStores>;
}

/** One blog at a time for each project. How many requests wait is bounded by the project's writes that run at once. */
const ONE_AT_A_TIME = { slotsEach: 1 };

/** What is stored of one blog of a bulk request. */
type ItemResult = { readonly publish_id?: string; readonly scheduled?: z.infer<typeof schedule> };

/**
 * `/blogs/publish` and `/blogs/unpublish`: up to 100 blogs, one after the other, each in a transaction of its own, so
 * that one refusal does not stop the others. With an `Idempotency-Key` each blog's result is stored by itself: a
 * repetition of a request that was cut off goes on where it ended, and does nothing twice. The bulk requests of one
 * project take turns blog by blog, because several at once, with long posts, would block the event loop for everybody.
 */
export function createBulkRoutes(dependencies: BulkRoutesDependencies): Router {
  const { contentWork, outcomes, idempotency } = dependencies;
  const routes = Router({ mergeParams: true });
  const turns = createFairQueue(ONE_AT_A_TIME);

  routes.post(
    '/blogs/publish',
    forEachBlog(async ({ publishing }, request, ready) => {
      const made = await publishing.publish(request, 'publish', { ready });
      if ('refused' in made) throw refusal(made);
      return 'scheduled' in made ? { scheduled: showSchedule(made.scheduled) } : { publish_id: made.publishId };
    }),
  );
  routes.post(
    '/blogs/unpublish',
    forEachBlog(async ({ publishing }, request) => {
      const made = await publishing.unpublish(request);
      if ('refused' in made) throw refusal(made);
      return {};
    }),
  );
  return routes;

  function forEachBlog(
    change: (stores: BulkStores, request: ChangeRequest, ready: ReadyContent | undefined) => Promise<ItemResult>,
  ): RequestHandler {
    return async (req, res) => {
      const key = readIdempotencyKey(req);
      const { blog_ids: blogIds } = parseBody(bulkRequest, req.body);
      const { projectId, id: callerId, trigger } = callerOf(res);
      const fingerprint = fingerprintOf(req);
      const results: object[] = [];
      // Checked before anything is done: the whole request must be the one that had this key before.
      if (key !== null) {
        const asWhole = { callerId, key, item: '', fingerprint };
        resultOf(await idempotency.once(asWhole, () => Promise.resolve({})));
      }
      for (const given of blogIds) {
        const blogId = given.toLowerCase();
        const request = { projectId, blogId, trigger, requestedBy: callerId };
        const endTurn = await turns.enter(projectId);
        try {
          const done: ItemResult = await withReadyContent(contentWork, async (ready) => {
            const once = key === null ? null : { callerId, key, item: blogId, fingerprint };
            return resultOf<StoredResult>(await idempotency.once(once, (stores) => change(stores, request, ready)));
          });
          results.push({ blog_id: blogId, ok: true, ...(await shown(projectId, done)) });
        } catch (error) {
          if (!(error instanceof OperationalError)) throw error;
          const { title, status, detail } = error;
          results.push({ blog_id: blogId, ok: false, problem: { title, status, detail } });
        } finally {
          endTurn();
        }
      }
      res.locals.log['blogs'] = results.length;
      res.json({ results });
    };
  }

  async function shown(projectId: string, { publish_id: publishId, scheduled }: ItemResult): Promise<object> {
    if (scheduled !== undefined) return { publish: { status: 'scheduled', ...scheduled } };
    if (publishId === undefined) return {};
    const publish = await outcomes.find(projectId, publishId);
    // It may be gone when an old request is repeated: only a blog's last thousand are kept.
    return publish ? { publish: showPublish(publish) } : {};
  }
}
