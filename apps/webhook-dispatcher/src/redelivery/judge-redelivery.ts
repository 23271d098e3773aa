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
  not_ended: 'A delivery of this blog to this receiver has not ended yet: it brings what is published now.',
  not_of_a_blog: 'This was a test, of no blog: run the test again instead.',
  integration_inactive: 'The receiver is switched off or deleted: activate it first.',
  not_published: 'The blog is no longer published: the receiver is not to get it back.',
  content_unknown: 'What is published now is not at hand for a blog published this long ago: publish it again.',
};

/** One sentence for people. */
export const refusalDetail = (reason: RedeliveryRefusal): string => DETAILS[reason];

/** The 409 of a refusal. */
export const refusalConflict = (reason: RedeliveryRefusal): OperationalError => conflict(DETAILS[reason]);
