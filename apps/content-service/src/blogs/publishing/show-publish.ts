import {
  extras,
  type Publish as ShownPublish,
  type PublishAnswer,
  type publishRequest,
  type schedule,
} from '@blog-content/payload-schemas';
import { conflict, notFound, preconditionFailed, projectSuspended, unprocessable } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { MAX_SCHEDULES } from '../../limits.ts';
import { quotaReached } from '../../quotas/quota-reached.ts';
import { noBlog } from '../writing/blog-actions.ts';
import { CONTENT_CHANGED, type NewPublish, type Published, type Refusal } from './change.ts';
import type { DeliveryOutcomeStore } from './delivery-outcome-store.ts';
import type { Schedule } from './schedule-change-store.ts';

/** The publication date that a request sets; undefined where it sets none. */
export const publicationDateOf = ({ published_at: given }: z.infer<typeof publishRequest>) =>
  typeof given === 'string' ? new Date(given) : given;

/** The result of a change. @throws a problem that says why it was refused. */
export function orRefused<Made extends object>(outcome: Made | Refusal): Made {
  if ('refused' in outcome) throw problemOf(outcome);
  return outcome;
}

function problemOf(refusal: Refusal) {
  if (refusal.refused === 'quota') return quotaReached(refusal.full, refusal.now);
  switch (refusal.refused) {
    case 'not_found':
    case 'deleted':
      return noBlog();
    case 'suspended':
      return projectSuspended();
    case 'not_published':
      return conflict('The post is not published.');
    case 'changed':
      return preconditionFailed('post');
    case 'content_changed':
      return conflict(CONTENT_CHANGED);
    case 'dated_ahead':
      return conflict(
        'The post is published, but its publication date is in the future. Change `published_at`, or unpublish the post first.',
      );
    case 'too_far_ahead':
      return unprocessable([
        { field: 'published_at', message: 'must be at most two years ahead to schedule the post' },
      ]);
    case 'too_many':
      return conflict(`Limit reached: ${MAX_SCHEDULES} scheduled publishes per project.`);
  }
}

/** @throws a 404 problem when there is no such publish. */
export async function findPublish(
  outcomes: Pick<DeliveryOutcomeStore, 'find'>,
  projectId: string,
  publishId: string,
): Promise<ShownPublish> {
  const publish = await outcomes.find(projectId, publishId);
  if (!publish) throw notFound('Publish not found.');
  return showPublish(publish);
}

/** The result of a publish. */
export const showPublished = (made: Published): PublishAnswer =>
  'scheduled' in made ? { status: 'scheduled', ...showSchedule(made.scheduled) } : showPublish(made.publish);

const NO_URL_NOTICE = 'The endpoint returned no public URL for this post.';

/** A publish as its owner sees it. */
export function showPublish(publish: NewPublish): ShownPublish {
  const { deliveries, blog } = publish;
  return {
    id: publish.id,
    blog_id: publish.blogId,
    blog_title: blog.title,
    blog_language: extras.of(blog.extra).language,
    blog_state: blog.state as ShownPublish['blog_state'],
    project_id: publish.projectId,
    revision: publish.revision,
    trigger: publish.trigger as ShownPublish['trigger'],
    status: publishStatus({ planned: publish.plannedAt !== null, deliveries }),
    requested_at: publish.requestedAt.toISOString(),
    scheduled_for: publish.scheduledFor?.toISOString() ?? null,
    served_at: publish.servedAt?.toISOString() ?? null,
    live: publish.servedAt !== null && blog.state === 'published' && blog.revision === publish.revision,
    deliveries: deliveries.map((delivery) => ({
      delivery_id: delivery.deliveryId,
      integration_id: delivery.integrationId,
      receiver: delivery.receiver,
      status: delivery.status as ShownPublish['deliveries'][number]['status'],
      reason: delivery.reason,
      detail: delivery.detail,
      attempts: delivery.attempts,
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      status_code: delivery.statusCode,
      live_url: delivery.liveUrl,
      external_id: delivery.externalId,
      notice: delivery.status === 'succeeded' && delivery.liveUrl === null ? NO_URL_NOTICE : null,
      finished_at: delivery.finishedAt?.toISOString() ?? null,
      recovered_at: delivery.status === 'failed' ? (delivery.recoveredAt?.toISOString() ?? null) : null,
    })),
  };
}

/** A publish that is to come. */
export function showSchedule({ blogId, title, language, publishAt, trigger }: Schedule): z.infer<typeof schedule> {
  return { blog_id: blogId, title, language, publish_at: publishAt.toISOString(), trigger };
}

/** A publish as far as its status goes. */
export interface PublishOutcome {
  /** Whether the dispatcher has said which deliveries there are. */
  readonly planned: boolean;
  readonly deliveries: readonly { readonly status: string }[];
}

/**
 * The status of a publish, worked out from its deliveries (contract §3.1): one failed delivery fails it, a
 * superseded one does not, and with no integration it succeeds.
 */
export function publishStatus({ planned, deliveries }: PublishOutcome): 'pending' | 'succeeded' | 'failed' {
  if (deliveries.some(({ status }) => status === 'failed')) return 'failed';
  if (!planned || deliveries.some(({ status }) => status === 'pending')) return 'pending';
  return 'succeeded';
}
