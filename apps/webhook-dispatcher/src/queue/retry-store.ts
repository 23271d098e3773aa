import { createBatcher } from '@blog-content/concurrency';
import type { OutboxRow } from '@blog-content/event-log';
import type { LeasedDelivery } from './claim-statements.ts';
import type { Verdict } from '../http/judge.ts';
import type { Database } from '../database/open-database.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { outboxRow, DUE_CHANNEL, idsOf, insertOutbox, lockBlogs } from './queue-transaction-store.ts';
import { type AttemptRecord, givenRetries, isOfOneRow, recordRetries, type RetryRow } from './result-statements.ts';
import { endDeliveries, endingsOfGone, supersedeWaiting } from './waiting-store.ts';

/** An attempt after which the delivery waits for the next one. */
interface RetryRecord extends AttemptRecord {
  readonly verdict: Extract<Verdict, { kind: 'retry' }>;
}

interface Retry {
  readonly held: LeasedDelivery;
  readonly attempt: RetryRecord;
}

/** Retries that are recorded by one transaction at most: silent receivers time out together. */
const MAX_BATCH = 50;
const LINGER_MS = 10;

/**
 * Records attempts that another one follows, with their outcome events; those that come together in one transaction.
 * Resolves to false when the lease was lost: nothing of that delivery is changed then.
 */
export function createRetryStore(database: Database): (held: LeasedDelivery, attempt: RetryRecord) => Promise<boolean> {
  const { add: record } = createBatcher<Retry, boolean>({
    maxSize: MAX_BATCH,
    lingerMs: LINGER_MS,
    keyOf: ({ held }) => held.id,
    isOfOneItem: isOfOneRow,
    run: (retries) => recordTogether(database, retries),
  });
  return (held, attempt) => record({ held, attempt });
}

function recordTogether(database: Database, retries: readonly Retry[]): Promise<boolean[]> {
  const waiting = retries.map(({ held }) => held);
  return database.$transaction(async (tx) => {
    const endThoseThatCannotWait = await prepareWaiting(tx, waiting);
    const rows = await recordRetries.runIn(tx, givenRetries.parameters(retries.map(toRow)));
    const ended = await endThoseThatCannotWait();
    const dueAt = new Map(rows.map(({ id, due_at }) => [id, due_at]));
    const outcomeEvents = retries.flatMap((retry) => {
      const due = dueAt.get(retry.held.id);
      return due === undefined || ended.has(retry.held.id) ? [] : [outcomeEventOf(retry, due)];
    });
    if (outcomeEvents.length > 0) await insertOutbox(tx, outcomeEvents);
    return waiting.map(({ id }) => dueAt.has(id));
  });
}

function toRow({ held, attempt }: Retry): RetryRow {
  return {
    id: held.id,
    lease_token: held.leaseToken,
    attempt: held.attempt,
    event: attempt.event,
    reason: attempt.verdict.reason,
    detail: attempt.verdict.detail,
    status_code: attempt.statusCode,
    after_ms: Math.round(attempt.verdict.afterMs),
    began_at: held.beganAt,
    ended_at: attempt.endedAt,
    exchange: attempt.exchange && JSON.stringify(attempt.exchange),
  };
}

function outcomeEventOf({ held, attempt }: Retry, dueAt: Date): OutboxRow {
  return outboxRow(
    {
      event: 'delivery.retry_planned',
      project_id: held.projectId,
      blog_id: held.blogId,
      lifecycle_event_id: held.lifecycleEventId,
      publish_id: held.publishId,
      delivery_id: held.id,
      integration_id: held.integrationId,
      attempts: held.attempt,
      reason: attempt.verdict.reason,
      detail: attempt.verdict.detail,
      status_code: attempt.statusCode,
      next_attempt_at: dueAt.toISOString(),
    },
    held.traceparent,
  );
}

/** Releases a delivery whose attempt was not made, as if it had not been claimed. */
export async function releaseClaim(database: Database, held: LeasedDelivery): Promise<void> {
  await database.$transaction(async (tx) => {
    const endIfItCannotWait = await prepareWaiting(tx, [held]);
    const released = await tx.$queryRaw<unknown[]>`
      WITH released AS (
        UPDATE delivery SET status = 'pending', attempts = attempts - 1, lease_token = NULL
        WHERE id = ${held.id}::uuid AND status = 'in_flight' AND lease_token = ${held.leaseToken}::uuid
        RETURNING id
      )
      SELECT pg_notify(${DUE_CHANNEL}, '')::text FROM released`;
    if (released.length > 0) await endIfItCannotWait();
  });
}

/**
 * To be called before deliveries go back to waiting: nothing that could end them can be missed from then on. The
 * function it resolves to, called after, ends those whose receiver is gone or that a newer event supersedes; it
 * resolves to their ids.
 */
async function prepareWaiting(
  tx: Prisma.TransactionClient,
  held: readonly LeasedDelivery[],
): Promise<() => Promise<ReadonlySet<string>>> {
  await lockBlogs(
    tx,
    held.map(({ blogId }) => blogId),
  );
  const endings = await endingsOfGone(tx, idsOf(held.map(({ integrationId }) => integrationId)));
  const byEnding = Map.groupBy(held, ({ integrationId }) => endings.get(integrationId));
  return async () => {
    const ended: string[] = [];
    for (const [ending, deliveries] of byEnding) {
      const ids = deliveries.map(({ id }) => id);
      ended.push(
        ...(ending === undefined ? await supersedeWaiting(tx, { ids }) : await endDeliveries(tx, ids, ending)),
      );
    }
    return new Set(ended);
  };
}
