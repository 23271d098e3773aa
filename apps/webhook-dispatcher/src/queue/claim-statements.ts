import type { HeldDelivery } from '../attempt/claimed-delivery.ts';

/** The columns of `TAKEN`. */
export interface TakenRow {
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
        projectId: string,
        blogId: string,
        publishId: string | null,
        event: string,
        askedAt: string | null,
        receiverHasBlog: boolean,
      ][]
    | null;
  /** Where it goes, by integration. */
  targets: Record<string, [sealedUrl: string | null, sealedSecret: string | null, sealedHeaders: string | null]> | null;
}

/** The one row of `CLAIM`. */
export interface ClaimRow extends TakenRow {
  /** The last receiver that was looked at, and whether there was none behind it. */
  last: string | null;
  is_last_of_round: boolean;
  /** How many deliveries were chosen, and whether a receiver has more that would have found room. */
  chosen: number;
  was_cut: boolean;
  /** Of the receivers whose blogs were gone through: behind which blog to go on, null where none was left. */
  walked: Record<string, string | null> | null;
  next_due_ms: number | null;
}

/** Before every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Most receivers with something due that one claim looks at; the next claim goes on behind the last of them. */
const RECEIVERS_AT_ONCE = 250;
/** Most deliveries of one receiver that a claim looks at: those in flight, or behind an older one of their blog, are passed over. */
const LOOKED_AT_PER_RECEIVER = 128;
/** Where these hide what else is due there: most blogs of the receiver that a claim then goes through. */
const BLOGS_PER_RECEIVER = 128;

/** Room at a receiver, of a project, and what the project has in flight: `$3` to `$8`. */
const ROOM_AT_RECEIVER = 'coalesce(($3::jsonb ->> i.id::text)::integer, $4::integer)';
const ROOM_OF_PROJECT = 'coalesce(($5::jsonb ->> project_id::text)::integer, $6::integer)';
const IN_FLIGHT_OF_PROJECT = 'coalesce(($7::jsonb ->> project_id::text)::integer, 0)';

/** Nothing of the blog comes before it at its receiver. */
const IS_OLDEST = `(
  SELECT older.position FROM delivery_queue older
  WHERE older.blog_id = s.blog_id AND older.integration_id = s.integration_id AND older.blog_event_number < s.blog_event_number
  LIMIT 1) IS NULL`;

/** Takes what was `chosen`, less what somebody else has taken meanwhile: `$9` lease in milliseconds, `$10` its token. */
const TAKE = `locked AS (
    SELECT d.id FROM delivery d WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM chosen)) AND d.status = 'pending'
    ORDER BY d.id FOR UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE delivery d SET status = 'in_flight', attempts = d.attempts + 1, lease_token = $10
    WHERE d.id = ANY (ARRAY(SELECT id FROM locked))
    RETURNING d.*
  ),
  leased AS (
    INSERT INTO lease (token, began_at, until, delivery_ids)
    SELECT $10, now(), now() + $9 * interval '1 millisecond', array_agg(id) FROM claimed HAVING count(*) > 0
  )`;

/**
 * What was taken. It comes as one document: the driver goes through each column of each row, and all of a receiver's deliveries have
 * its parts in common.
 */
const TAKEN = `
  now()::timestamptz(3) AS began_at,
  (SELECT json_agg(json_build_array(d.id, d.kind, d.attempts, d.trigger, d.lifecycle_event_id, d.integration_id, d.project_id, d.blog_id,
     d.publish_id, d.event, CASE d.kind WHEN 'redelivery' THEN d.created_at END,
     coalesce((SELECT r.published FROM receiver_blog r WHERE r.integration_id = d.integration_id AND r.blog_id = d.blog_id), false)
   ) ORDER BY d.position) FROM claimed d) AS deliveries,
  (SELECT json_object_agg(i.id, json_build_array(i.sealed_url, i.sealed_secret, i.sealed_headers)) FROM integration i
   WHERE i.id = ANY (ARRAY(SELECT integration_id FROM claimed))) AS targets`;

/**
 * `$1` integration to look behind, `$2` deliveries that the caller holds, `$3`, `$4` room at receivers, `$5`, `$6` room of projects,
 * `$7` what projects have in flight, `$8` most to claim, `$9` lease in milliseconds, `$10` its token, `$11` blogs to go on behind, by
 * receiver.
 *
 * Walks from receiver to receiver that has something due, by the index alone, however much waits at each. Of each
 * it takes what there is room for, and no more than its share of its project’s share of all that is to be claimed; of each blog only
 * the oldest. Where a long row of deliveries that cannot go yet comes first, it goes through the receiver’s blogs instead, a part of
 * them each time, and looks at the oldest of each: so nothing of one blog hides another. Then
 * projects take turns: those that have least in flight come first. What is in flight stands in the queue too, and is passed over.
 * (A subquery where `NOT EXISTS` or a join would say the same is one look at an index for each candidate, whatever the planner believes.)
 */
export const CLAIM = `
  WITH RECURSIVE
  due_at_receiver (integration_id) AS (
    (SELECT integration_id FROM delivery_queue WHERE integration_id > $1 AND due_at <= now() ORDER BY integration_id LIMIT 1)
    UNION ALL
    SELECT (SELECT s.integration_id FROM delivery_queue s
            WHERE s.integration_id > due_at_receiver.integration_id AND s.due_at <= now() ORDER BY s.integration_id LIMIT 1)
    FROM due_at_receiver WHERE due_at_receiver.integration_id IS NOT NULL
  ),
  looked_at AS MATERIALIZED (
    SELECT integration_id FROM (SELECT integration_id FROM due_at_receiver LIMIT ${RECEIVERS_AT_ONCE}) found
    WHERE integration_id IS NOT NULL
  ),
  receiver AS MATERIALIZED (
    SELECT * FROM (
      SELECT i.id, i.project_id, least(${ROOM_AT_RECEIVER}, ${ROOM_OF_PROJECT}) AS room
      FROM looked_at JOIN integration i ON i.id = looked_at.integration_id AND i.deleted_at IS NULL
    ) due WHERE room > 0
  ),
  sharing AS MATERIALIZED (
    SELECT *, (1 + $8::integer / count(*) OVER (PARTITION BY project_id) / (SELECT count(DISTINCT project_id) FROM receiver))::integer AS share
    FROM receiver
  ),
  first_due AS MATERIALIZED (
    SELECT found.delivery_id, found.due_at, found.position, receiver.id AS integration_id, receiver.project_id,
      receiver.room, receiver.share
    FROM sharing receiver
    CROSS JOIN LATERAL (
      SELECT s.delivery_id, s.due_at, s.position FROM (
        SELECT *, position + 0 AS place FROM delivery_queue
        WHERE integration_id = receiver.id AND due_at <= now() AND delivery_id NOT IN (SELECT unnest($2::uuid[]))
        ORDER BY due_at, position + 0 LIMIT ${LOOKED_AT_PER_RECEIVER}
      ) s
      WHERE (SELECT d.status FROM delivery d WHERE d.id = s.delivery_id) = 'pending' AND ${IS_OLDEST}
      ORDER BY s.due_at, s.place
      LIMIT least(receiver.room, receiver.share)
    ) found
  ),
  hidden AS MATERIALIZED (
    SELECT *, (SELECT count(*) FROM first_due WHERE first_due.integration_id = receiver.id) AS found FROM sharing receiver
    WHERE id NOT IN (SELECT integration_id FROM first_due GROUP BY integration_id, room, share HAVING count(*) >= least(room, share))
      AND (SELECT count(*) FROM (
          SELECT FROM delivery_queue
          WHERE integration_id = receiver.id AND due_at <= now() AND delivery_id NOT IN (SELECT unnest($2::uuid[]))
          ORDER BY due_at, position + 0 LIMIT ${LOOKED_AT_PER_RECEIVER}
        ) due) = ${LOOKED_AT_PER_RECEIVER}
  ),
  walked AS MATERIALIZED (
    SELECT hidden.id AS integration_id, blog.blog_id, blog.place
    FROM hidden
    CROSS JOIN LATERAL (
      WITH RECURSIVE blog (blog_id, place) AS (
        SELECT coalesce(($11::jsonb ->> hidden.id::text)::uuid, '${BEFORE_ALL}'), 0
        UNION ALL
        SELECT (SELECT s.blog_id FROM delivery_queue s WHERE uuid_send(s.integration_id) = uuid_send(hidden.id)
                  AND uuid_send(s.blog_id) > uuid_send(blog.blog_id)
                ORDER BY uuid_send(s.blog_id) LIMIT 1), place + 1
        FROM blog WHERE blog_id IS NOT NULL AND place < ${BLOGS_PER_RECEIVER}
      )
      SELECT * FROM blog WHERE place > 0
    ) blog
  ),
  oldest_of_blog AS MATERIALIZED (
    SELECT found.*, hidden.id AS integration_id, hidden.project_id, hidden.room, hidden.share
    FROM hidden
    CROSS JOIN LATERAL (
      SELECT s.delivery_id, s.due_at, s.position FROM walked
      CROSS JOIN LATERAL (
        -- Two at most have one number: that of an event, and of a redelivery of it.
        SELECT * FROM delivery_queue
        WHERE blog_id = walked.blog_id AND integration_id = hidden.id ORDER BY blog_event_number LIMIT 2
      ) s
      WHERE walked.integration_id = hidden.id AND s.due_at <= now() AND s.delivery_id NOT IN (SELECT unnest($2::uuid[]))
        AND s.delivery_id NOT IN (SELECT delivery_id FROM first_due)
        AND (SELECT d.status FROM delivery d WHERE d.id = s.delivery_id) = 'pending' AND ${IS_OLDEST}
      ORDER BY s.due_at, s.position
      LIMIT greatest(0, least(hidden.room, hidden.share) - hidden.found)
    ) found
  ),
  candidate AS MATERIALIZED (
    SELECT delivery_id, due_at, position, integration_id, project_id, room, share FROM first_due
    UNION ALL
    SELECT delivery_id, due_at, position, integration_id, project_id, room, share FROM oldest_of_blog
  ),
  chosen AS MATERIALIZED (
    SELECT delivery_id FROM (
      SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY due_at, position) AS turn FROM candidate
    ) in_turn
    WHERE turn <= ${ROOM_OF_PROJECT}
    ORDER BY turn + ${IN_FLIGHT_OF_PROJECT}, due_at, position LIMIT $8
  ),
  ${TAKE}
  SELECT max(integration_id::text) AS last, count(*) < ${RECEIVERS_AT_ONCE} AS is_last_of_round,
    (SELECT count(*)::integer FROM chosen) AS chosen,
    EXISTS (SELECT FROM candidate GROUP BY integration_id, room, share HAVING count(*) = share AND share < room) AS was_cut,
    (SELECT json_object_agg(integration_id, blog_id) FROM walked WHERE blog_id IS NULL OR place = ${BLOGS_PER_RECEIVER}) AS walked,
    (SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 FROM delivery_queue
     WHERE due_at AT TIME ZONE 'UTC' > now() AT TIME ZONE 'UTC' ORDER BY due_at AT TIME ZONE 'UTC' LIMIT 1) AS next_due_ms,
    ${TAKEN}
  FROM looked_at`;

/**
 * What waits for the word of these events, which has come: `$1` their ids, `$2` their blogs; the others as for `CLAIM`. What finds no
 * room is left waiting.
 */
export const CLAIM_SERVED = `
  WITH
  candidate AS (
    SELECT s.delivery_id, s.position, i.project_id, ${ROOM_AT_RECEIVER} AS room,
      row_number() OVER (PARTITION BY s.integration_id ORDER BY s.position) AS place
    FROM delivery_queue s
    JOIN integration i ON i.id = s.integration_id AND i.deleted_at IS NULL
    WHERE s.blog_id = ANY ($2::uuid[]) AND NOT s.is_retry AND (s.due_at > now()) IS TRUE
      AND (SELECT d.lifecycle_event_id FROM delivery d WHERE d.id = s.delivery_id AND d.status = 'pending') = ANY ($1::uuid[])
      AND ${IS_OLDEST}
  ),
  chosen AS MATERIALIZED (
    SELECT delivery_id FROM (
      SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY position) AS turn FROM candidate WHERE place <= room
    ) in_turn
    WHERE turn <= ${ROOM_OF_PROJECT}
    ORDER BY turn + ${IN_FLIGHT_OF_PROJECT}, position LIMIT $8
  ),
  ${TAKE},
  due AS (
    -- It waits no longer: also where it is given back.
    UPDATE delivery_queue SET due_at = date_trunc('milliseconds', now()) WHERE position = ANY (ARRAY(SELECT position FROM claimed))
  )
  SELECT ${TAKEN}`;

/**
 * After a claim with the token `$1` whose answer never came: it has taken what it takes by the end of this statement, which waits for
 * it, or it never will, because a lease of that token is there already. `$2` lease in milliseconds.
 */
export const FENCE_LOST_CLAIM = `
  INSERT INTO lease (token, began_at, until, delivery_ids) VALUES ($1, now(), now() + $2 * interval '1 millisecond', '{}')
  ON CONFLICT (token) DO NOTHING`;

/** What the claim with the token `$1` has taken, as far as nobody else has taken it over. */
export const TAKEN_BY_LOST_CLAIM = `
  WITH claimed AS (
    SELECT d.* FROM delivery d
    WHERE d.id = ANY (ARRAY(SELECT unnest(delivery_ids) FROM lease WHERE token = $1)) AND d.lease_token = $1 AND d.status = 'in_flight'
  )
  SELECT ${TAKEN}`;
