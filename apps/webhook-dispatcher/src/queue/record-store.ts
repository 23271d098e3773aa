import { createBatcher } from '@blog-content/concurrency';
import { toBundled } from '@blog-content/event-log';
import type { LeasedDelivery } from './claim-statements.ts';
import type { FailureReason, Verdict } from '../http/judge.ts';
import type { Database, QueuePool } from '../database/open-database.ts';
import type { FailingRule } from '../integrations/failing-rule.ts';
import { finishedEnvelope } from './queue-transaction-store.ts';
import { regainLease } from './regain-lease-store.ts';
import { type AttemptRecord, type EndRow, givenEnds, isOfOneRow, recordEnds } from './result-statements.ts';
import { createRetryStore } from './retry-store.ts';

/** An attempt that ends its delivery. */
interface EndRecord extends AttemptRecord {
  readonly verdict: Exclude<Verdict, { kind: 'retry' }>;
}

/** Nobody renews a lease that was regained: where recording takes too long, it is regained so often. */
const MAX_REGAINS = 10;

/** Ends that are recorded by one statement at most. */
const MAX_BATCH = 100;
const LINGER_MS = 10;

/**
 * After so many ends the queue's dead rows are removed: claims have to step over them, and autovacuum looks once a
 * minute.
 */
const TIDY_AFTER = 10_000;
const TIDY = 'VACUUM (SKIP_LOCKED, TRUNCATE false) delivery_queue';

/**
 * What speaks against the receiver. An attempt that ended on this side, and an integration that was deleted, do not.
 */
const COUNTED_REASONS: readonly FailureReason[] = ['status', 'timeout', 'network', 'address_refused', 'unsendable'];

/**
 * Records attempts, each with everything that follows from it in one transaction: the delivery, the attempt, what the
 * receiver has, the outcome event, the receiver's health. Ends that come while others are being recorded are recorded
 * together: a burst costs statements, not rows.
 */
export function createRecordStore(database: Database, pool: QueuePool, failingRule: FailingRule) {
  const health = {
    countedReasons: COUNTED_REASONS,
    failingAfterDeliveries: failingRule.deliveries,
    failingAfterMs: failingRule.durationMs,
  };
  let untidy = 0;
  const tidyUp = (ended: number) => {
    untidy += ended;
    if (untidy < TIDY_AFTER) return;
    untidy = 0;
    // Nothing depends on it: where this user may not, or the connection is lost, autovacuum does it.
    pool.query(TIDY).catch(() => undefined);
  };
  const { add: recordEnd } = createBatcher<BatchedEnd, boolean>({
    maxSize: MAX_BATCH,
    lingerMs: LINGER_MS,
    // One row cannot be inserted and updated by one statement: a redelivery may end together with what it repeats.
    keyOf: ({ held }) => `${held.integrationId} ${held.blogId}`,
    isOfOneItem: isOfOneRow,
    async run(ends) {
      const batch = ends.toSorted((a, b) => (a.held.id < b.held.id ? -1 : 1));
      const rows = batch.map(({ row }) => row);
      const [recorded] = await recordEnds.run(pool, { ...health, ...givenEnds.parameters(rows) });
      const ended = new Set(recorded?.ids?.split(','));
      tidyUp(ended.size);
      return ends.map(({ held }) => ended.has(held.id));
    },
  });
  const recordRetry = createRetryStore(database);
  const recordHeld = (held: LeasedDelivery, { verdict, ...attempt }: AttemptRecord): Promise<boolean> =>
    verdict.kind === 'retry'
      ? recordRetry(held, { ...attempt, verdict })
      : recordEnd(toBatchedEnd(held, { ...attempt, verdict }));

  return {
    /**
     * Records an attempt. A holder that has lost its lease may still say how its own attempt ended, in place of
     * `interrupted` (ADR 19). False when another attempt has begun, or that one ended otherwise: nothing is changed
     * then.
     */
    async record(held: LeasedDelivery, attempt: AttemptRecord): Promise<boolean> {
      if (await recordHeld(held, attempt)) return true;
      const { verdict } = attempt;
      if (verdict.kind !== 'succeeded' && verdict.reason === 'interrupted') return false;
      for (let taken = 0; taken < MAX_REGAINS; taken += 1) {
        const back = await regainLease(database, held);
        if (back === null) return false;
        if (await recordHeld(back, attempt)) return true;
      }
      throw new Error('The delivery was repeatedly reclaimed before its result could be recorded.');
    },
  };
}

interface BatchedEnd {
  readonly held: LeasedDelivery;
  readonly row: EndRow;
}

function toBatchedEnd(held: LeasedDelivery, attempt: EndRecord): BatchedEnd {
  const { verdict } = attempt;
  const { reason, detail } = verdict.kind === 'failed' ? verdict : { reason: null, detail: null };
  const outcomeEvent = finishedEnvelope(held, {
    outcome: verdict.kind,
    reason,
    detail,
    statusCode: attempt.statusCode,
    liveUrl: attempt.liveUrl,
    externalId: attempt.externalId,
    finishedAt: attempt.endedAt,
  });
  return {
    held,
    row: {
      id: held.id,
      lease_token: held.leaseToken,
      integration_id: held.integrationId,
      attempt: held.attempt,
      status: verdict.kind,
      event: attempt.event,
      reason,
      detail,
      status_code: attempt.statusCode,
      live_url: attempt.liveUrl,
      external_id: attempt.externalId,
      leaves_slug: attempt.leavesSlug,
      began_at: held.beganAt,
      ended_at: attempt.endedAt,
      exchange: attempt.exchange && JSON.stringify(attempt.exchange),
      outcome_event: toBundled(outcomeEvent),
    },
  };
}
