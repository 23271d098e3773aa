import { effectOf, eventsThat, type VisibilityEvent, type redeliveryRefusal } from '@blog-content/payload-schemas';
import { conflict, type OperationalError } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { ShownDelivery } from '../delivery-log/delivery-log-store.ts';

export type RedeliveryRefusal = z.infer<typeof redeliveryRefusal>;

/** What decides whether a blog may be delivered to a receiver once more. */
export interface RedeliveryRequest {
  readonly kind: ShownDelivery['kind'];
  /** The webhook event of the delivery that is to be repeated. */
  readonly event: string;
  /** Whether the receiver is switched on, and there. */
  readonly isActive: boolean;
  /** Whether a delivery of the blog to the receiver has not ended: planned, in flight, or waiting for a retry. */
  readonly isUnderWay: boolean;
  /** The newest lifecycle event of the blog; null when its content is not known, as for one planned long ago. */
  readonly newest: VisibilityEvent['event'] | null;
}

/** Events that say that a post is gone; every other event brings it. */
const HIDING: readonly string[] = eventsThat('hides');

/**
 * Decides whether a delivery may be repeated, and why not. A receiver gets what is true now: the published post, or the
 * news that it is gone, if that is what it missed. It never gets a post back that was taken down since.
 */
export function judgeRedelivery(request: RedeliveryRequest): RedeliveryRefusal | null {
  if (request.kind === 'test' || request.kind === 'sample') return 'not_of_a_blog';
  if (!request.isActive) return 'integration_inactive';
  if (request.isUnderWay) return 'not_ended';
  if (request.newest === null) return 'content_unknown';
  const wasOfPost = !HIDING.includes(request.event);
  return wasOfPost && effectOf(request.newest) !== 'shows' ? 'not_published' : null;
}

const DETAILS: Readonly<Record<RedeliveryRefusal, string>> = {
  not_ended: 'A delivery of this post to this receiver is still in progress. It sends the currently published content.',
  not_of_a_blog: 'This was a test without a post. Run the test again instead.',
  integration_inactive: 'The receiver is inactive or deleted. Activate it first.',
  not_published: 'The post is no longer published, so it is not sent again.',
  content_unknown: 'The published content of this post is no longer stored. Publish the post again.',
};

/** One sentence for people. */
export const refusalDetail = (reason: RedeliveryRefusal): string => DETAILS[reason];

/** The 409 of a refusal. */
export const refusalConflict = (reason: RedeliveryRefusal): OperationalError => conflict(DETAILS[reason]);
