import { deliveriesTopic } from '@blog-content/payload-schemas';
import { DatabaseError } from 'pg';
import type { SchedulePool } from '../open-database.ts';
import type { AttemptRecord, HeldDelivery } from './claimed-delivery.ts';
import type { FailingRule } from './failing-rule.ts';
import { DUE_CHANNEL, EVENT_SOURCE, outboxRow, publishOf } from './finish-store.ts';
import { healthParameters, NOTE_HEALTH } from './integration-health-store.ts';
import type { Verdict } from './judge.ts';
import { inBatches } from './in-batches.ts';

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

/** What is given of each end, with the types of its columns. */
const COLUMNS = {
  id: 'uuid',
  lease_token: 'uuid',
  attempt: 'integer',
  status: 'text',
  event: 'text',
  reason: 'text',
  detail: 'text',
  status_code: 'integer',
  live_url: 'text',
  external_id: 'text',
  receiver_has_blog: 'boolean',
  ended_at: 'timestamptz',
  told_id: 'uuid',
  told_type: 'text',
  told_key: 'text',
  told_partition_key: 'text',
  told_time: 'timestamptz',
  traceparent: 'text',
} as const;
type Column = keyof typeof COLUMNS;

const HEALTH_PARAMETERS = 3;
const arrays = Object.values(COLUMNS).map((type, index) => `$${index + HEALTH_PARAMETERS + 1}::${type}[]`);
const documents = [1, 2].map((place) => `jsonb_array_elements($${HEALTH_PARAMETERS + arrays.length + place}::jsonb)`);

/**
 * The parameters of `NOTE_HEALTH`, then an array for each column, then the exchanges and the events as JSON. One statement, so one
 * transaction: of each delivery all of it happens, or, when its lease was lost, nothing; only a delivery in flight has a lease.
 * Deliveries are locked, and receivers gone through, in one order, so that no two of these, and no renewal, wait for each other.
 * The health of one that works is not looked at row by row.
 */
const END = `
  WITH given AS MATERIALIZED (
    SELECT * FROM ROWS FROM (unnest(${arrays.join(', ')}), ${documents.join(', ')})
      AS g (${Object.keys(COLUMNS).join(', ')}, exchange, told)
  ),
  held AS MATERIALIZED (
    SELECT d.id FROM delivery d JOIN given g ON g.id = d.id WHERE d.lease_token = g.lease_token
    ORDER BY d.id FOR NO KEY UPDATE OF d
  ),
  ended AS (
    UPDATE delivery d SET status = g.status, event = g.event, reason = g.reason, detail = g.detail, status_code = g.status_code,
      live_url = g.live_url, external_id = g.external_id, finished_at = g.ended_at, lease_token = NULL, lease_until = NULL
    FROM held JOIN given g ON g.id = held.id
    WHERE d.id = held.id AND d.lease_token = g.lease_token
    RETURNING d.id, d.integration_id, d.blog_id, d.status, d.reason, d.detail, d.finished_at
  ),
  ended_attempt AS (
    UPDATE delivery_attempt a SET ended_at = g.ended_at, status_code = g.status_code, reason = g.reason, detail = g.detail,
      exchange = nullif(g.exchange, 'null')
    FROM ended JOIN given g ON g.id = ended.id
    WHERE a.delivery_id = ended.id AND a.number = g.attempt
  ),
  receiver AS (
    INSERT INTO receiver_blog (integration_id, blog_id, published, live_url, external_id)
    SELECT ended.integration_id, ended.blog_id, g.receiver_has_blog, g.live_url, g.external_id
    FROM ended JOIN given g ON g.id = ended.id
    WHERE ended.status = 'succeeded' ORDER BY ended.integration_id, ended.blog_id
    ON CONFLICT (integration_id, blog_id) DO UPDATE SET published = excluded.published, updated_at = now(),
      live_url = CASE WHEN excluded.published THEN coalesce(excluded.live_url, receiver_blog.live_url) END,
      external_id = coalesce(excluded.external_id, receiver_blog.external_id)
  ),
  told AS (
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
    SELECT g.told_id, '${deliveriesTopic.name}', g.told_type, '${EVENT_SOURCE}', g.told_key, g.told_partition_key, g.told,
      g.told_time, g.traceparent
    FROM ended JOIN given g ON g.id = ended.id
  )
  SELECT ended.id::text, CASE WHEN row_number() OVER () = 1 THEN pg_notify('${DUE_CHANNEL}', '') END,
    CASE WHEN ended.status <> 'succeeded' OR i.failed_in_row > 0 THEN ${NOTE_HEALTH} END
  FROM (SELECT * FROM ended ORDER BY integration_id, finished_at) ended
  JOIN integration i ON i.id = ended.integration_id`;

/** Ends that come while others are being recorded are recorded together: what a burst costs is the statement, not the row. */
export function createEndStore(pool: SchedulePool, failingRule: FailingRule): EndStore {
  const health = healthParameters(failingRule);
  const record = inBatches<Given, boolean>({
    most: MAX_BATCH,
    lingerMs: LINGER_MS,
    // One row cannot be inserted and updated by one statement: a redelivery may end together with what it repeats.
    keyOf: ({ held }) => `${held.integrationId} ${held.blogId}`,
    isOfOneItem: isDataException,
    async run(batch) {
      const { rows } = await pool.query<{ id: string }>({
        name: 'end',
        text: END,
        values: [
          ...health,
          ...(Object.keys(COLUMNS) as Column[]).map((column) => batch.map((given) => given.columns[column])),
          JSON.stringify(batch.map(({ exchange }) => exchange)),
          JSON.stringify(batch.map(({ told }) => told)),
        ],
      });
      const ended = new Set(rows.map(({ id }) => id));
      return batch.map(({ held }) => ended.has(held.id));
    },
  });
  return { record: (held, attempt) => record(toGiven(held, attempt)) };
}

/** Class 22 of SQLSTATE: something in a row, not the way to the database. */
function isDataException(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('22') === true;
}

interface Given {
  readonly held: HeldDelivery;
  readonly columns: Readonly<Record<Column, string | number | boolean | Date | null>>;
  readonly exchange: AttemptRecord['exchange'];
  /** The outcome event. */
  readonly told: unknown;
}

function toGiven(held: HeldDelivery, attempt: EndRecord): Given {
  const { verdict } = attempt;
  const { reason, detail } = verdict.kind === 'failed' ? verdict : { reason: null, detail: null };
  const told = outboxRow(
    {
      event: 'delivery.finished',
      project_id: held.projectId,
      blog_id: held.blogId,
      lifecycle_event_id: held.lifecycleEventId,
      ...publishOf(held),
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
  return {
    held,
    columns: {
      id: held.id,
      lease_token: held.leaseToken,
      attempt: held.attempt,
      status: verdict.kind,
      event: attempt.event,
      reason,
      detail,
      status_code: attempt.statusCode,
      live_url: attempt.liveUrl,
      external_id: attempt.externalId,
      receiver_has_blog: attempt.receiverHasBlog,
      ended_at: attempt.endedAt,
      told_id: told.id,
      told_type: told.type,
      told_key: told.key,
      told_partition_key: told.partitionKey,
      told_time: told.time,
      traceparent: told.traceparent ?? null,
    },
    exchange: attempt.exchange,
    told: told.data,
  };
}
