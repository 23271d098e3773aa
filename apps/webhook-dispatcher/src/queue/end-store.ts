import { createBatcher } from '@blog-content/concurrency';
import { toBundled } from '@blog-content/event-log';
import { deliveriesTopic } from '@blog-content/payload-schemas';
import { DatabaseError } from 'pg';
import type { QueuePool } from '../database/open-database.ts';
import type { AttemptRecord, HeldDelivery } from '../attempt/claimed-delivery.ts';
import type { FailingRule } from '../integrations/failing-rule.ts';
import { DUE_CHANNEL, EVENT_SOURCE, finishedEnvelope, insertBundleSql, KEEP_ATTEMPT } from './finish-store.ts';
import type { FailureReason, Verdict } from '../attempt/judge.ts';
import { type Row, rowsSql, rowValues } from '../database/rows.ts';

/** An attempt that ends its delivery. */
export interface EndRecord extends AttemptRecord {
  readonly verdict: Exclude<Verdict, { kind: 'retry' }>;
}

/** Records how deliveries ended. */
export interface EndStore {
  /**
   * Records the attempt with everything that follows from it in one transaction: the delivery, the attempt, what the receiver
   * has, the outcome event, the receiver's health. False when the lease was lost: nothing of it is changed then.
   */
  record(held: HeldDelivery, attempt: EndRecord): Promise<boolean>;
}

/** Ends that are recorded by one statement at most. */
const MAX_BATCH = 100;
const LINGER_MS = 10;

/** After so many ends the queue's dead rows are removed: claims have to step over them, and autovacuum looks once a minute. */
const TIDY_AFTER = 10_000;
const TIDY = 'VACUUM (SKIP_LOCKED, TRUNCATE false) delivery_queue';

/** What is given of each end, with the types of its columns. */
const COLUMNS = {
  id: 'uuid',
  lease_token: 'uuid',
  integration_id: 'uuid',
  attempt: 'integer',
  status: 'text',
  event: 'text',
  reason: 'text',
  detail: 'text',
  status_code: 'integer',
  live_url: 'text',
  external_id: 'text',
  receiver_has_blog: 'boolean',
  began_at: 'timestamptz',
  ended_at: 'timestamptz',
  exchange: 'text',
  told: 'text',
} as const;

/** What speaks against the receiver. An attempt that ended on this side, and an integration that was deleted, do not. */
const COUNTED: readonly FailureReason[] = ['status', 'timeout', 'network', 'address_refused', 'unsendable'];

/**
 * Counts an end for or against its receiver, flags the receiver that only fails, and tells of that and of its recovery.
 */
const NOTE_HEALTH = `note_integration_health(ended.integration_id, ended.status = 'succeeded',
    coalesce(ended.reason = ANY ($1::text[]), false), ended.reason, ended.detail, ended.finished_at,
    $2::integer, $3::bigint, '${deliveriesTopic.name}', '${EVENT_SOURCE}')::text`;
const HEALTH_PARAMETERS = 3;

/**
 * The parameters of `NOTE_HEALTH`, then an array for each column, two of them JSON. One statement, so one transaction: of each
 * delivery all of it happens, or, when its lease was lost, nothing; only a delivery in flight has a lease. What is written to is
 * found by arrays of keys, so that there is but one way to find it: the planner takes a queue that was empty when it was last looked
 * at for empty. Receivers whose health may change are locked before any delivery is, in the order in which everybody locks. The
 * health of one that works, before and in this batch, is not looked at row by row. What a receiver has follows from the latest delivery
 * that succeeded, whichever is recorded last: an upsert sees the newest row, so the order needs no lock of the blog.
 */
const END = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${rowsSql(COLUMNS, HEALTH_PARAMETERS + 1)}
  ),
  changing AS MATERIALIZED (
    SELECT id FROM integration
    WHERE id = ANY (ARRAY(SELECT DISTINCT integration_id FROM given))
      AND (failed_in_row > 0 OR id = ANY (ARRAY(SELECT integration_id FROM given WHERE reason = ANY ($1::text[]))))
    ORDER BY position FOR NO KEY UPDATE
  ),
  ended AS (
    UPDATE delivery d SET status = g.status, event = g.event, reason = g.reason, detail = g.detail, status_code = g.status_code,
      live_url = g.live_url, external_id = g.external_id, finished_at = g.ended_at, lease_token = NULL
    FROM given g
    WHERE d.id = ANY ($4::uuid[]) AND d.id = g.id AND d.lease_token = g.lease_token AND (SELECT count(*) FROM changing) >= 0
    RETURNING d.position, d.blog_id, d.finished_at, g.*
  ),
  attempt AS (
    INSERT INTO delivery_attempt (delivery_id, number, started_at, ended_at, status_code, reason, detail, exchange)
    SELECT id, attempt, began_at, ended_at, status_code, reason, detail, exchange::json FROM ended
    ${KEEP_ATTEMPT}
  ),
  taken_off AS (DELETE FROM delivery_queue WHERE position = ANY (ARRAY(SELECT position FROM ended))),
  failed AS (
    INSERT INTO failed_delivery (delivery_id, position, integration_id, failed_at)
    SELECT id, position, integration_id, finished_at FROM ended WHERE status = 'failed'
    ON CONFLICT DO NOTHING
  ),
  receiver AS (
    INSERT INTO receiver_blog (integration_id, blog_id, published, live_url, external_id, position)
    SELECT integration_id, blog_id, receiver_has_blog, live_url, external_id, position
    FROM ended WHERE status = 'succeeded' ORDER BY integration_id, blog_id
    ON CONFLICT (integration_id, blog_id) DO UPDATE SET published = excluded.published, updated_at = now(),
      live_url = CASE WHEN excluded.published THEN coalesce(excluded.live_url, receiver_blog.live_url) END,
      external_id = coalesce(excluded.external_id, receiver_blog.external_id), position = excluded.position
    WHERE receiver_blog.position <= excluded.position
  ),
  told AS (
    ${insertBundleSql('delivery.finished', `'[' || string_agg(told, ',') || ']'`, 'FROM ended HAVING count(*) > 0')}
  )
  SELECT string_agg(id::text, ',') AS ids,
    (SELECT pg_notify('${DUE_CHANNEL}', '') FROM ended LIMIT 1),
    (SELECT count(noted) FROM (
       SELECT ${NOTE_HEALTH} AS noted FROM ended WHERE integration_id = ANY (ARRAY(SELECT id FROM changing))
       ORDER BY integration_id, finished_at
     ) health)
  FROM ended`;

/** Ends that come while others are being recorded are recorded together: what a burst costs is the statement, not the row. */
export function createEndStore(pool: QueuePool, failingRule: FailingRule): EndStore {
  const health = [COUNTED, failingRule.deliveries, failingRule.durationMs];
  let untidy = 0;
  const tidyUp = (ended: number) => {
    untidy += ended;
    if (untidy < TIDY_AFTER) return;
    untidy = 0;
    // Nothing depends on it: where this user may not, or the connection is lost, autovacuum does it.
    pool.query(TIDY).catch(() => undefined);
  };
  const { add: record } = createBatcher<Given, boolean>({
    maxSize: MAX_BATCH,
    lingerMs: LINGER_MS,
    // One row cannot be inserted and updated by one statement: a redelivery may end together with what it repeats.
    keyOf: ({ held }) => `${held.integrationId} ${held.blogId}`,
    isOfOneItem: isOfOneRow,
    async run(given) {
      const batch = given.toSorted((a, b) => (a.held.id < b.held.id ? -1 : 1));
      const { rows } = await pool.query<{ ids: string | null }>({
        name: 'end',
        text: END,
        values: [
          ...health,
          ...rowValues(
            COLUMNS,
            batch.map(({ columns }) => columns),
          ),
        ],
      });
      const ended = new Set(rows[0]?.ids?.split(','));
      tidyUp(ended.size);
      return given.map(({ held }) => ended.has(held.id));
    },
  });
  return { record: (held, attempt) => record(toGiven(held, attempt)) };
}

/** Classes 22 and 23 of SQLSTATE: a value or a key that is refused, so something about a row, not the way to the database. */
function isOfOneRow(error: unknown): boolean {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '');
}

interface Given {
  readonly held: HeldDelivery;
  readonly columns: Row<typeof COLUMNS>;
}

function toGiven(held: HeldDelivery, attempt: EndRecord): Given {
  const { verdict } = attempt;
  const { reason, detail } = verdict.kind === 'failed' ? verdict : { reason: null, detail: null };
  const told = finishedEnvelope(held, {
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
    columns: {
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
      receiver_has_blog: attempt.receiverHasBlog,
      began_at: held.beganAt,
      ended_at: attempt.endedAt,
      exchange: attempt.exchange && JSON.stringify(attempt.exchange),
      told: toBundled(told),
    },
  };
}
