import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { defineTopic } from './topic.ts';

const ofLifecycleEvent = {
  project_id: z.uuid(),
  blog_id: z.uuid(),
  lifecycle_event_id: z.uuid(),
  publish_id: z.uuid().nullable().describe('Null for deliveries of an unpublish or a delete.'),
};

/** The dispatcher has planned one delivery per active integration for a lifecycle event: maybe none. */
export const deliveriesPlannedEvent = z.object({
  event: z.literal('deliveries.planned'),
  ...ofLifecycleEvent,
  deliveries: z.array(
    z.object({
      delivery_id: z.uuid(),
      integration_id: z.uuid(),
      receiver: z.string().describe('Host of the receiver, for people to recognise it.'),
    }),
  ),
});

/** An attempt has failed, and the next one is planned: autopilot deliveries only (spec §3). */
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

/** A delivery has ended. */
export const deliveryFinishedEvent = z.object({
  event: z.literal('delivery.finished'),
  ...ofLifecycleEvent,
  delivery_id: z.uuid(),
  integration_id: z.uuid(),
  outcome: z.enum(['succeeded', 'failed', 'superseded']),
  reason: z
    .string()
    .nullable()
    .describe('Why it failed: `interrupted`, `timeout`, `status`, `network`, …; null otherwise.'),
  detail: z.string().nullable().describe('One sentence for people.'),
  attempts: z.int().min(0),
  status_code: z.int().nullable().describe('The receiver’s last status.'),
  live_url: z.string().nullable().describe('The receiver’s `url`; null when it returned none (spec §4.4).'),
  external_id: z.string().nullable(),
  finished_at: timestamp,
});
export type DeliveryFinishedEvent = z.infer<typeof deliveryFinishedEvent>;

export const deliveryEvent = z.discriminatedUnion('event', [
  deliveriesPlannedEvent,
  deliveryRetryPlannedEvent,
  deliveryFinishedEvent,
]);
export type DeliveryEvent = z.infer<typeof deliveryEvent>;

/** What became of the deliveries of every lifecycle event. */
export const deliveriesTopic = defineTopic({
  name: 'blog.deliveries',
  description: 'Deliveries planned, to be tried again, and finished.',
  schema: deliveryEvent,
  key: (event) => event.blog_id,
  partitionKey: (event) => event.project_id,
  partitions: 6,
  retention: { compacted: false, keepMs: 7 * 24 * 3_600_000 },
});
