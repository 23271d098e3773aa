import type { Publish as ShownPublish, schedule } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { PublishWithDeliveries } from './delivery-outcome-store.ts';
import { publishStatus } from './publish-status.ts';
import type { Schedule } from './schedule-change-store.ts';

const NO_URL_NOTICE = 'The endpoint returned no public URL for this post.';

/** A publish as its owner sees it. */
export function showPublish(publish: PublishWithDeliveries): ShownPublish {
  const { deliveries, blog } = publish;
  return {
    id: publish.id,
    blog_id: publish.blogId,
    blog_title: blog.title,
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
export function showSchedule({ blogId, title, publishAt, trigger }: Schedule): z.infer<typeof schedule> {
  return { blog_id: blogId, title, publish_at: publishAt.toISOString(), trigger };
}
