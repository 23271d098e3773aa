import type { VisibilityEvent, Trigger } from '@blog-content/payload-schemas';
import { defineStatement } from '../database/statement.ts';
import type { ReceiverParts } from '../integrations/integration-secrets.ts';

/** A delivery as a claim's statement gives it. */
export interface DeliveryOfClaim extends Omit<LeasedDelivery, 'leaseToken' | 'beganAt' | 'traceparent'> {
  /** When it was planned that the blog is sent again; null for a delivery of a lifecycle event. */
  readonly askedAt: string | null;
  readonly receiverHasBlog: boolean;
  readonly receiverSlug: string | null;
}

/** The columns of `CLAIMED`. */
export interface ClaimedRow {
  began_at: Date;
  /** Projects take turns, each in the order in which its own were planned; null when there was nothing. */
  deliveries: DeliveryOfClaim[] | null;
  /** Where they go, by integration. */
  targets: Record<string, ReceiverParts> | null;
}

/** The one row of `claim`. */
export interface ClaimRow extends ClaimedRow {
  /** The last receiver that was looked at, and whether there was none behind it. */
  last: string | null;
  is_last_of_round: boolean;
  /** How many deliveries were chosen, and whether a receiver has more that would have found a slot. */
  chosen: number;
  was_cut: boolean;
  /** Whether anything else is due that the caller does not hold: behind an older one, without a slot, or elsewhere. */
  leaves_some: boolean;
  /** Of the receivers that have more blogs than were gone through: after which one to continue. */
  walked: Record<string, string> | null;
  next_due_ms: number | null;
}

/** Before every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Most receivers with something due that one claim looks at; the next claim continues after the last of them. */
const MAX_RECEIVERS = 250;
/**
 * Most deliveries of one receiver that a claim looks at: those in flight, or behind an older one of their blog, are
 * passed over.
 */
const MAX_DELIVERIES_OF_RECEIVER = 128;
/** Where these hide what else is due there: most deliveries, in the order of blogs, that a claim then goes through. */
const MAX_WALKED_OF_RECEIVER = 256;

/** Free slots at a receiver and of a project, and how many attempts of the project run. */
const SLOTS_AT_RECEIVER = 'coalesce((:slotsAtReceivers::jsonb ->> i.id::text)::integer, :slotsPerReceiver::integer)';
const SLOTS_OF_PROJECT = 'coalesce((:slotsOfProjects::jsonb ->> project_id::text)::integer, :slotsPerProject::integer)';
const RUNNING_OF_PROJECT = 'coalesce((:runningOfProjects::jsonb ->> project_id::text)::integer, 0)';

/** Nothing of the blog comes before it at its receiver. */
const IS_OLDEST = `(
  SELECT older.position FROM delivery_queue older
  WHERE older.blog_id = q.blog_id AND older.integration_id = q.integration_id
    AND older.blog_event_number < q.blog_event_number
  LIMIT 1) IS NULL`;

/** Whether a delivery (alias `d`) is retried. */
export const RETRIES = `(d.trigger = 'autopilot' OR d.retry_manual)`;
/** What `CLAIMED` tells of a delivery, and by what it is found. */
const DELIVERY_COLUMNS = `d.id, d.position, d.kind, d.attempts, d.trigger, ${RETRIES} AS retries,
      d.lifecycle_event_id, d.integration_id, d.project_id, d.blog_id, d.publish_id, d.event, d.created_at`;
/** By what the queue says which delivery is the oldest that is due. */
const QUEUE_COLUMNS = 'delivery_id, due_at, position, blog_id, integration_id, blog_event_number';

/**
 * What was `claimed`. It comes as one document: the driver goes through each column of each row, and all of a
 * receiver's deliveries have its parts in common. In the order in which events are loaded and bodies are built: nothing
 * small of one project waits for all that is large of another.
 */
const CLAIMED = `
  now()::timestamptz(3) AS began_at,
  (SELECT json_agg(json_build_object('id', d.id, 'kind', d.kind, 'attempt', d.attempts, 'trigger', d.trigger,
     'retries', d.retries, 'lifecycleEventId', d.lifecycle_event_id, 'integrationId', d.integration_id,
     'projectId', d.project_id, 'blogId', d.blog_id, 'publishId', d.publish_id, 'event', d.event,
     'askedAt', CASE WHEN d.kind <> 'lifecycle' THEN d.created_at END,
     'receiverHasBlog', coalesce(
       (SELECT r.published FROM receiver_blog r
        WHERE r.integration_id = d.integration_id AND r.blog_id = d.blog_id), false),
     'receiverSlug',
       (SELECT r.slug FROM receiver_blog r
        WHERE r.integration_id = d.integration_id AND r.blog_id = d.blog_id AND r.slug_position = r.position)
   ) ORDER BY d.turn, d.position)
   FROM (SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY position) AS turn FROM claimed) d) AS deliveries,
  (SELECT json_object_agg(i.id, json_build_object(
     'sealedUrl', i.sealed_url, 'sealedSecret', i.sealed_secret, 'sealedHeaders', i.sealed_headers,
     'standardWebhooks', i.standard_webhooks, 'integrationKind', i.kind, 'settings', i.settings)) FROM integration i
   WHERE i.id = ANY (ARRAY(SELECT integration_id FROM claimed))) AS targets`;

/**
 * Claims what is due, behind the receiver `lookBehind` and without the deliveries that the caller `held` already.
 *
 * It walks from receiver to receiver that has something due, by the index alone, however much waits at each. Of each it
 * takes what finds a slot, and no more than its share of its project’s share of all that is to be claimed; of each blog
 * only the oldest. Where a long row of deliveries that cannot go yet comes first, it goes through the receiver’s blogs
 * instead, a part of them each time (`walked`), and looks at the oldest of each: so nothing of one blog hides another.
 * Then projects take turns: those with the fewest running attempts come first. Deliveries in flight are in the queue
 * too, and is passed over.
 *
 * A subquery where `NOT EXISTS` or a join would say the same is one look at an index for each candidate under any
 * planner estimates.
 */
export const claim = defineStatement<ClaimRow>(
  'claim',
  `
  WITH RECURSIVE
  due_at_receiver (integration_id) AS (
    (SELECT integration_id FROM delivery_queue WHERE integration_id > :lookBehind AND due_at <= now()
      ORDER BY integration_id LIMIT 1)
    UNION ALL
    SELECT (SELECT q.integration_id FROM delivery_queue q
            WHERE q.integration_id > due_at_receiver.integration_id AND q.due_at <= now()
            ORDER BY q.integration_id LIMIT 1)
    FROM due_at_receiver WHERE due_at_receiver.integration_id IS NOT NULL
  ),
  looked_at AS MATERIALIZED (
    SELECT integration_id FROM (SELECT integration_id FROM due_at_receiver LIMIT ${MAX_RECEIVERS}) found
    WHERE integration_id IS NOT NULL
  ),
  receiver AS MATERIALIZED (
    SELECT * FROM (
      SELECT i.id, i.project_id, least(${SLOTS_AT_RECEIVER}, ${SLOTS_OF_PROJECT}) AS slots
      FROM looked_at JOIN integration i ON i.id = looked_at.integration_id AND i.deleted_at IS NULL
      -- A suspended project's deliveries wait.
      WHERE (SELECT p.suspended FROM project p WHERE p.id = i.project_id) IS NULL
    ) due WHERE slots > 0
  ),
  sharing AS MATERIALIZED (
    SELECT *, (1 + :limit::integer / count(*) OVER (PARTITION BY project_id)
      / (SELECT count(DISTINCT project_id) FROM receiver))::integer AS share
    FROM receiver
  ),
  first_due AS MATERIALIZED (
    SELECT found.delivery_id, found.due_at, found.position, receiver.id AS integration_id, receiver.project_id,
      receiver.slots, receiver.share
    FROM sharing receiver
    CROSS JOIN LATERAL (
      SELECT q.delivery_id, q.due_at, q.position FROM (
        SELECT ${QUEUE_COLUMNS}, position + 0 AS unindexed_position FROM delivery_queue
        WHERE integration_id = receiver.id AND due_at <= now() AND delivery_id NOT IN (SELECT unnest(:held::uuid[]))
        ORDER BY due_at, position + 0 LIMIT ${MAX_DELIVERIES_OF_RECEIVER}
      ) q
      WHERE (SELECT d.status FROM delivery d WHERE d.id = q.delivery_id) = 'pending' AND ${IS_OLDEST}
      ORDER BY q.due_at, q.unindexed_position
      LIMIT least(receiver.slots, receiver.share)
    ) found
  ),
  hidden AS MATERIALIZED (
    SELECT *, (SELECT count(*) FROM first_due WHERE first_due.integration_id = receiver.id) AS found
      FROM sharing receiver
    WHERE id NOT IN (SELECT integration_id FROM first_due GROUP BY integration_id, slots, share
      HAVING count(*) >= least(slots, share))
      AND (SELECT count(*) FROM (
          SELECT FROM delivery_queue
          WHERE integration_id = receiver.id AND due_at <= now() AND delivery_id NOT IN (SELECT unnest(:held::uuid[]))
          ORDER BY due_at, position + 0 LIMIT ${MAX_DELIVERIES_OF_RECEIVER}
        ) due) = ${MAX_DELIVERIES_OF_RECEIVER}
  ),
  walked AS MATERIALIZED (
    SELECT hidden.id AS integration_id, q.blog_id
    FROM hidden
    CROSS JOIN LATERAL (
      SELECT blog_id FROM delivery_queue
      WHERE uuid_send(integration_id) = uuid_send(hidden.id) AND uuid_send(blog_id)
        > uuid_send(coalesce((:walked::jsonb ->> hidden.id::text)::uuid, '${BEFORE_ALL}'))
      ORDER BY uuid_send(blog_id) LIMIT ${MAX_WALKED_OF_RECEIVER}
    ) q
  ),
  oldest_of_blog AS MATERIALIZED (
    SELECT found.*, hidden.id AS integration_id, hidden.project_id, hidden.slots, hidden.share
    FROM hidden
    CROSS JOIN LATERAL (
      SELECT q.delivery_id, q.due_at, q.position
      FROM (SELECT DISTINCT blog_id FROM walked WHERE integration_id = hidden.id) blog
      CROSS JOIN LATERAL (
        -- Two at most have one number: that of an event, and the one that repeats it.
        SELECT ${QUEUE_COLUMNS} FROM delivery_queue
        WHERE blog_id = blog.blog_id AND integration_id = hidden.id ORDER BY blog_event_number LIMIT 2
      ) q
      WHERE q.due_at <= now()
        AND q.delivery_id NOT IN (SELECT unnest(:held::uuid[]))
        AND q.delivery_id NOT IN (SELECT delivery_id FROM first_due)
        AND (SELECT d.status FROM delivery d WHERE d.id = q.delivery_id) = 'pending' AND ${IS_OLDEST}
      ORDER BY q.due_at, q.position
      LIMIT greatest(0, least(hidden.slots, hidden.share) - hidden.found)
    ) found
  ),
  candidate AS MATERIALIZED (
    SELECT delivery_id, due_at, position, integration_id, project_id, slots, share FROM first_due
    UNION ALL
    SELECT delivery_id, due_at, position, integration_id, project_id, slots, share FROM oldest_of_blog
  ),
  chosen AS MATERIALIZED (
    SELECT delivery_id FROM (
      SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY due_at, position) AS turn FROM candidate
    ) in_turn
    WHERE turn <= ${SLOTS_OF_PROJECT}
    ORDER BY turn + ${RUNNING_OF_PROJECT}, due_at, position LIMIT :limit
  ),
  -- The chosen ones, without those that another process has claimed since.
  locked AS (
    SELECT d.id FROM delivery d WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM chosen)) AND d.status = 'pending'
    ORDER BY d.id FOR UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE delivery d SET status = 'in_flight', attempts = d.attempts + 1, lease_token = :token
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked))
    RETURNING ${DELIVERY_COLUMNS}
  ),
  leased AS (
    INSERT INTO lease (token, began_at, until, delivery_ids)
    SELECT :token, now(), now() + :leaseMs * interval '1 millisecond', array_agg(id) FROM claimed HAVING count(*) > 0
  )
  SELECT max(integration_id::text) AS last, count(*) < ${MAX_RECEIVERS} AS is_last_of_round,
    (SELECT count(*)::integer FROM chosen) AS chosen,
    EXISTS (SELECT FROM candidate GROUP BY integration_id, slots, share
      HAVING count(*) = share AND share < slots) AS was_cut,
    EXISTS (SELECT FROM delivery_queue
      WHERE due_at AT TIME ZONE 'UTC' <= now() AT TIME ZONE 'UTC' AND delivery_id NOT IN (SELECT unnest(:held::uuid[]))
        AND delivery_id NOT IN (SELECT delivery_id FROM chosen)) AS leaves_some,
    (SELECT json_object_agg(integration_id, last_blog_id) FROM (
      SELECT integration_id, max(blog_id::text) AS last_blog_id FROM walked
      GROUP BY integration_id HAVING count(*) = ${MAX_WALKED_OF_RECEIVER}) walked_in_part) AS walked,
    (SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 FROM delivery_queue
     WHERE due_at AT TIME ZONE 'UTC' > now() AT TIME ZONE 'UTC'
     ORDER BY due_at AT TIME ZONE 'UTC' LIMIT 1) AS next_due_ms,
    ${CLAIMED}
  FROM looked_at`,
);

/**
 * After a claim whose answer never came: it has taken what it takes by the end of this statement, which waits for it,
 * or it never will, because a lease of that token is there already.
 */
export const fenceLostClaim = defineStatement<never>(
  'fence_lost_claim',
  `INSERT INTO lease (token, began_at, until, delivery_ids)
   VALUES (:token, now(), now() + :leaseMs * interval '1 millisecond', '{}')
   ON CONFLICT (token) DO NOTHING`,
);

/** What such a claim has taken, without what another process has reclaimed. */
export const findLostClaim = defineStatement<ClaimedRow>(
  'find_lost_claim',
  `WITH claimed AS (
     SELECT ${DELIVERY_COLUMNS} FROM delivery d
     WHERE d.id = ANY (ARRAY(SELECT unnest(delivery_ids) FROM lease WHERE token = :token)) AND d.lease_token = :token
       AND d.status = 'in_flight'
   )
   SELECT ${CLAIMED}`,
);

/** What one claim loads of events, in bytes; the first is loaded at any size. */
export const MAX_LOADED_BYTES = 48 * 1024 * 1024;

/** A lifecycle event of claimed deliveries. */
export interface EventRow {
  id: string;
  time: Date;
  traceparent: string | null;
  /** Null when it is for another claim to load. */
  data: VisibilityEvent | null;
}

/** Loads events in the given order. Of those that are too much together it gives no data. */
export const loadEvents = defineStatement<EventRow>(
  'load_events',
  `SELECT e.id::text, e.time, e.traceparent, CASE WHEN e.bytes_before < ${MAX_LOADED_BYTES} THEN e.data END AS data
   FROM (
     SELECT l.id, l.time, l.traceparent, l.data,
       sum(pg_column_size(l.data)) OVER (ORDER BY asked.index) - pg_column_size(l.data) AS bytes_before
     FROM unnest(:ids::uuid[]) WITH ORDINALITY AS asked (id, index)
     JOIN lifecycle_event l ON l.id = asked.id AND l.data IS NOT NULL
   ) e`,
);

/** A delivery that is claimed: its holder may attempt it. */
export interface LeasedDelivery {
  readonly id: string;
  /**
   * Of a lifecycle event, or of a blog's newest one once more: because its owner asked for it, or because what the blog
   * links to has changed.
   */
  readonly kind: 'lifecycle' | 'redelivery' | 'link_changed';
  /** The fencing token: recording, renewing and releasing need it. */
  readonly leaseToken: string;
  /** Number of the attempt that runs, from 1. */
  readonly attempt: number;
  readonly trigger: Trigger;
  /** Whether another attempt may follow a transient failure, and this one when nobody knows how it ended. */
  readonly retries: boolean;
  readonly lifecycleEventId: string;
  readonly integrationId: string;
  readonly projectId: string;
  readonly blogId: string;
  readonly publishId: string | null;
  /** Name of the lifecycle event, or the webhook event that an earlier attempt sent. */
  readonly event: string;
  /** When the attempt was written down. */
  readonly beganAt: Date;
  readonly traceparent: string | null;
}

/** A delivery just claimed, with all that an attempt needs. */
export interface ClaimedDelivery extends LeasedDelivery, ReceiverParts {
  readonly lifecycleEvent: VisibilityEvent;
  /** When the event happened; where it is repeated, when that was planned. */
  readonly eventTime: Date;
  /** Whether a delivery of this blog to this receiver has succeeded since the last delivered unpublish. */
  readonly receiverHasBlog: boolean;
  /** The slug that the receiver has it under; null where that is not known. */
  readonly receiverSlug: string | null;
}
