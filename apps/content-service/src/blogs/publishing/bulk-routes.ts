import { bulkRequest, type schedule } from '@blog-content/payload-schemas';
import { OperationalError, parseBody } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import { callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { fingerprintOf, readIdempotencyKey, resultOf } from '../../platform/idempotency/idempotent.ts';
import type { DeliveryOutcomeStore } from './delivery-outcome-store.ts';
import type { ChangeRequest, Published } from './change.ts';
import type { PublishStore } from './publish-store.ts';
import { orRefused, showPublish, showPublished, showSchedule } from './show-publish.ts';

interface BulkStores {
  readonly publishing: Pick<PublishStore, 'publish' | 'unpublish'>;
}

export interface BulkRoutesDependencies {
  readonly publishing: Pick<PublishStore, 'prepare'>;
  readonly outcomes: Pick<DeliveryOutcomeStore, 'find'>;
  readonly idempotency: IdempotencyStore<BulkStores>;
}

/** What is stored of one blog of a bulk request. */
type ItemResult = { readonly publish_id?: string; readonly scheduled?: z.infer<typeof schedule> };
type Once = (work: (stores: BulkStores) => Promise<ItemResult>) => Promise<ItemResult>;

/**
 * `/blogs/publish` and `/blogs/unpublish`: up to 100 blogs, one after the other, each in a transaction of its own, so
 * that one refusal does not stop the others. With an `Idempotency-Key` each blog's result is stored by itself: a
 * repetition of a request that was cut off goes on where it ended, and does nothing twice.
 */
export function createBulkRoutes(dependencies: BulkRoutesDependencies): Router {
  const { publishing, outcomes, idempotency } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.post(
    '/blogs/publish',
    forEachBlog(async (request, once) => {
      const ready = await publishing.prepare(request, 'publish');
      let fresh: Published | undefined;
      const stored = await once(async (stores) => {
        fresh = orRefused(await stores.publishing.publish(request, 'publish', { ready }));
        return 'scheduled' in fresh ? { scheduled: showSchedule(fresh.scheduled) } : { publish_id: fresh.publish.id };
      });
      return fresh ? { publish: showPublished(fresh) } : showStored(request.projectId, stored);
    }),
  );
  routes.post(
    '/blogs/unpublish',
    forEachBlog((request, once) =>
      once(async (stores) => {
        orRefused(await stores.publishing.unpublish(request));
        return {};
      }),
    ),
  );
  return routes;

  /** @param change `once`: does the work of one blog once for each `Idempotency-Key`. */
  function forEachBlog(change: (request: ChangeRequest, once: Once) => Promise<object>): RequestHandler {
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
        const once: Once = async (work) =>
          key === null
            ? work(idempotency.stores)
            : resultOf(await idempotency.once({ callerId, key, item: blogId, fingerprint }, work));
        try {
          results.push({ blog_id: blogId, ok: true, ...(await change(request, once)) });
        } catch (error) {
          if (!(error instanceof OperationalError)) throw error;
          const { title, status, detail } = error;
          results.push({ blog_id: blogId, ok: false, problem: { title, status, detail } });
        }
      }
      res.locals.log['blogs'] = results.length;
      res.json({ results });
    };
  }

  /** The result of an earlier request with the same key. */
  async function showStored(projectId: string, { publish_id: publishId, scheduled }: ItemResult): Promise<object> {
    if (scheduled !== undefined) return { publish: { status: 'scheduled', ...scheduled } };
    const publish = publishId === undefined ? null : await outcomes.find(projectId, publishId);
    // It may be gone: only a blog's last thousand are kept.
    return publish ? { publish: showPublish(publish) } : {};
  }
}
