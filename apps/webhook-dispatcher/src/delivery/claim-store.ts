import { randomUUID } from 'node:crypto';
import type { LifecycleEvent } from '@blog-content/payload-schemas';
import type { SchedulePool } from '../open-database.ts';
import type { ClaimedDelivery, HeldDelivery } from './claimed-delivery.ts';
import { uuidArray } from './array-literal.ts';
import type { EventCache } from './event-cache.ts';

export interface ClaimOptions {
  /** Most deliveries to claim. */
  readonly limit: number;
  /** Most in flight per integration, counting `inFlight`. */
  readonly perIntegration: number;
  /** What the caller has in flight already, by integration. */
  readonly inFlight: ReadonlyMap<string, number>;
  readonly leaseMs: number;
}

/** Columns of `delivery` (alias `d`) that say what a holder holds. */
export const HELD_COLUMNS = `d.id::text, d.kind, d.lease_token::text, d.attempts, d.trigger, d.lifecycle_event_id::text,
  d.integration_id::text, d.project_id::text, d.blog_id::text, d.publish_id::text, d.event`;

export interface HeldRow {
  id: string;
  kind: HeldDelivery['kind'];
  lease_token: string;
  attempts: number;
  trigger: HeldDelivery['trigger'];
  lifecycle_event_id: string;
  integration_id: string;
  project_id: string;
  blog_id: string;
  publish_id: string | null;
  event: string;
  began_at: Date;
  traceparent: string | null;
}

interface ClaimedRow extends HeldRow {
  /** Null where it is at hand, or stands in another row. */
  data: LifecycleEvent | null;
  time: Date;
  receiver_has_blog: boolean;
  url: string;
  sealed_secret: string | null;
  sealed_headers: string | null;
  /** The last receiver that was looked at, how many were, and how many deliveries were chosen. */
  last: string | null;
  receivers: number;
  chosen: number;
  next_due_ms: number | null;
}

/** The one row when nothing was claimed. */
type NothingClaimed = Pick<ClaimedRow, 'last' | 'receivers' | 'chosen' | 'next_due_ms'> & { id: null };

/** Most receivers with something due that one claim looks at; the next claim goes on behind the last of them. */
const RECEIVERS_AT_ONCE = 250;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * `$1` integration to look behind, `$2` integrations to look at, `$3`, `$4` what is in flight by integration, `$5` most in
 * flight per integration, `$6` most to claim, `$7` lease in milliseconds, `$8` its token, `$9` events that are at hand.
 *
 * Walks from receiver to receiver that has something due, by the index alone, however much waits at each. Of each it takes
 * what its share allows, of each blog only the oldest. Then projects take turns: each gets its first before any gets its second.
 * The event comes once for all its receivers. What is in flight stands in the schedule too, and is passed over. (A subquery where
 * `NOT EXISTS` or a join would say the same is one look at an index for each candidate, whatever the planner believes.)
 */
const CLAIM = `
  WITH RECURSIVE
  due_at_receiver (integration_id) AS (
    (SELECT integration_id FROM schedule WHERE integration_id > $1 AND due_at <= now() ORDER BY integration_id LIMIT 1)
    UNION ALL
    SELECT (SELECT s.integration_id FROM schedule s
            WHERE s.integration_id > due_at_receiver.integration_id AND s.due_at <= now() ORDER BY s.integration_id LIMIT 1)
    FROM due_at_receiver WHERE due_at_receiver.integration_id IS NOT NULL
  ),
  looked_at AS (
    SELECT integration_id FROM (SELECT integration_id FROM due_at_receiver LIMIT $2) found WHERE integration_id IS NOT NULL
  ),
  busy AS (SELECT * FROM unnest($3::uuid[], $4::integer[]) AS b (integration_id, count)),
  candidate AS (
    SELECT found.delivery_id, found.due_at, found.position, i.project_id
    FROM looked_at
    JOIN integration i ON i.id = looked_at.integration_id AND i.deleted_at IS NULL
    LEFT JOIN busy ON busy.integration_id = looked_at.integration_id
    CROSS JOIN LATERAL (
      SELECT s.delivery_id, s.due_at, s.position FROM schedule s
      WHERE s.integration_id = looked_at.integration_id AND s.due_at <= now()
        AND (SELECT d.status FROM delivery d WHERE d.id = s.delivery_id) = 'pending'
        AND (
          SELECT older.position FROM schedule older
          WHERE older.blog_id = s.blog_id AND older.integration_id = s.integration_id AND older.blog_event_number < s.blog_event_number
          LIMIT 1) IS NULL
      ORDER BY s.due_at, s.position + 0
      LIMIT least($6::integer, greatest(0, $5::integer - coalesce(busy.count, 0)))
    ) found
  ),
  chosen AS MATERIALIZED (
    SELECT delivery_id FROM (
      SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY due_at, position) AS turn FROM candidate
    ) in_turn
    ORDER BY turn, due_at, position LIMIT $6
  ),
  locked AS (
    SELECT d.id FROM delivery d WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM chosen)) AND d.status = 'pending'
    ORDER BY d.id FOR UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE delivery d SET status = 'in_flight', attempts = d.attempts + 1, lease_token = $8
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked))
    RETURNING d.*
  ),
  leased AS (
    INSERT INTO lease (token, began_at, until, delivery_ids)
    SELECT $8, now(), now() + $7 * interval '1 millisecond', array_agg(id) FROM claimed HAVING count(*) > 0
  )
  SELECT ${HELD_COLUMNS}, now()::timestamptz(3) AS began_at, e.traceparent,
    CASE d.kind WHEN 'redelivery' THEN d.created_at ELSE e.time END AS time, i.url, i.sealed_secret, i.sealed_headers,
    coalesce(r.published, false) AS receiver_has_blog,
    CASE WHEN e.id NOT IN (SELECT unnest($9::uuid[])) AND row_number() OVER (PARTITION BY e.id) = 1 THEN e.data END AS data,
    looked.*
  FROM (
    SELECT max(integration_id::text) AS last, count(*)::integer AS receivers, (SELECT count(*)::integer FROM chosen) AS chosen,
      (SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 FROM schedule
       WHERE due_at AT TIME ZONE 'UTC' > now() AT TIME ZONE 'UTC' ORDER BY due_at AT TIME ZONE 'UTC' LIMIT 1) AS next_due_ms
    FROM looked_at
  ) looked
  LEFT JOIN (
    claimed d
    JOIN lifecycle_event e ON e.id = d.lifecycle_event_id
    JOIN integration i ON i.id = d.integration_id
    LEFT JOIN receiver_blog r ON r.integration_id = d.integration_id AND r.blog_id = d.blog_id
  ) ON true
  ORDER BY d.position`;

/** Gives what is due to whoever asks; see {@link DeliveryStore.claim}. */
export interface ClaimStore {
  claim(options: ClaimOptions): Promise<Claim>;
}

/** What one look at the schedule came to. */
export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Whether there may be more that is due and within the limits: other claimers took some, or not every receiver was looked at. */
  readonly mayHaveMore: boolean;
  /** Milliseconds until the next delivery becomes due; null when none is waiting for its time. */
  readonly nextDueInMs: number | null;
}

export function createClaimStore(pool: SchedulePool, events: EventCache): ClaimStore {
  let lookBehind = FIRST;
  // A round goes once over all receivers that have something due.
  let claimedInRound = 0;

  return {
    async claim({ limit, perIntegration, inFlight, leaseMs }) {
      const atHand = events.now();
      const { rows } = await pool.query<ClaimedRow | NothingClaimed>({
        name: 'claim',
        text: CLAIM,
        values: [
          lookBehind,
          RECEIVERS_AT_ONCE,
          [...inFlight.keys()],
          [...inFlight.values()],
          perIntegration,
          limit,
          leaseMs,
          randomUUID(),
          uuidArray([...atHand.keys()]),
        ],
      });
      const { last = null, receivers = 0, chosen = 0, next_due_ms: nextDueInMs = null } = rows[0] ?? {};
      const claimed = rows.filter((row) => row.id !== null);
      const isFirstOfRound = lookBehind === FIRST;
      const isLastOfRound = receivers < RECEIVERS_AT_ONCE;
      lookBehind = isLastOfRound ? FIRST : (last ?? FIRST);
      claimedInRound = (isFirstOfRound ? 0 : claimedInRound) + claimed.length;
      // After a round of several claims that gave nothing, all that is due is in flight or held back: the end of it rings.
      const mayHaveMore = !isLastOfRound || (!isFirstOfRound && claimedInRound > 0) || claimed.length < chosen;
      // Those that were at hand when they were asked for: meanwhile the cache may have forgotten some.
      const lifecycleEvents = new Map(atHand);
      for (const { lifecycle_event_id: id, data } of claimed) if (data !== null) lifecycleEvents.set(id, data);
      for (const { lifecycle_event_id: id } of claimed) events.claimed(id, found(lifecycleEvents, id));
      const deliveries = claimed.map((row) => ({
        ...fromHeldRow(row),
        lifecycleEvent: found(lifecycleEvents, row.lifecycle_event_id),
        eventTime: row.time,
        receiverHasBlog: row.receiver_has_blog,
        url: row.url,
        sealedSecret: row.sealed_secret,
        sealedHeaders: row.sealed_headers,
      }));
      return { deliveries, mayHaveMore, nextDueInMs };
    },
  };
}

function found(events: ReadonlyMap<string, LifecycleEvent>, id: string): LifecycleEvent {
  const event = events.get(id);
  if (event === undefined) throw new Error(`The lifecycle event ${id} of a delivery is not at hand.`);
  return event;
}

/** A row of `HELD_COLUMNS`, its lease's `began_at` and the event's `traceparent`. */
export function fromHeldRow(row: HeldRow): HeldDelivery {
  return {
    id: row.id,
    kind: row.kind,
    leaseToken: row.lease_token,
    attempt: row.attempts,
    trigger: row.trigger,
    lifecycleEventId: row.lifecycle_event_id,
    integrationId: row.integration_id,
    projectId: row.project_id,
    blogId: row.blog_id,
    publishId: row.publish_id,
    event: row.event,
    beganAt: row.began_at,
    traceparent: row.traceparent,
  };
}
