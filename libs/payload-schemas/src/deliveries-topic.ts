import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { defineTopic } from './topic.ts';

const ofLifecycleEvent = {
  project_id: z.uuid(),
  blog_id: z.uuid(),
  lifecycle_event_id: z
    .uuid()
    .describe('If a post is resent with updated links, this is not an event of `blog.lifecycle`.'),
  publish_id: z.uuid().nullable().describe('Null for unpublishes, deletes and posts resent with updated links.'),
};

const ofRedelivery = {
  redelivered_publish_id: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      'Only for posts resent with updated links: the publish whose content is sent again, or null for an unpublish or a delete. The result does not affect that publish.',
    ),
};

/** The dispatcher has planned one delivery per active integration for a lifecycle event: maybe none. */
export const deliveriesPlannedEvent = z.object({
  event: z.literal('deliveries.planned'),
  ...ofLifecycleEvent,
  ...ofRedelivery,
  deliveries: z.array(
    z.object({
      delivery_id: z.uuid(),
      integration_id: z.uuid(),
      receiver: z.string().describe('Host of the receiver, to recognize it by.'),
    }),
  ),
});

/**
 * An attempt has failed, and the next one is planned: of an autopilot delivery, or a manual one that is retried
 * (contract §3).
 */
export const deliveryRetryPlannedEvent = z.object({
  event: z.literal('delivery.retry_planned'),
  ...ofLifecycleEvent,
  delivery_id: z.uuid(),
  integration_id: z.uuid(),
  attempts: z.int().min(1).describe('Number of attempts made.'),
  reason: z.string(),
  detail: z.string().nullable().describe('Human-readable explanation.'),
  status_code: z.int().nullable().describe('HTTP status of the response.'),
  next_attempt_at: timestamp,
});

/**
 * A delivery has ended. One that ended as `failed` with the reason `interrupted` may be announced once more, when it is
 * known how the attempt really ended.
 */
export const deliveryFinishedEvent = z.object({
  event: z.literal('delivery.finished'),
  ...ofLifecycleEvent,
  ...ofRedelivery,
  delivery_id: z.uuid(),
  integration_id: z.uuid(),
  outcome: z.enum(['succeeded', 'failed', 'superseded']),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it failed: `timeout`, `status`, `network`, …; null otherwise. `interrupted` means the result is unknown; a later event may give it.',
    ),
  detail: z.string().nullable().describe('Human-readable explanation.'),
  attempts: z.int().min(0),
  status_code: z.int().nullable().describe('HTTP status of the last response.'),
  live_url: z.string().nullable().describe('The `url` from the receiver’s response; null if none.'),
  external_id: z.string().nullable(),
  finished_at: timestamp,
});
export type DeliveryFinishedEvent = z.infer<typeof deliveryFinishedEvent>;

const ofIntegration = {
  project_id: z.uuid(),
  integration_id: z.uuid(),
  receiver: z.string().describe('Host of the receiver, to recognize it by.'),
};

/** A receiver only fails: told once, until it has recovered. Nothing is switched off but by the owner. */
export const integrationFailingEvent = z.object({
  event: z.literal('integration.failing'),
  ...ofIntegration,
  failing_since: timestamp.describe('When the first failed delivery ended.'),
  failed_deliveries: z.int().min(1).describe('Number of consecutive failures.'),
  reason: z.string().describe('Why the last delivery failed, as in `delivery.finished`.'),
  detail: z.string().nullable().describe('Human-readable explanation.'),
});

/** A receiver that was said to be failing has taken a delivery. */
export const integrationRecoveredEvent = z.object({
  event: z.literal('integration.recovered'),
  ...ofIntegration,
  failing_since: timestamp,
  recovered_at: timestamp,
});

export const deliveryEvent = z.discriminatedUnion('event', [
  deliveriesPlannedEvent,
  deliveryRetryPlannedEvent,
  deliveryFinishedEvent,
  integrationFailingEvent,
  integrationRecoveredEvent,
]);
export type DeliveryEvent = z.infer<typeof deliveryEvent>;

/** The outcomes of the deliveries of every lifecycle event, and which receivers keep failing. */
export const deliveriesTopic = defineTopic({
  name: 'blog.deliveries',
  description: 'Deliveries planned, to be retried, or finished; receivers that started failing or recovered.',
  schema: deliveryEvent,
  key: (event) => ('blog_id' in event ? event.blog_id : event.integration_id),
  partitionKey: (event) => event.project_id,
  partitions: 6,
  retention: { compacted: false, keepMs: 7 * 24 * 3_600_000 },
});
