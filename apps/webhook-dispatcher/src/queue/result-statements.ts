import { deliveriesTopic } from '@blog-content/payload-schemas';
import { sqlStateOf } from '@blog-content/postgres';
import { defineRows, defineStatement, type RowOf } from '../database/statement.ts';
import type { StoredExchange } from '../delivery-log/exchange.ts';
import type { Verdict } from '../http/judge.ts';
import { EVENT_SOURCE, DUE_CHANNEL } from './queue-transaction-store.ts';

/** What an attempt leaves behind. */
export interface AttemptRecord {
  readonly verdict: Verdict;
  /** The webhook event that was sent. */
  readonly event: string;
  readonly endedAt: Date;
  readonly statusCode: number | null;
  /** From the answer of a success (contract §4.4). */
  readonly liveUrl: string | null;
  readonly externalId: string | null;
  /** The slug that the receiver has the blog under after a success; null when it does not have it. */
  readonly leavesSlug: string | null;
  /** For the delivery log; null where nothing was sent. */
  readonly exchange: StoredExchange | null;
}

/** The holder of the delivery says how its attempt ended, and overrides what was recorded before. */
const INSERT_ATTEMPT = `
  INSERT INTO delivery_attempt (delivery_id, number, started_at, ended_at, status_code, reason, detail, exchange)
    SELECT id, attempt, began_at, ended_at, status_code, reason, detail, exchange::json FROM ended
    ON CONFLICT (delivery_id, number) DO UPDATE SET started_at = excluded.started_at, ended_at = excluded.ended_at,
      status_code = excluded.status_code, reason = excluded.reason, detail = excluded.detail,
      exchange = excluded.exchange`;

/** Attempts that end their deliveries. `outcome_event` and `exchange` are JSON. */
const endColumns = {
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
  leaves_slug: 'text',
  began_at: 'timestamptz',
  ended_at: 'timestamptz',
  exchange: 'text',
  outcome_event: 'text',
} as const;
export type EndRow = RowOf<typeof endColumns>;
export const givenEnds = defineRows('given', endColumns);

/**
 * Records ends. One statement, so one transaction: of each delivery all of it happens, or, when its lease was lost,
 * nothing; only a delivery in flight has a lease. What is written to is found by arrays of keys, so that there is but
 * one way to find it: the planner takes a queue that was empty when it was last looked at for empty. Receivers whose
 * health may change are locked before any delivery is, in the order in which everybody locks, and gone through in one
 * order. The health of one that works, before and in this batch, is not looked at row by row. What a receiver has
 * follows from the latest delivery that succeeded, whichever is recorded last: an upsert sees the newest row, so the
 * order needs no lock of the blog.
 */
export const recordEnds = defineStatement<{ ids: string | null }>(
  'record_ends',
  `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${givenEnds.from}
  ),
  changing AS MATERIALIZED (
    SELECT id FROM integration
    WHERE id = ANY (ARRAY(SELECT DISTINCT integration_id FROM given))
      AND (failed_in_row > 0 OR id = ANY (ARRAY(SELECT integration_id FROM given
        WHERE reason = ANY (:countedReasons::text[]))))
    ORDER BY position FOR NO KEY UPDATE
  ),
  ended AS (
    UPDATE delivery d SET status = g.status, event = g.event, reason = g.reason, detail = g.detail,
      status_code = g.status_code, live_url = g.live_url, external_id = g.external_id, finished_at = g.ended_at,
      lease_token = NULL
    FROM given g
    WHERE d.id = ANY (:given_id::uuid[]) AND d.id = g.id AND d.lease_token = g.lease_token
      AND (SELECT count(*) FROM changing) >= 0
    RETURNING d.position, d.blog_id, d.project_id, d.kind, d.finished_at, g.*
  ),
  attempt AS (
    ${INSERT_ATTEMPT}
  ),
  taken_off AS (DELETE FROM delivery_queue WHERE position = ANY (ARRAY(SELECT position FROM ended))),
  failed AS (
    INSERT INTO failed_delivery (delivery_id, position, integration_id, failed_at)
    SELECT id, position, integration_id, finished_at FROM ended WHERE status = 'failed'
    ON CONFLICT DO NOTHING
  ),
  receiver AS (
    INSERT INTO receiver_blog (integration_id, blog_id, published, slug, slug_position, live_url, external_id, position)
    SELECT integration_id, blog_id, leaves_slug IS NOT NULL, leaves_slug, position, live_url, external_id, position
    FROM ended WHERE status = 'succeeded' ORDER BY integration_id, blog_id
    ON CONFLICT (integration_id, blog_id) DO UPDATE SET published = excluded.published, updated_at = now(),
      slug = excluded.slug, slug_position = excluded.slug_position,
      live_url = CASE WHEN excluded.published THEN coalesce(excluded.live_url, receiver_blog.live_url) END,
      external_id = coalesce(excluded.external_id, receiver_blog.external_id), position = excluded.position
    WHERE receiver_blog.position <= excluded.position
  ),
  healing AS (
    -- Nobody knows whether it came: the post is sent again another time, as what it links to is then.
    INSERT INTO link_healing (integration_id, blog_id, project_id)
    SELECT integration_id, blog_id, project_id FROM ended WHERE kind = 'link_changed' AND reason = 'interrupted'
    ON CONFLICT DO NOTHING
  ),
  outcome_events AS (
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, bundle)
    SELECT gen_random_uuid(), '${deliveriesTopic.name}', 'delivery.finished', '${EVENT_SOURCE}', '', '', 'null', now(),
      ('[' || string_agg(outcome_event, ',') || ']')::json
    FROM ended HAVING count(*) > 0
  )
  SELECT string_agg(id::text, ',') AS ids,
    -- What was behind one of them may go now. Who planned it since has woken the workers.
    (SELECT pg_notify('${DUE_CHANNEL}', '') FROM ended WHERE (
       SELECT q.position FROM delivery_queue q
       WHERE q.blog_id = ended.blog_id AND q.integration_id = ended.integration_id AND q.position <> ended.position
       LIMIT 1) IS NOT NULL LIMIT 1),
    (SELECT count(noted) FROM (
       SELECT note_integration_health(integration_id, status = 'succeeded',
         coalesce(reason = ANY (:countedReasons::text[]), false), reason, detail, finished_at,
         :failingAfterDeliveries::integer, :failingAfterMs::bigint, '${deliveriesTopic.name}',
         '${EVENT_SOURCE}')::text AS noted
       FROM ended WHERE integration_id = ANY (ARRAY(SELECT id FROM changing))
       ORDER BY integration_id, finished_at
     ) health)
  FROM ended`,
);

/** Attempts that another one follows. `exchange` is JSON. */
const retryColumns = {
  id: 'uuid',
  lease_token: 'uuid',
  attempt: 'integer',
  event: 'text',
  reason: 'text',
  detail: 'text',
  status_code: 'integer',
  after_ms: 'integer',
  began_at: 'timestamptz',
  ended_at: 'timestamptz',
  exchange: 'text',
} as const;
export type RetryRow = RowOf<typeof retryColumns>;
export const givenRetries = defineRows('given', retryColumns);

/** Records retries; of each delivery all of it happens, or, when its lease was lost, nothing. */
export const recordRetries = defineStatement<{ id: string; due_at: Date }>(
  'record_retries',
  `
  WITH given AS MATERIALIZED (SELECT * FROM ${givenRetries.from}),
  held AS MATERIALIZED (
    SELECT d.id FROM delivery d JOIN given g ON g.id = d.id
    WHERE d.status = 'in_flight' AND d.lease_token = g.lease_token
    ORDER BY d.id FOR NO KEY UPDATE OF d
  ),
  ended AS (
    UPDATE delivery d SET status = 'pending', event = g.event, reason = g.reason, detail = g.detail,
      status_code = g.status_code, lease_token = NULL
    FROM given g WHERE d.id = ANY (ARRAY(SELECT id FROM held)) AND g.id = d.id
    RETURNING d.position, g.*
  ),
  attempt AS (
    ${INSERT_ATTEMPT}
  ),
  later AS (
    UPDATE delivery_queue q SET due_at = now() + ended.after_ms * interval '1 millisecond', is_retry = true
    FROM ended WHERE q.position = ended.position
    RETURNING q.delivery_id, q.due_at
  )
  SELECT delivery_id::text AS id, due_at, (SELECT pg_notify('${DUE_CHANNEL}', '')::text) FROM later`,
);

/**
 * Classes 22 and 23 of SQLSTATE: a value or a key that is refused, so something about a row, not the way to the
 * database.
 */
export function isOfOneRow(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? '');
}
