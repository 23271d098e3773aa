import type { VisibilityEvent, Trigger } from '@blog-content/payload-schemas';
import type { ReceiverParts } from '../integrations/integration-secrets.ts';
import type { StoredExchange } from '../delivery-log/exchange.ts';
import type { Verdict } from './judge.ts';

/** A delivery that is claimed: its holder may attempt it. */
export interface LeasedDelivery {
  readonly id: string;
  /**
   * Of a lifecycle event, or of a blog's newest one once more: because its owner asked for it, or because what the blog
   * links to has changed.
   */
  readonly kind: 'lifecycle' | 'redelivery' | 'link_changed';
  /** The fencing token: recording, renewing and releasing need it. */
  readonly leaseToken: string;
  /** Number of the attempt that runs, from 1. */
  readonly attempt: number;
  readonly trigger: Trigger;
  readonly lifecycleEventId: string;
  readonly integrationId: string;
  readonly projectId: string;
  readonly blogId: string;
  readonly publishId: string | null;
  /** Name of the lifecycle event, or the webhook event that an earlier attempt sent. */
  readonly event: string;
  /** When the attempt was written down. */
  readonly beganAt: Date;
  readonly traceparent: string | null;
}

/** A delivery just claimed, with all that an attempt needs. */
export interface ClaimedDelivery extends LeasedDelivery, ReceiverParts {
  readonly lifecycleEvent: VisibilityEvent;
  /** When the event happened; where it is repeated, when that was planned. */
  readonly eventTime: Date;
  /** Whether a delivery of this blog to this receiver has succeeded since the last delivered unpublish. */
  readonly receiverHasBlog: boolean;
  /** The slug that the receiver has it under; null where that is not known. */
  readonly receiverSlug: string | null;
}

/** What an attempt needs of the queue. */
export interface AttemptStore {
  /** Records what came of an attempt; false when the lease was lost and the attempt no longer counts. */
  record(held: LeasedDelivery, attempt: AttemptRecord): Promise<boolean>;
  /** Releases a delivery whose attempt was not made, as if it had not been claimed. */
  release(held: LeasedDelivery): Promise<void>;
}

/** What an attempt leaves behind. */
export interface AttemptRecord {
  readonly verdict: Verdict;
  /** The webhook event that was sent. */
  readonly event: string;
  readonly endedAt: Date;
  readonly statusCode: number | null;
  /** From the answer of a success (contract §4.4). */
  readonly liveUrl: string | null;
  readonly externalId: string | null;
  /** The slug that the receiver has the blog under after a success; null when it does not have it. */
  readonly leavesSlug: string | null;
  /** For the delivery log; null where nothing was sent. */
  readonly exchange: StoredExchange | null;
}
