import { type OutboxRow, type EventEnvelope, toOutboxRow, wrapEvent } from '@blog-content/event-log';
import { type DeliveryEvent, type DeliveryFinishedEvent, deliveriesTopic } from '@blog-content/payload-schemas';
import { defineStatement } from '../database/statement.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { LeasedDelivery } from './claim-statements.ts';

/** Wakes the workers of every replica: something may be due. */
export const DUE_CHANNEL = 'delivery_due';

/** Puts events into the outbox, in this order. */
export async function insertOutbox(tx: Prisma.TransactionClient, rows: readonly OutboxRow[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
    SELECT id, topic, type, source, key, "partitionKey", data, time, traceparent
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id uuid, topic text, type text, source text,
      key text, "partitionKey" text, data jsonb, time timestamptz, traceparent text)`;
}

/** Wakes the workers when the transaction commits. */
export async function notifyDue(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${DUE_CHANNEL}, '')`;
}

/**
 * Lets one transaction at a time decide about a blog's deliveries: planning, the acknowledgement and the planning of a
 * retry cannot miss each other.
 *
 * A transaction that locks several things locks them in this order, so that no two wait for each other in a circle:
 * blogs by id (here), integrations by position, deliveries by id, then what belongs to a delivery. A transaction may
 * leave out any of them.
 */
export async function lockBlogs(tx: Prisma.TransactionClient, blogIds: readonly string[]): Promise<void> {
  await lockBlogsInOrder.runIn(tx, { blogIds: idsOf(blogIds) });
}

/** The same as a statement; the blogs come in the order of {@link idsOf}. */
export const lockBlogsInOrder = defineStatement<unknown>('lock_blogs', 'SELECT lock_blogs(:blogIds::uuid[])::text');

/** Blogs in the one order in which they are locked. */
export function idsOf(blogIds: readonly string[]): string[] {
  return [...new Set(blogIds)].sort();
}

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
