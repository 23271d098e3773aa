import { randomUUIDv7 } from 'node:crypto';
import { type EventEnvelope, type ReceivedEvent, toBundled } from '@blog-content/event-log';
import { type BlogServedEvent, type LifecycleEvent, showsBlog } from '@blog-content/payload-schemas';
import { binaryArray } from '@blog-content/postgres';
import { escapeLiteral, type PoolClient } from 'pg';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, QueuePool } from '../database/open-database.ts';
import type { EventCache, KnownEvent } from '../queue/event-cache.ts';
import { DUE_CHANNEL, envelopeOf, idsOf, insertBundleSql, lockBlogs, supersedeRetries } from '../queue/finish-store.ts';
import { type NewDelivery, newDeliverySql, newDeliveryValues } from '../queue/new-delivery-store.ts';
import { type ActiveIntegration, type PlannedDelivery, planDeliveries } from './plan-deliveries.ts';
import { rowsSql, rowValues } from '../database/rows.ts';
import { POLL_INTERVAL_MS } from '../queue/delivery-worker.ts';

type Lifecycle = Pick<ReceivedEvent<LifecycleEvent>, 'id' | 'time' | 'traceparent' | 'data'>;

/** Turns lifecycle events into rows of the queue. */
export interface PlanStore {
  /**
   * Plans the deliveries of events in order, in one transaction with the `deliveries.planned` events; events already
   * planned are passed over. A newer event of a blog supersedes retries of older ones (decisions "Lifecycle"). Gives the
   * events that have deliveries now.
   */
  plan(events: readonly Lifecycle[], options: { servedWaitMs: number }): Promise<readonly LifecycleEvent[]>;
  /**
   * The read service serves these events: their deliveries are due now, also when they are planned only later. Whether any was waiting
   * for that.
   */
  markServed(events: readonly BlogServedEvent[]): Promise<boolean>;
}

/** `$1` ids of events, `$2` of their blogs in the order of {@link idsOf}. A row, and word to the workers, when something waited. */
const MARK_SERVED = `
  SELECT pg_notify('${DUE_CHANNEL}', '') FROM mark_served($1::uuid[], $2::uuid[]) AS moved WHERE moved`;

/**
 * `$1` ids of events, `$2` of their blogs, `$3` of their projects. Integrations are locked FOR SHARE: one that is being deleted is
 * either not seen, or deleted after its deliveries are planned.
 */
const LOAD = `
  WITH served AS (DELETE FROM served_event WHERE lifecycle_event_id = ANY ($1::uuid[]) RETURNING lifecycle_event_id AS id)
  SELECT
    ARRAY(SELECT id::text FROM lifecycle_event WHERE id = ANY ($1::uuid[])) AS known,
    ARRAY(SELECT id::text FROM served) AS served,
    (SELECT coalesce(json_object_agg(blog_id, blog_event_number), '{}') FROM lifecycle_event
     WHERE blog_id = ANY ($2::uuid[]) AND newest) AS newest,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'shown_url', shown_url, 'project_id', project_id)), '[]')
     FROM (
       SELECT id, shown_url, project_id FROM integration
       WHERE project_id = ANY ($3::uuid[]) AND active AND deleted_at IS NULL
       ORDER BY position FOR SHARE
     ) receiver) AS integrations,
    EXISTS (SELECT FROM delivery_queue WHERE blog_id = ANY ($2::uuid[]) AND is_retry) AS has_retries`;

interface LoadedRow {
  /** Ids of events that have been planned. */
  known: string[];
  /** Ids of events that the read service had already spoken of; its word is not needed any longer. */
  served: string[];
  /** Number of the newest event planned so far, by blog. */
  newest: Record<string, number>;
  integrations: (ActiveIntegration & { project_id: string })[];
  has_retries: boolean;
}

const FORGET_NEWEST = 'UPDATE lifecycle_event SET newest = false WHERE newest AND blog_id = ANY ($1::uuid[])';

const EVENT_COLUMNS = {
  id: 'uuid',
  project_id: 'uuid',
  blog_id: 'uuid',
  blog_event_number: 'integer',
  time: 'timestamptz',
  traceparent: 'text',
  newest: 'boolean',
  data: 'text',
} as const;

/** `$1` to `$8` the events, a column each; `$9` what is told, as JSON; `$10` whether to wake the workers; then the deliveries. */
const WRITE = `
  WITH kept AS (
    INSERT INTO lifecycle_event (id, project_id, blog_id, blog_event_number, time, traceparent, newest, data)
    SELECT id, project_id, blog_id, blog_event_number, time, traceparent, newest, data::json
    FROM ${rowsSql(EVENT_COLUMNS, 1)}
  ),
  told AS (
    ${insertBundleSql('deliveries.planned', '$9')}
  ),
  ${newDeliverySql(11)}
  SELECT pg_notify('${DUE_CHANNEL}', '') WHERE $10::boolean`;

export function createPlanStore(database: Database, pool: QueuePool, cache: EventCache): PlanStore {
  /** Plans those that are new; gives what came of it, and whether retries of their blogs wait. */
  const planNew = async (
    client: PoolClient,
    received: readonly Lifecycle[],
    servedWaitMs: number,
  ): Promise<{ planned: readonly Planned[]; hasRetries: boolean }> => {
    const blogIds = idsOf(received.map((event) => event.data.blog_id));
    const projectIds = idsOf(received.map((event) => event.data.project_id));
    await client.query(`BEGIN; SELECT lock_blogs(${escapeLiteral(`{${blogIds.join(',')}}`)})`);
    const { rows } = await client.query<LoadedRow>({
      name: 'plan_load',
      text: LOAD,
      values: [
        binaryArray(
          'uuid',
          received.map(({ id }) => id),
        ),
        binaryArray('uuid', blogIds),
        binaryArray('uuid', projectIds),
      ],
    });
    const [loaded] = rows;
    if (loaded === undefined) throw new Error('What is known of the events was not read.');
    const known = new Set(loaded.known);
    const events = firstOfEach(received).filter((event) => !known.has(event.id));
    const newestBefore = new Map(Object.entries(loaded.newest));
    const planned = planEach(events, loaded, newestBefore, servedWaitMs);
    if (events.length > 0) {
      const newest = newestOf(events, newestBefore);
      const overtaken = events.flatMap(({ id, data: { blog_id } }) =>
        newest.has(id) && newestBefore.has(blog_id) ? [blog_id] : [],
      );
      if (overtaken.length > 0) {
        await client.query({
          name: 'plan_forget_newest',
          text: FORGET_NEWEST,
          values: [binaryArray('uuid', overtaken)],
        });
      }
      await client.query({ name: 'plan_write', text: WRITE, values: writeValues(planned, newest) });
    }
    await client.query('COMMIT');
    return { planned, hasRetries: loaded.has_retries };
  };

  return {
    async plan(received, { servedWaitMs }) {
      const { planned, hasRetries } = await inTransaction(pool, (client) => planNew(client, received, servedWaitMs));
      for (const { event, deliveries } of planned) {
        if (deliveries.length > 0) cache.keep(event.id, knownEvent(event));
      }
      // Afterwards, also of events that had been planned: a process that died in between left it undone.
      if (hasRetries) await supersedeRetriesOf(database, idsOf(received.map((event) => event.data.blog_id)));
      return planned.filter(({ deliveries }) => deliveries.length > 0).map(({ event }) => event.data);
    },

    async markServed(events) {
      const { rowCount } = await pool.query({
        name: 'mark_served',
        text: MARK_SERVED,
        values: [
          binaryArray(
            'uuid',
            events.map((event) => event.lifecycle_event_id),
          ),
          binaryArray('uuid', idsOf(events.map((event) => event.blog_id))),
        ],
      });
      return rowCount !== 0;
    },
  };
}

/** The log delivers at least once: a batch may hold an event twice. */
function firstOfEach(events: readonly Lifecycle[]): Lifecycle[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** Runs what begins and commits a transaction; leaves none open, and no connection that may have one. */
async function inTransaction<Result>(pool: QueuePool, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await run(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function supersedeRetriesOf(database: Database, blogIds: readonly string[]): Promise<void> {
  await database.$transaction(async (tx) => {
    await lockBlogs(tx, blogIds);
    await supersedeRetries(tx, Prisma.sql`s.blog_id = ANY (${[...blogIds]}::uuid[])`);
  });
}

function planEach(
  events: readonly Lifecycle[],
  loaded: LoadedRow,
  newestBefore: ReadonlyMap<string, number>,
  servedWaitMs: number,
): Planned[] {
  const served = new Set(loaded.served);
  const integrations = Map.groupBy(loaded.integrations, (integration) => integration.project_id);
  const newestByBlog = new Map(newestBefore);
  return events.map((event) => {
    const { blog_id, blog_event_number, project_id } = event.data;
    const newestPlanned = newestByBlog.get(blog_id) ?? 0;
    newestByBlog.set(blog_id, Math.max(newestPlanned, blog_event_number));
    const deliveries = planDeliveries(event.data, {
      integrations: integrations.get(project_id) ?? [],
      served: served.has(event.id),
      servedWaitMs,
      newestPlanned,
    }).map((delivery) => ({ ...delivery, id: randomUUIDv7() }));
    return { event, deliveries };
  });
}

interface Planned {
  readonly event: Lifecycle;
  readonly deliveries: readonly (PlannedDelivery & { readonly id: string })[];
}

/** The ids of those events that are the newest of their blogs from now on. */
function newestOf(events: readonly Lifecycle[], newestBefore: ReadonlyMap<string, number>): Set<string> {
  const newest = new Map<string, Lifecycle>();
  for (const event of events) {
    const { blog_id, blog_event_number } = event.data;
    const known = newest.get(blog_id)?.data.blog_event_number ?? newestBefore.get(blog_id) ?? 0;
    if (blog_event_number > known) newest.set(blog_id, event);
  }
  return new Set([...newest.values()].map(({ id }) => id));
}

/** The parameters of `WRITE`. */
function writeValues(planned: readonly Planned[], newest: ReadonlySet<string>): (string | boolean | Buffer)[] {
  const events = planned.map(({ event: { id, time, traceparent, data }, deliveries }) => ({
    id,
    project_id: data.project_id,
    blog_id: data.blog_id,
    blog_event_number: data.blog_event_number,
    time: new Date(time),
    traceparent: traceparent ?? null,
    newest: newest.has(id),
    // The body is kept only for as long as somebody is to get it, or may ask for it to be delivered again.
    data: deliveries.length > 0 || newest.has(id) ? JSON.stringify(data) : null,
  }));
  return [
    ...rowValues(EVENT_COLUMNS, events),
    `[${planned.map((one) => toBundled(plannedEvent(one))).join(',')}]`,
    // What becomes due later is seen in time by workers that look again anyway; a claim in vain would keep the next one waiting.
    planned.some(({ deliveries }) => deliveries.some(({ dueInMs }) => dueInMs < POLL_INTERVAL_MS)),
    ...newDeliveryValues(planned.flatMap(newDeliveries)),
  ];
}

function newDeliveries({ event: { id, data }, deliveries }: Planned): NewDelivery[] {
  return deliveries.map((delivery) => ({
    id: delivery.id,
    kind: 'lifecycle',
    lifecycle_event_id: id,
    integration_id: delivery.integrationId,
    project_id: data.project_id,
    blog_id: data.blog_id,
    blog_event_number: data.blog_event_number,
    publish_id: publishId(data),
    trigger: data.trigger,
    event: data.event,
    due_in_ms: delivery.dueInMs,
  }));
}

function plannedEvent({ event, deliveries }: Planned): EventEnvelope {
  return envelopeOf(
    {
      event: 'deliveries.planned',
      project_id: event.data.project_id,
      blog_id: event.data.blog_id,
      lifecycle_event_id: event.id,
      publish_id: publishId(event.data),
      deliveries: deliveries.map(({ id, integrationId, receiver }) => ({
        delivery_id: id,
        integration_id: integrationId,
        receiver,
      })),
    },
    event.traceparent ?? null,
  );
}

function knownEvent({ time, traceparent, data }: Lifecycle): KnownEvent {
  return { time: new Date(time), traceparent: traceparent ?? null, data };
}

function publishId(event: LifecycleEvent): string | null {
  return showsBlog(event) ? event.publish_id : null;
}
