import { deliveriesTopic } from '@blog-content/payload-schemas';
import { defineRows, defineStatement, type RowOf } from '../database/statement.ts';
import { EVENT_SOURCE, DUE_CHANNEL } from './queue-transaction-store.ts';

/** An integration that may get deliveries. */
export interface ActiveIntegrationRow {
  id: string;
  shown_url: string;
  project_id: string;
  heals_links: boolean;
  retries_manual: boolean;
}

export interface PlanningRow {
  /** Ids of events that have been planned. */
  known: string[];
  /** Ids of events that were acknowledged before they were planned; the acknowledgement is not needed any longer. */
  served: string[];
  /** Number of the newest event planned so far, by blog. */
  newest: Record<string, number>;
  integrations: ActiveIntegrationRow[];
  /** Whether something waits that a newer event takes the place of. */
  has_supersedable: boolean;
}

/**
 * What is known of events. Integrations are locked FOR SHARE: one that is being deleted is either not seen, or deleted
 * after its deliveries are planned.
 */
export const loadPlanning = defineStatement<PlanningRow>(
  'load_planning',
  `
  WITH served AS (DELETE FROM served_event WHERE lifecycle_event_id = ANY (:eventIds::uuid[])
    RETURNING lifecycle_event_id AS id)
  SELECT
    ARRAY(SELECT id::text FROM lifecycle_event WHERE id = ANY (:eventIds::uuid[])) AS known,
    ARRAY(SELECT id::text FROM served) AS served,
    (SELECT coalesce(json_object_agg(blog_id, blog_event_number), '{}') FROM lifecycle_event
     WHERE blog_id = ANY (:blogIds::uuid[]) AND newest) AS newest,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'shown_url', shown_url, 'project_id', project_id,
       'heals_links', heal_links, 'retries_manual', retry_manual)), '[]')
     FROM (
       SELECT id, shown_url, project_id, heal_links, retry_manual FROM integration
       WHERE project_id = ANY (:projectIds::uuid[]) AND active AND deleted_at IS NULL
       ORDER BY position FOR SHARE
     ) receiver) AS integrations,
    EXISTS (SELECT FROM delivery_queue WHERE blog_id = ANY (:blogIds::uuid[]) AND (is_retry OR kind = 'link_changed'))
      AS has_supersedable`,
);

export const forgetNewest = defineStatement<never>(
  'forget_newest',
  'UPDATE lifecycle_event SET newest = false WHERE newest AND blog_id = ANY (:blogIds::uuid[])',
);

const eventColumns = {
  id: 'uuid',
  project_id: 'uuid',
  blog_id: 'uuid',
  blog_event_number: 'integer',
  time: 'timestamptz',
  traceparent: 'text',
  newest: 'boolean',
  data: 'text',
} as const;
/** Lifecycle events; their `data` is JSON. */
export const givenEvents = defineRows('event', eventColumns);

const deliveryColumns = {
  id: 'uuid',
  kind: 'text',
  lifecycle_event_id: 'uuid',
  integration_id: 'uuid',
  project_id: 'uuid',
  blog_id: 'uuid',
  blog_event_number: 'integer',
  publish_id: 'uuid',
  trigger: 'text',
  retry_manual: 'boolean',
  event: 'text',
  /** By the database's clock, which also decides what is due. */
  due_in_ms: 'integer',
} as const;
/** Deliveries that are planned. */
export const givenDeliveries = defineRows('planned', deliveryColumns);
export type PlannedRow = RowOf<typeof deliveryColumns>;

/** Puts deliveries into the log and into the queue, in the order they are given. */
const INSERT_DELIVERIES = `
    new_delivery AS MATERIALIZED (
      SELECT *, nextval('delivery_position_seq') AS position FROM ${givenDeliveries.from}
    ),
    queued AS (
      INSERT INTO delivery_queue (position, delivery_id, integration_id, blog_id, blog_event_number, kind, due_at)
      SELECT position, id, integration_id, blog_id, blog_event_number, kind,
        date_trunc('milliseconds', now()) + due_in_ms * interval '1 millisecond'
      FROM new_delivery
    ),
    logged AS (
      INSERT INTO delivery (id, position, kind, lifecycle_event_id, integration_id, project_id, blog_id,
        blog_event_number, publish_id, trigger, retry_manual, event, status)
      SELECT id, position, kind, lifecycle_event_id, integration_id, project_id, blog_id, blog_event_number,
        publish_id, trigger, retry_manual, event, 'pending'
      FROM new_delivery
    )`;

/** Writes events with their deliveries; `plannedEvents`, a JSON array, go into the outbox. */
export const writePlan = defineStatement<unknown>(
  'write_plan',
  `
  WITH kept AS (
    INSERT INTO lifecycle_event (id, project_id, blog_id, blog_event_number, time, traceparent, newest, data)
    SELECT id, project_id, blog_id, blog_event_number, time, traceparent, newest, data::json
    FROM ${givenEvents.from}
  ),
  planned_events AS (
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, bundle)
    SELECT gen_random_uuid(), '${deliveriesTopic.name}', 'deliveries.planned', '${EVENT_SOURCE}', '', '', 'null', now(),
      (:plannedEvents)::json
  ),
  ${INSERT_DELIVERIES}
  SELECT pg_notify('${DUE_CHANNEL}', '') WHERE :isDueSoon::boolean`,
);

export const insertDeliveries = defineStatement<unknown>('insert_deliveries', `WITH ${INSERT_DELIVERIES} SELECT 1`);

/** Makes due what waits for these events, and wakes the workers. A row when something waited. */
export const markServed = defineStatement<unknown>(
  'mark_served',
  `SELECT pg_notify('${DUE_CHANNEL}', '') FROM mark_served(:eventIds::uuid[], :blogIds::uuid[]) AS moved WHERE moved`,
);
