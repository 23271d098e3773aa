import { type EventEnvelope, type OutboxRow, toOutboxRow, wrapEvent } from '@blog-content/event-log';
import { type DeliveryEvent, type DeliveryFinishedEvent, deliveriesTopic } from '@blog-content/payload-schemas';
import type { LeasedDelivery } from '../attempt/claimed-delivery.ts';

/** CloudEvents source of every event this service emits. */
export const EVENT_SOURCE = '/webhook-dispatcher';

/** What `delivery.finished` says of a delivery itself; `attempt` is the number of its last attempt. */
export type FinishedDelivery = Pick<
  LeasedDelivery,
  | 'id'
  | 'kind'
  | 'lifecycleEventId'
  | 'integrationId'
  | 'projectId'
  | 'blogId'
  | 'publishId'
  | 'attempt'
  | 'traceparent'
>;

/** What it says of the end. */
interface Finish extends Pick<DeliveryFinishedEvent, 'outcome' | 'reason' | 'detail'> {
  readonly statusCode: number | null;
  readonly liveUrl: string | null;
  readonly externalId: string | null;
  readonly finishedAt: Date;
}

/** `delivery.finished`, however the delivery ended. */
export function finishedEnvelope(delivery: FinishedDelivery, finish: Finish): EventEnvelope<DeliveryEvent> {
  return envelopeOf(
    {
      event: 'delivery.finished',
      project_id: delivery.projectId,
      blog_id: delivery.blogId,
      lifecycle_event_id: delivery.lifecycleEventId,
      ...publishOf(delivery),
      delivery_id: delivery.id,
      integration_id: delivery.integrationId,
      outcome: finish.outcome,
      reason: finish.reason,
      detail: finish.detail,
      attempts: delivery.attempt,
      status_code: finish.statusCode,
      live_url: finish.liveUrl,
      external_id: finish.externalId,
      finished_at: finish.finishedAt.toISOString(),
    },
    delivery.traceparent,
  );
}

/**
 * The publish that a delivery's events name. The outcome of a delivery that repeats an event changes no publish: it
 * only names the one that it brings.
 */
export function publishOf({
  kind,
  publishId,
}: Pick<LeasedDelivery, 'kind' | 'publishId'>): Pick<DeliveryFinishedEvent, 'publish_id' | 'redelivered_publish_id'> {
  return kind !== 'lifecycle' ? { publish_id: null, redelivered_publish_id: publishId } : { publish_id: publishId };
}

/**
 * An event of `blog.deliveries`; `traceparent` is that of the change it goes back to. All that such an event says comes
 * from typed columns of this service and from its own types: a look at the schema would cost a delivery as much as
 * writing its log line.
 */
export function envelopeOf(event: DeliveryEvent, traceparent: string | null): EventEnvelope<DeliveryEvent> {
  const envelope = wrapEvent(deliveriesTopic, event, { source: EVENT_SOURCE });
  return envelope.traceparent === undefined && traceparent !== null ? { ...envelope, traceparent } : envelope;
}

/** The same as a row of the outbox. */
export function outboxRow(event: DeliveryEvent, traceparent: string | null): OutboxRow {
  return toOutboxRow(envelopeOf(event, traceparent));
}
