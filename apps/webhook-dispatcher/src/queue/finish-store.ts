import { type DeliveryEvent, type DeliveryFinishedEvent, deliveriesTopic } from '@blog-content/payload-schemas';
import { type EventEnvelope, toOutboxRow, wrapEvent } from '@blog-content/event-log';
import { Prisma } from '../generated/prisma/client.ts';
import type { HeldDelivery } from '../attempt/claimed-delivery.ts';
import type { FailureReason } from '../attempt/judge.ts';

/** CloudEvents source of every event this service emits. */
export const EVENT_SOURCE = '/webhook-dispatcher';

/** Wakes the workers of every replica: something may be due. */
export const DUE_CHANNEL = 'delivery_due';

/** Of an `INSERT INTO delivery_attempt`: whoever holds the delivery says how its attempt ended, whatever was said before. */
export const KEEP_ATTEMPT = `ON CONFLICT (delivery_id, number) DO UPDATE SET started_at = excluded.started_at, ended_at = excluded.ended_at,
  status_code = excluded.status_code, reason = excluded.reason, detail = excluded.detail, exchange = excluded.exchange`;

/** How a delivery that was waiting ends without another attempt. */
export interface Ending {
  readonly outcome: 'failed' | 'superseded';
  readonly reason: FailureReason | null;
  readonly detail: string;
}

interface FinishedRow {
  id: string;
  kind: HeldDelivery['kind'];
  lifecycle_event_id: string;
  integration_id: string;
  project_id: string;
  blog_id: string;
  publish_id: string | null;
  attempts: number;
  status_code: number | null;
  finished_at: Date;
  traceparent: string | null;
}

/**
 * Ends the waiting deliveries that `condition` selects in the queue (alias `s`) and tells of it, in the caller's transaction.
 * Returns their ids.
 */
export async function finishWaiting(
  tx: Prisma.TransactionClient,
  condition: Prisma.Sql,
  ending: Ending,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<FinishedRow[]>`
    WITH waiting AS MATERIALIZED (
      SELECT d.id, e.traceparent FROM delivery_queue s JOIN delivery d ON d.id = s.delivery_id JOIN lifecycle_event e ON e.id = d.lifecycle_event_id
      WHERE ${condition} AND d.status = 'pending'
      ORDER BY d.id FOR NO KEY UPDATE OF d
    ),
    ended AS (
      UPDATE delivery d
      SET status = ${ending.outcome}, reason = ${ending.reason}, detail = ${ending.detail}, finished_at = now()
      FROM waiting w WHERE d.id = w.id
      RETURNING d.id, d.kind, d.lifecycle_event_id, d.integration_id, d.project_id, d.blog_id, d.publish_id, d.attempts, d.status,
        d.status_code, d.finished_at, d.position, w.traceparent
    ),
    taken_off AS (DELETE FROM delivery_queue USING ended WHERE delivery_queue.position = ended.position),
    failed AS (
      INSERT INTO failed_delivery (delivery_id, position, integration_id, failed_at)
      SELECT id, position, integration_id, finished_at FROM ended WHERE status = 'failed'
      ON CONFLICT DO NOTHING
    )
    SELECT * FROM ended ORDER BY position`;
  const events = rows.map((row) =>
    toOutboxRow(
      finishedEnvelope(fromFinishedRow(row), {
        ...ending,
        statusCode: row.status_code,
        liveUrl: null,
        externalId: null,
        finishedAt: row.finished_at,
      }),
    ),
  );
  if (events.length > 0) {
    await insertOutbox(tx, events);
    // A successor of the same blog at the same receiver may have been waiting behind these.
    await notifyDue(tx);
  }
  return rows.map(({ id }) => id);
}

/**
 * Ends those of the retries that `condition` selects in the queue (alias `s`) whose blog has a newer event planned for the same
 * receiver: they would bring old news (decisions "Lifecycle"). Not a failure. Returns their ids.
 */
export async function supersedeRetries(
  tx: Prisma.TransactionClient,
  condition: Prisma.Sql,
): Promise<readonly string[]> {
  const overtaken = Prisma.sql`s.is_retry AND EXISTS (
    SELECT FROM delivery newer
    WHERE newer.integration_id = s.integration_id AND newer.blog_id = s.blog_id
      AND newer.blog_event_number > s.blog_event_number)`;
  return finishWaiting(tx, Prisma.sql`${condition} AND ${overtaken}`, {
    outcome: 'superseded',
    reason: null,
    detail: 'A newer event of the blog took the place of this retry.',
  });
}

/** What `delivery.finished` says of a delivery itself; `attempt` is the number of its last attempt. */
type FinishedDelivery = Pick<
  HeldDelivery,
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

function fromFinishedRow(row: FinishedRow): FinishedDelivery {
  return {
    id: row.id,
    kind: row.kind,
    lifecycleEventId: row.lifecycle_event_id,
    integrationId: row.integration_id,
    projectId: row.project_id,
    blogId: row.blog_id,
    publishId: row.publish_id,
    attempt: row.attempts,
    traceparent: row.traceparent,
  };
}

/** The publish that a delivery's events speak of. What becomes of a redelivery changes no publish: it only names the one it brings. */
export function publishOf({
  kind,
  publishId,
}: Pick<HeldDelivery, 'kind' | 'publishId'>): Pick<DeliveryFinishedEvent, 'publish_id' | 'redelivered_publish_id'> {
  return kind === 'redelivery' ? { publish_id: null, redelivered_publish_id: publishId } : { publish_id: publishId };
}

/** An event of `blog.deliveries` as a row of the outbox; `traceparent` is that of the change it goes back to. */
export function outboxRow(event: DeliveryEvent, traceparent: string | null): Prisma.OutboxEventCreateManyInput {
  return toOutboxRow(envelopeOf(event, traceparent));
}

/**
 * An event of `blog.deliveries`; `traceparent` is that of the change it goes back to. All that such an event says comes from typed
 * columns of this service and from its own types: a look at the schema would cost a delivery as much as writing its log line.
 */
export function envelopeOf(event: DeliveryEvent, traceparent: string | null): EventEnvelope<DeliveryEvent> {
  const envelope = wrapEvent(deliveriesTopic, event, { source: EVENT_SOURCE });
  return envelope.traceparent === undefined && traceparent !== null ? { ...envelope, traceparent } : envelope;
}

/** Puts events into the outbox, in this order. */
export async function insertOutbox(
  tx: Prisma.TransactionClient,
  rows: readonly Prisma.OutboxEventCreateManyInput[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
    SELECT id, topic, type, source, key, "partitionKey", data, time, traceparent
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id uuid, topic text, type text, source text, key text,
      "partitionKey" text, data jsonb, time timestamptz, traceparent text)`;
}

/**
 * A statement that puts many events of one transaction into the outbox as one row. `envelopes` is an expression for a JSON array
 * of them (`toBundled`), over what follows `FROM` in `from`; `type` is for people.
 */
export function insertBundleSql(type: DeliveryEvent['event'], envelopes: string, from = ''): string {
  return `INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, bundle)
    SELECT gen_random_uuid(), '${deliveriesTopic.name}', '${type}', '${EVENT_SOURCE}', '', '', 'null', now(), (${envelopes})::json
    ${from}`;
}

/** Wakes the workers when the transaction commits. */
export async function notifyDue(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${DUE_CHANNEL}, '')`;
}

/**
 * Lets one transaction at a time decide about a blog's deliveries: planning, the read service's word and the planning
 * of a retry cannot miss each other.
 *
 * Whoever locks several things locks them in this order, so that no two transactions wait for each other in a circle: blogs by id
 * (here), integrations by position, deliveries by id, then what belongs to a delivery. A transaction may leave out any of them.
 */
export async function lockBlogs(tx: Prisma.TransactionClient, blogIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`SELECT lock_blogs(${idsOf(blogIds)}::uuid[])`;
}

/** Blogs in the one order in which they are locked. */
export function idsOf(blogIds: readonly string[]): string[] {
  return [...new Set(blogIds)].sort();
}
