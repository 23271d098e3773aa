import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
import type { AttemptRecord, HeldDelivery } from './claimed-delivery.ts';
import { DUE_CHANNEL, finishWaiting, lockBlogs, outboxRow, supersedeRetries } from './finish-store.ts';
import { endingIfGone } from './gone-receiver-store.ts';
import type { Verdict } from './judge.ts';

/**
 * Records an attempt with everything that follows from it in one transaction: the delivery, the attempt, what the
 * receiver has, the outcome event. False when the lease was lost: nothing is changed then.
 */
export function recordAttempt(database: Database, held: HeldDelivery, attempt: AttemptRecord): Promise<boolean> {
  return attempt.verdict.kind === 'retry'
    ? recordRetry(database, held, attempt, attempt.verdict)
    : recordEnd(database, held, attempt, attempt.verdict);
}

async function recordEnd(
  database: Database,
  held: HeldDelivery,
  attempt: AttemptRecord,
  verdict: Exclude<Verdict, { kind: 'retry' }>,
): Promise<boolean> {
  const { reason, detail } = verdict.kind === 'failed' ? verdict : { reason: null, detail: null };
  const told = outboxRow(
    {
      event: 'delivery.finished',
      project_id: held.projectId,
      blog_id: held.blogId,
      lifecycle_event_id: held.lifecycleEventId,
      publish_id: held.publishId,
      delivery_id: held.id,
      integration_id: held.integrationId,
      outcome: verdict.kind,
      reason,
      detail,
      attempts: held.attempt,
      status_code: attempt.statusCode,
      live_url: attempt.liveUrl,
      external_id: attempt.externalId,
      finished_at: attempt.endedAt.toISOString(),
    },
    held.traceparent,
  );
  // One statement, so one transaction: all of it happens, or, when the lease was lost, nothing.
  const rows = await database.$queryRaw<unknown[]>`
    WITH ended AS (
      UPDATE delivery SET status = ${verdict.kind}, event = ${attempt.event}, reason = ${reason}, detail = ${detail},
        status_code = ${attempt.statusCode}, live_url = ${attempt.liveUrl}, external_id = ${attempt.externalId},
        finished_at = ${attempt.endedAt}, lease_token = NULL, lease_until = NULL
      WHERE ${heldBy(held)}
      RETURNING id, integration_id, blog_id
    ),
    ended_attempt AS (${endAttempt(held, attempt, reason, detail)}),
    receiver AS (
      INSERT INTO receiver_blog (integration_id, blog_id, published, live_url, external_id)
      SELECT integration_id, blog_id, ${attempt.receiverHasBlog}, ${attempt.liveUrl}, ${attempt.externalId}
      FROM ended WHERE ${verdict.kind === 'succeeded'}
      ON CONFLICT (integration_id, blog_id) DO UPDATE SET published = excluded.published, updated_at = now(),
        live_url = CASE WHEN excluded.published THEN coalesce(excluded.live_url, receiver_blog.live_url) END,
        external_id = coalesce(excluded.external_id, receiver_blog.external_id)
    ),
    told AS (
      INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
      SELECT ${told.id}::uuid, ${told.topic}, ${told.type}, ${told.source}, ${told.key}, ${told.partitionKey},
        ${JSON.stringify(told.data)}::jsonb, ${told.time}, ${told.traceparent}
      FROM ended
    )
    SELECT pg_notify(${DUE_CHANNEL}, '')::text FROM ended`;
  return rows.length > 0;
}

async function recordRetry(
  database: Database,
  held: HeldDelivery,
  attempt: AttemptRecord,
  verdict: Extract<Verdict, { kind: 'retry' }>,
): Promise<boolean> {
  const { reason, detail, afterMs } = verdict;
  return database.$transaction(async (tx) => {
    const stillWaits = await prepareWaiting(tx, held);
    const [retry] = await tx.$queryRaw<{ due_at: Date }[]>`
      WITH ended AS (
        UPDATE delivery SET status = 'pending', event = ${attempt.event}, reason = ${reason}, detail = ${detail},
          status_code = ${attempt.statusCode}, due_at = now() + ${Math.round(afterMs)} * interval '1 millisecond',
          lease_token = NULL, lease_until = NULL
        WHERE ${heldBy(held)}
        RETURNING id, due_at
      ),
      ended_attempt AS (${endAttempt(held, attempt, reason, detail)})
      SELECT due_at, pg_notify(${DUE_CHANNEL}, '')::text FROM ended`;
    if (retry === undefined) return false;
    if (!(await stillWaits())) return true;
    const told = outboxRow(
      {
        event: 'delivery.retry_planned',
        project_id: held.projectId,
        blog_id: held.blogId,
        lifecycle_event_id: held.lifecycleEventId,
        publish_id: held.publishId,
        delivery_id: held.id,
        integration_id: held.integrationId,
        attempts: held.attempt,
        reason,
        detail,
        status_code: attempt.statusCode,
        next_attempt_at: retry.due_at.toISOString(),
      },
      held.traceparent,
    );
    await tx.outboxEvent.create({ data: told });
    return true;
  });
}

/** Gives back a delivery whose attempt was not made, as if it had not been claimed. */
export async function releaseClaim(database: Database, held: HeldDelivery): Promise<void> {
  await database.$transaction(async (tx) => {
    const stillWaits = await prepareWaiting(tx, held);
    const released = await tx.$queryRaw<unknown[]>`
      WITH released AS (
        UPDATE delivery SET status = 'pending', attempts = attempts - 1, lease_token = NULL, lease_until = NULL
        WHERE ${heldBy(held)}
        RETURNING id
      ),
      undone AS (
        DELETE FROM delivery_attempt a USING released WHERE a.delivery_id = released.id AND a.number = ${held.attempt}
      )
      SELECT pg_notify(${DUE_CHANNEL}, '')::text FROM released`;
    if (released.length > 0) await stillWaits();
  });
}

/**
 * To be called before a delivery goes back to waiting: nothing that could end it can be missed from then on. The function it
 * resolves to, called after, ends the delivery where its receiver is gone or a newer event has taken its place.
 */
async function prepareWaiting(tx: Prisma.TransactionClient, held: HeldDelivery): Promise<() => Promise<boolean>> {
  await lockBlogs(tx, [held.blogId]);
  const ending = await endingIfGone(tx, held.integrationId);
  const itself = Prisma.sql`d.id = ${held.id}::uuid`;
  return async () => {
    const ended = ending === null ? await supersedeRetries(tx, itself) : await finishWaiting(tx, itself, ending);
    return ended === 0;
  };
}

const heldBy = (held: HeldDelivery) =>
  Prisma.sql`id = ${held.id}::uuid AND status = 'in_flight' AND lease_token = ${held.leaseToken}::uuid`;

const endAttempt = (held: HeldDelivery, attempt: AttemptRecord, reason: string | null, detail: string | null) =>
  Prisma.sql`UPDATE delivery_attempt a SET ended_at = ${attempt.endedAt}, status_code = ${attempt.statusCode},
    reason = ${reason}, detail = ${detail}
    FROM ended WHERE a.delivery_id = ended.id AND a.number = ${held.attempt}`;
