import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlogServedEvent, LifecycleEvent } from '@blog-content/payload-schemas';
import { binaryArray } from '@blog-content/postgres';
import type { SchedulePool } from '../open-database.ts';
import type { ClaimedDelivery, HeldDelivery } from './claimed-delivery.ts';
import type { EventCache, KnownEvent } from './event-cache.ts';

export interface ClaimOptions {
  /** Most deliveries to claim. */
  readonly limit: number;
  /** Most in flight per integration, counting `inFlight`. */
  readonly perIntegration: number;
  /** What the caller has in flight already, by integration. */
  readonly inFlight: ReadonlyMap<string, number>;
  /** The deliveries that the caller certainly holds: none of them is there to be claimed, and none is looked at. */
  readonly held: readonly string[];
  readonly leaseMs: number;
}

/** The columns of `TAKEN`. */
interface TakenRow {
  began_at: Date;
  /** What was claimed, in order; null when there was nothing. */
  deliveries:
    | [
        id: string,
        kind: HeldDelivery['kind'],
        attempts: number,
        trigger: HeldDelivery['trigger'],
        lifecycleEventId: string,
        integrationId: string,
        publishId: string | null,
        event: string,
        askedAt: string | null,
        receiverHasBlog: boolean,
      ][]
    | null;
  /** Where it goes, by integration. */
  targets: Record<string, [url: string, sealedSecret: string | null, sealedHeaders: string | null]> | null;
}

/** The one row of `CLAIM`. */
interface ClaimRow extends TakenRow {
  /** The last receiver that was looked at, how many were, and how many deliveries were chosen. */
  last: string | null;
  receivers: number;
  chosen: number;
  next_due_ms: number | null;
}

interface EventRow {
  id: string;
  time: Date;
  traceparent: string | null;
  data: LifecycleEvent;
}

/** Most receivers with something due that one claim looks at; the next claim goes on behind the last of them. */
const RECEIVERS_AT_ONCE = 250;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** What is in flight at each receiver: `$3` integrations, `$4` how many. */
const BUSY = 'busy AS (SELECT * FROM unnest($3::uuid[], $4::integer[]) AS b (integration_id, count))';

/** Nothing of the blog comes before it at its receiver. */
const IS_OLDEST = `(
  SELECT older.position FROM schedule older
  WHERE older.blog_id = s.blog_id AND older.integration_id = s.integration_id AND older.blog_event_number < s.blog_event_number
  LIMIT 1) IS NULL`;

/** Takes what was `chosen`, less what somebody else has taken meanwhile: `$7` lease in milliseconds, `$8` its token. */
const TAKE = `locked AS (
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
  )`;

/**
 * What was taken. It comes as one document: the driver goes through each column of each row, and all of a receiver's deliveries have
 * its parts in common.
 */
const TAKEN = `
  now()::timestamptz(3) AS began_at,
  (SELECT json_agg(json_build_array(d.id, d.kind, d.attempts, d.trigger, d.lifecycle_event_id, d.integration_id, d.publish_id,
     d.event, CASE d.kind WHEN 'redelivery' THEN d.created_at END,
     coalesce((SELECT r.published FROM receiver_blog r WHERE r.integration_id = d.integration_id AND r.blog_id = d.blog_id), false)
   ) ORDER BY d.position) FROM claimed d) AS deliveries,
  (SELECT json_object_agg(i.id, json_build_array(i.url, i.sealed_secret, i.sealed_headers)) FROM integration i
   WHERE i.id = ANY (ARRAY(SELECT integration_id FROM claimed))) AS targets`;

/**
 * `$1` integration to look behind, `$2` integrations to look at, `$3`, `$4` what is in flight by integration, `$5` most in
 * flight per integration, `$6` most to claim, `$7` lease in milliseconds, `$8` its token, `$9` deliveries that the caller holds.
 *
 * Walks from receiver to receiver that has something due, by the index alone, however much waits at each. Of each it takes
 * what its share allows, of each blog only the oldest. Then projects take turns: each gets its first before any gets its second.
 * What is in flight stands in the schedule too, and is passed over. (A subquery where `NOT EXISTS` or a join would say the same is
 * one look at an index for each candidate, whatever the planner believes.)
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
  ${BUSY},
  candidate AS (
    SELECT found.delivery_id, found.due_at, found.position, i.project_id
    FROM looked_at
    JOIN integration i ON i.id = looked_at.integration_id AND i.deleted_at IS NULL
    LEFT JOIN busy ON busy.integration_id = looked_at.integration_id
    CROSS JOIN LATERAL (
      SELECT s.delivery_id, s.due_at, s.position FROM schedule s
      WHERE s.integration_id = looked_at.integration_id AND s.due_at <= now()
        AND s.delivery_id NOT IN (SELECT unnest($9::uuid[]))
        AND (SELECT d.status FROM delivery d WHERE d.id = s.delivery_id) = 'pending'
        AND ${IS_OLDEST}
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
  ${TAKE}
  SELECT max(integration_id::text) AS last, count(*)::integer AS receivers,
    (SELECT count(*)::integer FROM chosen) AS chosen,
    (SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 FROM schedule
     WHERE due_at AT TIME ZONE 'UTC' > now() AT TIME ZONE 'UTC' ORDER BY due_at AT TIME ZONE 'UTC' LIMIT 1) AS next_due_ms,
    ${TAKEN}
  FROM looked_at`;

/**
 * What waits for the word of these events, which has come: `$1` their ids, `$2` their blogs; the others as for `CLAIM`. What finds no
 * room is left waiting.
 */
const CLAIM_SERVED = `
  WITH
  ${BUSY},
  candidate AS (
    SELECT s.delivery_id, s.position, i.project_id, $5::integer - coalesce(busy.count, 0) AS room,
      row_number() OVER (PARTITION BY s.integration_id ORDER BY s.position) AS place
    FROM schedule s
    JOIN integration i ON i.id = s.integration_id AND i.deleted_at IS NULL
    LEFT JOIN busy ON busy.integration_id = s.integration_id
    WHERE s.blog_id = ANY ($2::uuid[]) AND NOT s.is_retry AND (s.due_at > now()) IS TRUE
      AND (SELECT d.lifecycle_event_id FROM delivery d WHERE d.id = s.delivery_id AND d.status = 'pending') = ANY ($1::uuid[])
      AND ${IS_OLDEST}
  ),
  chosen AS MATERIALIZED (
    SELECT delivery_id FROM (
      SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY position) AS turn FROM candidate WHERE place <= room
    ) in_turn
    ORDER BY turn, position LIMIT $6
  ),
  ${TAKE},
  due AS (
    -- It waits no longer: also where it is given back.
    UPDATE schedule SET due_at = date_trunc('milliseconds', now()) WHERE position = ANY (ARRAY(SELECT position FROM claimed))
  )
  SELECT ${TAKEN}`;

/** `$1` ids of events. */
const LOAD_EVENTS =
  'SELECT id::text, time, traceparent, data FROM lifecycle_event WHERE id = ANY ($1::uuid[]) AND data IS NOT NULL';

/** Events are tried to be loaded again after so long, and so long in all: a process that is to end waits for it. */
const LOAD_AGAIN_MS = 100;
const LOAD_PATIENCE_MS = 5_000;

/** Gives what is due to whoever asks; see {@link DeliveryStore.claim}. */
export interface ClaimStore {
  claim(options: ClaimOptions): Promise<Claim>;
  claimServed(events: readonly ServedEvent[], options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
}

/** The read service's word for an event. */
export type ServedEvent = Pick<BlogServedEvent, 'lifecycle_event_id' | 'blog_id'>;

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

  /** Events of deliveries that are held until then, by the monotonic clock: what is in flight is not given up for one lost connection. */
  const loadEvents = async (ids: readonly string[], heldUntilMs: number): Promise<EventRow[]> => {
    const untilMs = Math.min(heldUntilMs, performance.now() + LOAD_PATIENCE_MS);
    for (;;) {
      try {
        const { rows } = await pool.query<EventRow>({
          name: 'load_events',
          text: LOAD_EVENTS,
          values: [binaryArray('uuid', ids)],
        });
        return rows;
      } catch (error) {
        if (performance.now() + LOAD_AGAIN_MS > untilMs) throw error;
        await sleep(LOAD_AGAIN_MS);
      }
    }
  };

  const eventsOf = async (ids: ReadonlySet<string>, untilMs: number): Promise<ReadonlyMap<string, KnownEvent>> => {
    const found = new Map<string, KnownEvent>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = events.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    // Planned by another replica, or long ago.
    for (const { id, ...event } of await loadEvents(missing, untilMs)) {
      found.set(id, event);
      events.keep(id, event);
    }
    return found;
  };

  const toDeliveries = async (
    { began_at: beganAt, deliveries, targets }: TakenRow,
    lease: { readonly token: string; readonly untilMs: number },
  ): Promise<ClaimedDelivery[]> => {
    const taken = deliveries ?? [];
    const lifecycleEvents = await eventsOf(new Set(taken.map(([, , , , eventId]) => eventId)), lease.untilMs);
    return taken.map(
      ([id, kind, attempt, trigger, eventId, integrationId, publishId, event, askedAt, receiverHasBlog]) => {
        const { time, traceparent, data } = found(lifecycleEvents.get(eventId), `The event ${eventId}`);
        const [url, sealedSecret, sealedHeaders] = found(targets?.[integrationId], `The integration ${integrationId}`);
        return {
          id,
          kind,
          leaseToken: lease.token,
          attempt,
          trigger,
          lifecycleEventId: eventId,
          integrationId,
          projectId: data.project_id,
          blogId: data.blog_id,
          publishId,
          event,
          beganAt,
          traceparent,
          lifecycleEvent: data,
          eventTime: askedAt === null ? time : new Date(askedAt),
          receiverHasBlog,
          url,
          sealedSecret,
          sealedHeaders,
        };
      },
    );
  };

  /** `$3` to `$8`. */
  const valuesOf = ({ limit, perIntegration, inFlight, leaseMs }: ClaimOptions, token: string) => {
    return [
      binaryArray('uuid', [...inFlight.keys()]),
      binaryArray('integer', [...inFlight.values()]),
      perIntegration,
      limit,
      leaseMs,
      token,
    ];
  };

  return {
    async claim(options) {
      const lease = { token: randomUUID(), untilMs: performance.now() + options.leaseMs };
      const { rows } = await pool.query<ClaimRow>({
        name: 'claim',
        text: CLAIM,
        values: [lookBehind, RECEIVERS_AT_ONCE, ...valuesOf(options, lease.token), binaryArray('uuid', options.held)],
      });
      const [row] = rows;
      if (row === undefined) throw new Error('A claim gave no row.');
      const { last, receivers, chosen, next_due_ms: nextDueInMs } = row;
      const claimed = row.deliveries?.length ?? 0;
      const isFirstOfRound = lookBehind === FIRST;
      const isLastOfRound = receivers < RECEIVERS_AT_ONCE;
      lookBehind = isLastOfRound ? FIRST : (last ?? FIRST);
      claimedInRound = (isFirstOfRound ? 0 : claimedInRound) + claimed;
      // After a round of several claims that gave nothing, all that is due is in flight or held back: the end of it rings.
      const mayHaveMore = !isLastOfRound || (!isFirstOfRound && claimedInRound > 0) || claimed < chosen;
      return { deliveries: await toDeliveries(row, lease), mayHaveMore, nextDueInMs };
    },

    async claimServed(served, options) {
      const lease = { token: randomUUID(), untilMs: performance.now() + options.leaseMs };
      const { rows } = await pool.query<TakenRow>({
        name: 'claim_served',
        text: CLAIM_SERVED,
        values: [
          binaryArray(
            'uuid',
            served.map((event) => event.lifecycle_event_id),
          ),
          binaryArray(
            'uuid',
            served.map((event) => event.blog_id),
          ),
          ...valuesOf(options, lease.token),
        ],
      });
      return rows[0] === undefined ? [] : toDeliveries(rows[0], lease);
    },
  };
}

function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} of a delivery was not found.`);
  return value;
}
