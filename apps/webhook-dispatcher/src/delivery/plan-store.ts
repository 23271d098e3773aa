import { randomUUID } from 'node:crypto';
import type { ReceivedEvent } from '@blog-content/event-log';
import type { BlogServedEvent, LifecycleEvent } from '@blog-content/payload-schemas';
import { escapeLiteral } from 'pg';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, SchedulePool } from '../open-database.ts';
import {
  DUE_CHANNEL,
  idsOf,
  insertOutbox,
  lockBlogs,
  lockBlogsSql,
  notifyDue,
  outboxRow,
  supersedeRetries,
} from './finish-store.ts';
import { type ActiveIntegration, type PlannedDelivery, planDeliveries } from './plan-deliveries.ts';

type Lifecycle = Pick<ReceivedEvent<LifecycleEvent>, 'id' | 'time' | 'traceparent' | 'data'>;

/** Turns lifecycle events into rows of the schedule. */
export interface PlanStore {
  /**
   * Plans the deliveries of events in order, in one transaction with the `deliveries.planned` events; events already
   * planned are passed over. A newer event of a blog supersedes retries of older ones (decisions "Lifecycle").
   */
  plan(events: readonly Lifecycle[], options: { servedWaitMs: number }): Promise<void>;
  /** The read service serves these events: their deliveries are due now, also when they are planned only later. */
  markServed(events: readonly BlogServedEvent[]): Promise<void>;
}

/** A planned delivery with its identity and the event it comes from. */
interface NewDelivery extends PlannedDelivery {
  readonly id: string;
  readonly event: Lifecycle;
}

const markServedSql = (ids: string): string => `
  WITH moved AS (
    UPDATE delivery SET due_at = now()
    WHERE lifecycle_event_id = ANY (${ids}::uuid[]) AND status = 'pending' AND attempts = 0 AND due_at > now()
    RETURNING 1
  ),
  told_early AS (
    INSERT INTO served_event (lifecycle_event_id)
    SELECT id FROM unnest(${ids}::uuid[]) AS served (id)
    WHERE NOT EXISTS (SELECT FROM lifecycle_event e WHERE e.id = served.id)
    ON CONFLICT DO NOTHING
  )
  SELECT pg_notify('${DUE_CHANNEL}', '') WHERE EXISTS (SELECT FROM moved)`;

/** An array of ids as a literal. */
const uuidArray = (ids: readonly string[]): string => escapeLiteral(`{${ids.join(',')}}`);

export function createPlanStore(database: Database, pool: SchedulePool): PlanStore {
  return {
    async plan(received, { servedWaitMs }) {
      await database.$transaction(async (tx) => {
        await lockBlogs(
          tx,
          received.map((event) => event.data.blog_id),
        );
        const known = await loadPlanned(tx, received);
        const events = firstOfEach(received).filter((event) => !known.ids.has(event.id));
        if (events.length === 0) return;
        const integrations = await loadActiveIntegrations(tx, events);
        const served = await takeServed(tx, events);
        const newestByBlog = new Map(known.newestBefore);

        const planned = events.map((event) => {
          const { blog_id, blog_event_number, project_id } = event.data;
          const newestPlanned = newestByBlog.get(blog_id) ?? 0;
          newestByBlog.set(blog_id, Math.max(newestPlanned, blog_event_number));
          const deliveries = planDeliveries(
            { time: new Date(event.time), data: event.data },
            {
              integrations: integrations.get(project_id) ?? [],
              served: served.has(event.id),
              servedWaitMs,
              newestPlanned,
            },
          ).map((delivery): NewDelivery => ({ ...delivery, id: randomUUID(), event }));
          return { event, deliveries };
        });

        await insertEvents(tx, planned, newestOf(events, known.newestBefore));
        await insertDeliveries(
          tx,
          planned.flatMap(({ deliveries }) => deliveries),
        );
        await insertOutbox(tx, planned.map(plannedOutboxRow));
        await supersedeRetries(tx, Prisma.sql`d.blog_id = ANY (${events.map((event) => event.data.blog_id)}::uuid[])`);
        await notifyDue(tx);
      });
    },

    async markServed(events) {
      // Statements in one text are one transaction and one round trip: every delivery waits for this one.
      await pool.query(`
        ${lockBlogsSql(uuidArray(idsOf(events.map((event) => event.blog_id))))};
        ${markServedSql(uuidArray(events.map((event) => event.lifecycle_event_id)))}`);
    },
  };
}

/** The log delivers at least once: a batch may hold an event twice. */
function firstOfEach(events: readonly Lifecycle[]): Lifecycle[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

async function loadPlanned(tx: Prisma.TransactionClient, events: readonly Lifecycle[]) {
  const ids = await tx.lifecycleEvent.findMany({
    where: { id: { in: events.map((event) => event.id) } },
    select: { id: true },
  });
  const newest = await tx.lifecycleEvent.groupBy({
    by: ['blogId'],
    where: { blogId: { in: events.map((event) => event.data.blog_id) } },
    _max: { blogEventNumber: true },
  });
  return {
    ids: new Set(ids.map((row) => row.id)),
    newestBefore: new Map(newest.map((row) => [row.blogId, row._max.blogEventNumber ?? 0])),
  };
}

/** FOR SHARE: an integration that is being deleted is either not seen, or deleted after its deliveries are planned. */
async function loadActiveIntegrations(
  tx: Prisma.TransactionClient,
  events: readonly Lifecycle[],
): Promise<Map<string, ActiveIntegration[]>> {
  const projectIds = [...new Set(events.map((event) => event.data.project_id))];
  const rows = await tx.$queryRaw<{ id: string; url: string; project_id: string; created_at: Date }[]>`
    SELECT id, url, project_id, created_at FROM integration
    WHERE project_id = ANY (${projectIds}::uuid[]) AND active AND deleted_at IS NULL
    ORDER BY position
    FOR SHARE`;
  return Map.groupBy(
    rows.map((row) => ({ id: row.id, url: row.url, projectId: row.project_id, createdAt: row.created_at })),
    (row) => row.projectId,
  );
}

/** The events the read service had already spoken of; its word is not needed any longer. */
async function takeServed(tx: Prisma.TransactionClient, events: readonly Lifecycle[]): Promise<Set<string>> {
  const ids = events.map((event) => event.id);
  const rows = await tx.$queryRaw<{ lifecycle_event_id: string }[]>`
    DELETE FROM served_event WHERE lifecycle_event_id = ANY (${ids}::uuid[]) RETURNING lifecycle_event_id`;
  return new Set(rows.map((row) => row.lifecycle_event_id));
}

interface Planned {
  readonly event: Lifecycle;
  readonly deliveries: readonly NewDelivery[];
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

async function insertEvents(
  tx: Prisma.TransactionClient,
  planned: readonly Planned[],
  newest: ReadonlySet<string>,
): Promise<void> {
  const overtaken = planned.filter(({ event }) => newest.has(event.id)).map(({ event }) => event.data.blog_id);
  await tx.lifecycleEvent.updateMany({ where: { newest: true, blogId: { in: overtaken } }, data: { newest: false } });
  const rows = planned.map(({ event, deliveries }) => ({
    id: event.id,
    project_id: event.data.project_id,
    blog_id: event.data.blog_id,
    blog_event_number: event.data.blog_event_number,
    time: event.time,
    traceparent: event.traceparent ?? null,
    newest: newest.has(event.id),
    // The body is kept only for as long as somebody is to get it, or may ask for it to be delivered again.
    data: deliveries.length > 0 || newest.has(event.id) ? event.data : null,
  }));
  await tx.$executeRaw`
    INSERT INTO lifecycle_event (id, project_id, blog_id, blog_event_number, time, traceparent, newest, data)
    SELECT id, project_id, blog_id, blog_event_number, time, traceparent, newest, data
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id uuid, project_id uuid, blog_id uuid,
      blog_event_number integer, time timestamptz, traceparent text, newest boolean, data jsonb)`;
}

async function insertDeliveries(tx: Prisma.TransactionClient, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ id, integrationId, dueInMs, event }) => ({
    id,
    lifecycle_event_id: event.id,
    integration_id: integrationId,
    project_id: event.data.project_id,
    blog_id: event.data.blog_id,
    blog_event_number: event.data.blog_event_number,
    publish_id: publishId(event.data),
    trigger: event.data.trigger,
    event: event.data.event,
    due_in_ms: dueInMs,
  }));
  // The database's clock, which also decides what is due.
  await tx.$executeRaw`
    INSERT INTO delivery (id, lifecycle_event_id, integration_id, project_id, blog_id, blog_event_number, publish_id,
      trigger, event, status, due_at)
    SELECT id, lifecycle_event_id, integration_id, project_id, blog_id, blog_event_number, publish_id,
      trigger, event, 'pending', now() + due_in_ms * interval '1 millisecond'
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id uuid, lifecycle_event_id uuid,
      integration_id uuid, project_id uuid, blog_id uuid, blog_event_number integer, publish_id uuid, trigger text,
      event text, due_in_ms integer)`;
}

function plannedOutboxRow({ event, deliveries }: Planned): Prisma.OutboxEventCreateManyInput {
  return outboxRow(
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

function publishId(event: LifecycleEvent): string | null {
  return event.event === 'blog.published' ? event.publish_id : null;
}
