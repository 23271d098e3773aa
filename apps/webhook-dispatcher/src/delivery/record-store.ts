import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
import type { AttemptRecord, HeldDelivery } from './claimed-delivery.ts';
import {
  DUE_CHANNEL,
  finishWaiting,
  insertOutbox,
  KEEP_ATTEMPT,
  lockBlogs,
  outboxRow,
  supersedeRetries,
} from './finish-store.ts';
import { endingIfGone } from './gone-receiver-store.ts';
import type { Verdict } from './judge.ts';

/** An attempt after which the delivery waits for the next one. */
export interface RetryRecord extends AttemptRecord {
  readonly verdict: Extract<Verdict, { kind: 'retry' }>;
}

/** Records an attempt that another one follows, and tells of it. False when the lease was lost: nothing is changed then. */
export async function recordRetry(database: Database, held: HeldDelivery, attempt: RetryRecord): Promise<boolean> {
  const { reason, detail, afterMs } = attempt.verdict;
  return database.$transaction(async (tx) => {
    const stillWaits = await prepareWaiting(tx, held);
    const [retry] = await tx.$queryRaw<{ due_at: Date }[]>`
      WITH ended AS (
        UPDATE delivery SET status = 'pending', event = ${attempt.event}, reason = ${reason}, detail = ${detail},
          status_code = ${attempt.statusCode}, lease_token = NULL
        WHERE ${heldBy(held)}
        RETURNING id, position
      ),
      attempt AS (
        INSERT INTO delivery_attempt (delivery_id, number, started_at, ended_at, status_code, reason, detail, exchange)
        SELECT id, ${held.attempt}, ${held.beganAt}, ${attempt.endedAt}, ${attempt.statusCode}, ${reason}, ${detail},
          ${attempt.exchange === null ? null : JSON.stringify(attempt.exchange)}::json
        FROM ended
        ${Prisma.raw(KEEP_ATTEMPT)}
      ),
      later AS (
        UPDATE schedule s SET due_at = now() + ${Math.round(afterMs)} * interval '1 millisecond', is_retry = true
        FROM ended WHERE s.position = ended.position
        RETURNING due_at
      )
      SELECT due_at, pg_notify(${DUE_CHANNEL}, '')::text FROM later`;
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
    await insertOutbox(tx, [told]);
    return true;
  });
}

/** Gives back a delivery whose attempt was not made, as if it had not been claimed. */
export async function releaseClaim(database: Database, held: HeldDelivery): Promise<void> {
  await database.$transaction(async (tx) => {
    const stillWaits = await prepareWaiting(tx, held);
    const released = await tx.$queryRaw<unknown[]>`
      WITH released AS (
        UPDATE delivery SET status = 'pending', attempts = attempts - 1, lease_token = NULL WHERE ${heldBy(held)} RETURNING id
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
  const itself = Prisma.sql`s.position = (SELECT position FROM delivery WHERE id = ${held.id}::uuid)`;
  return async () => {
    const ended = ending === null ? await supersedeRetries(tx, itself) : await finishWaiting(tx, itself, ending);
    return ended === 0;
  };
}

const heldBy = (held: HeldDelivery) =>
  Prisma.sql`id = ${held.id}::uuid AND status = 'in_flight' AND lease_token = ${held.leaseToken}::uuid`;
