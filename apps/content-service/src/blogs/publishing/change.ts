import type { Trigger } from '@blog-content/payload-schemas';
import type { IfMatch } from '@blog-content/service-runtime';
import type { ContentToPublish, PublishedContent } from '../../content/published-content.ts';
import type { FullQuota } from '../../quotas/quota-reached.ts';
import type { Decided } from './lifecycle.ts';
import type { PublishWithDeliveries } from './delivery-outcome-store.ts';
import type { Schedule } from './schedule-change-store.ts';

/** A change of a blog's lifecycle, as somebody asks for it. */
export interface ChangeRequest {
  readonly projectId: string;
  readonly blogId: string;
  /** From the credential, never from the body. */
  readonly trigger: Trigger;
  /** The account or the agent key. */
  readonly requestedBy: string;
  /** Refuses versions of the working copy that the caller has not seen. */
  readonly ifMatch?: IfMatch;
}

export interface PublishOptions {
  /** Sets the publication date of the working copy with the publish; null clears it. */
  readonly publicationDate?: Date | null | undefined;
  /** What preparing the same publish returned. */
  readonly ready?: ReadyContent | undefined;
}

/** The published form of a large content. */
export interface ReadyContent {
  readonly source: ContentToPublish;
  readonly published: PublishedContent;
}

/** A publish with no delivery planned yet. */
export type NewPublish = Omit<PublishWithDeliveries, 'position'>;
/** The result of a publish: a schedule when the post is dated in the future. */
export type Published = { readonly publish: NewPublish } | { readonly scheduled: Schedule };

/** Said where a large content changes faster than it is prepared. */
export const CONTENT_CHANGED = 'The post changed while it was being published. Publish it again.';

/** Refused by a quota of publishes that the administrator set. */
export interface QuotaRefusal {
  readonly refused: 'quota';
  readonly full: FullQuota;
  readonly now: Date;
}

export interface OtherRefusal {
  /**
   * `too_far_ahead`: of a date that a schedule would have; `too_many`: schedules; `content_changed`: a large content,
   * since it was prepared; `suspended`: the project, by an administrator.
   */
  readonly refused:
    | 'not_found'
    | 'suspended'
    | 'changed'
    | 'too_far_ahead'
    | 'too_many'
    | 'content_changed'
    | Decided<'refused'>['because'];
}

export type Refusal = QuotaRefusal | OtherRefusal;
