import type { QueryResult } from 'pg';
import type { Database, QueuePool } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { createClaimStore } from './claim-store.ts';
import { type LeasedDelivery, RETRIES } from './claim-statements.ts';
import type { FailingRule } from '../integrations/failing-rule.ts';
import { createRecordStore } from './record-store.ts';
import type { EventCache } from '../payload/event-cache.ts';
import { releaseClaim } from './retry-store.ts';

/** A delivery that was reclaimed. */
export interface ExpiredDelivery extends LeasedDelivery {
  /**
   * Whether the database was away during the attempt: its holder could not renew its lease then, and need not have
   * died.
   */
  readonly databaseWasAway: boolean;
}

/** What is waiting in the queue. */
export interface QueueState {
  /** Deliveries that are due and not yet claimed. */
  readonly due: number;
  /** How long the oldest of them has been due, in milliseconds; 0 when there is none. */
  readonly oldestDueMs: number;
  /** Deliveries that were attempted and wait for another attempt, due or not. */
  readonly retries: number;
  /** Deliveries that wait until the public API serves their event. */
  readonly unserved: number;
}

interface MeasuredRow extends Pick<QueueState, 'due' | 'retries' | 'unserved'> {
  /** Negative when nothing is due. */
  since_first_ms: number;
}

/** Most leases that one call reclaims. */
const MAX_LEASES_RECLAIMED = 50;

/** So many rows are looked at on either side of now: enough to know that a queue is long, at any length. */
const MAX_COUNTED = 10_000;

/**
 * Two stretches of the index that goes by `due_at`. In one transaction with settings that leave no other way: where the
 * planner takes a queue for short, it would read and sort all of it.
 */
const MEASURE = `
  SET LOCAL enable_sort = off;
  SET LOCAL statement_timeout = '2s';
  WITH waiting AS (
    (SELECT due_at, is_retry FROM delivery_queue
     WHERE due_at AT TIME ZONE 'UTC' <= now() AT TIME ZONE 'UTC' AND delivery_id NOT IN (
       SELECT d.id FROM lease CROSS JOIN unnest(delivery_ids) AS held (id) JOIN delivery d ON d.id = held.id
         WHERE d.lease_token = token)
       -- What a suspension holds is not late.
       AND integration_id NOT IN (SELECT i.id FROM project p JOIN integration i ON i.project_id = p.id
         WHERE p.suspended IS NOT NULL)
     ORDER BY due_at AT TIME ZONE 'UTC' LIMIT ${MAX_COUNTED})
    UNION ALL
    (SELECT due_at, is_retry FROM delivery_queue WHERE due_at AT TIME ZONE 'UTC' > now() AT TIME ZONE 'UTC'
     ORDER BY due_at AT TIME ZONE 'UTC' LIMIT ${MAX_COUNTED})
  )
  SELECT count(*) FILTER (WHERE due_at <= now())::integer AS due,
    coalesce(extract(epoch FROM now() - min(due_at)) * 1000, 0)::float8 AS since_first_ms,
    count(*) FILTER (WHERE is_retry)::integer AS retries,
    count(*) FILTER (WHERE NOT is_retry AND due_at > now())::integer AS unserved
  FROM waiting`;

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/**
 * The queue. A delivery is `pending` until it is due and claimed, `in_flight` while a process holds its lease, and then
 * `succeeded`, `failed`, `superseded`, or `pending` again until its retry. A claim writes the attempt in the same
 * statement, before any byte can leave; even if the claimer dies, the row says that an attempt was begun.
 */
export function createDeliveryStore(database: Database, pool: QueuePool, failingRule: FailingRule, events: EventCache) {
  return {
    ...createClaimStore(database, pool, events),
    ...createRecordStore(database, pool, failingRule),

    /** Releases a delivery whose attempt was not made, as if it had not been claimed. */
    release: (held: LeasedDelivery) => releaseClaim(database, held),

    /**
     * Reclaims deliveries whose lease has expired, a bounded number: their holder is gone. `backForMs` is how long the
     * database has been back since it was away, null when the caller has not seen it away.
     */
    async reclaimExpired(
      leaseMs: number,
      backForMs: number | null = null,
    ): Promise<{ readonly deliveries: readonly ExpiredDelivery[]; readonly mayHaveMore: boolean }> {
      const rows = await database.$queryRaw<(Nullable<ExpiredDelivery> & { expired: number })[]>`
        WITH expired AS MATERIALIZED (
          SELECT token, began_at, delivery_ids, gen_random_uuid() AS new_token FROM lease WHERE until < now()
          ORDER BY until LIMIT ${MAX_LEASES_RECLAIMED} FOR UPDATE SKIP LOCKED
        ),
        gone AS (DELETE FROM lease USING expired WHERE lease.token = expired.token),
        in_flight AS (
          SELECT d.id, expired.new_token, expired.began_at, e.traceparent
          FROM expired CROSS JOIN unnest(expired.delivery_ids) AS held (id) JOIN delivery d ON d.id = held.id
            LEFT JOIN lifecycle_event e ON e.id = d.lifecycle_event_id
          WHERE d.lease_token = expired.token
          -- As those that record ends do, so that no two wait for each other.
          ORDER BY d.id FOR UPDATE OF d
        ),
        reclaimed AS (
          UPDATE delivery d SET lease_token = in_flight.new_token FROM in_flight WHERE d.id = in_flight.id
          RETURNING d.id, d.kind, d.lease_token, d.attempts, d.trigger, ${Prisma.raw(RETRIES)} AS retries,
            d.lifecycle_event_id, d.integration_id, d.project_id, d.blog_id, d.publish_id, d.event, in_flight.began_at,
            in_flight.traceparent
        ),
        leased AS (
          INSERT INTO lease (token, began_at, until, delivery_ids)
          SELECT lease_token, min(began_at), now() + ${leaseMs} * interval '1 millisecond', array_agg(id)
          FROM reclaimed GROUP BY lease_token
        )
        SELECT counted.expired, r.id, r.kind, r.lease_token AS "leaseToken", r.attempts AS attempt, r.trigger,
          r.retries, r.lifecycle_event_id AS "lifecycleEventId", r.integration_id AS "integrationId",
          r.project_id AS "projectId", r.blog_id AS "blogId", r.publish_id AS "publishId", r.event,
          r.began_at AS "beganAt", r.traceparent,
          r.began_at < greatest(
            pg_postmaster_start_time(), now() - ${backForMs}::float8 * interval '1 millisecond') AS "databaseWasAway"
        FROM (SELECT count(*)::integer AS expired FROM expired) counted LEFT JOIN reclaimed r ON true`;
      const deliveries = rows.flatMap(({ expired: _, ...row }) => (row.id === null ? [] : [row as ExpiredDelivery]));
      return { deliveries, mayHaveMore: rows[0]?.expired === MAX_LEASES_RECLAIMED };
    },

    /**
     * What is waiting, of all replicas; each count stops at {@link MAX_COUNTED} rows that are due and as many that are
     * not.
     */
    async measure(): Promise<QueueState> {
      // Several statements in one text are one transaction, and have a result each.
      const results = (await pool.query(MEASURE)) as unknown as readonly QueryResult<MeasuredRow>[];
      const [row] = results.at(-1)?.rows ?? [];
      if (row === undefined) throw new Error('The queue was not measured.');
      const { due, since_first_ms: sinceFirstMs, retries, unserved } = row;
      return { due, oldestDueMs: Math.max(0, sinceFirstMs), retries, unserved };
    },
  };
}
