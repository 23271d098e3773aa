import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { defineTopic } from './topic.ts';

const ofLifecycleEvent = {
  project_id: z.uuid(),
  blog_id: z.uuid(),
  lifecycle_event_id: z
    .uuid()
    .describe('On deliveries that send a blog again with other links it is no event of `blog.lifecycle`.'),
  publish_id: z
    .uuid()
    .nullable()
    .describe('Null for deliveries of an unpublish or a delete, and for those that send a blog again.'),
};

const ofRedelivery = {
  redelivered_publish_id: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      'On deliveries that send a blog again only: the publish whose content the receiver gets once more, null for the news of an unpublish or a delete. What becomes of it does not change what became of the publish.',
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
      receiver: z.string().describe('Host of the receiver, for people to recognise it.'),
    }),
  ),
});

/** An attempt has failed, and the next one is planned: autopilot deliveries only (contract §3). */
export const deliveryRetryPlannedEvent = z.object({
  event: z.literal('delivery.retry_planned'),
  ...ofLifecycleEvent,
  delivery_id: z.uuid(),
  integration_id: z.uuid(),
  attempts: z.int().min(1).describe('How many have been made.'),
  reason: z.string(),
  detail: z.string().nullable().describe('One sentence for people.'),
  status_code: z.int().nullable().describe('The receiver’s status.'),
  next_attempt_at: timestamp,
});

/**
 * A delivery has ended. One that ended as `failed` with the reason `interrupted` may be told of once more, when it is
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
      'Why it failed: `timeout`, `status`, `network`, …; null otherwise. `interrupted`: how the attempt ended is not known, and another event may follow that says it.',
    ),
  detail: z.string().nullable().describe('One sentence for people.'),
  attempts: z.int().min(0),
  status_code: z.int().nullable().describe('The receiver’s last status.'),
  live_url: z.string().nullable().describe('The receiver’s `url`; null when it returned none (contract §4.4).'),
  external_id: z.string().nullable(),
  finished_at: timestamp,
});
export type DeliveryFinishedEvent = z.infer<typeof deliveryFinishedEvent>;

const ofIntegration = {
  project_id: z.uuid(),
  integration_id: z.uuid(),
  receiver: z.string().describe('Host of the receiver, for people to recognise it.'),
};

/** A receiver only fails: told once, until it has recovered. Nothing is switched off but by the owner. */
export const integrationFailingEvent = z.object({
  event: z.literal('integration.failing'),
  ...ofIntegration,
  failing_since: timestamp.describe('When the first of its failed deliveries ended.'),
  failed_deliveries: z.int().min(1).describe('How many have failed in a row.'),
  reason: z.string().describe('Why the last one failed, as in `delivery.finished`.'),
  detail: z.string().nullable().describe('One sentence for people.'),
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

/** What became of the deliveries of every lifecycle event, and which receivers only fail. */
export const deliveriesTopic = defineTopic({
  name: 'blog.deliveries',
  description:
    'Deliveries planned, to be tried again, and finished; receivers that only fail, and those that do no longer.',
  schema: deliveryEvent,
  key: (event) => ('blog_id' in event ? event.blog_id : event.integration_id),
  partitionKey: (event) => event.project_id,
  partitions: 6,
  retention: { compacted: false, keepMs: 7 * 24 * 3_600_000 },
});
