import { randomUUIDv7 } from 'node:crypto';
import { type EventEnvelope, type ReceivedEvent, toBundled } from '@blog-content/event-log';
import {
  type BlogServedEvent,
  type BlogSlugsChangedEvent,
  type VisibilityEvent,
  showsBlog,
} from '@blog-content/payload-schemas';
import { binaryArray, inTransaction } from '@blog-content/postgres';
import type { PoolClient } from 'pg';
import type { Parameters } from '../database/statement.ts';
import type { Database, QueuePool } from '../database/open-database.ts';
import { POLL_INTERVAL_MS } from '../attempt/delivery-worker.ts';
import type { EventCache, KnownEvent } from '../payload/event-cache.ts';
import { envelopeOf, idsOf, lockBlogs, lockBlogsInOrder } from '../queue/queue-transaction-store.ts';
import {
  forgetNewest,
  givenDeliveries,
  givenEvents,
  loadPlanning,
  markServed,
  type PlannedRow,
  type PlanningRow,
  writePlan,
} from '../queue/planning-statements.ts';
import { supersedeWaiting } from '../queue/waiting-store.ts';
import { keepLinksOf } from '../link-healing/keep-links.ts';

type Lifecycle = Pick<ReceivedEvent<VisibilityEvent>, 'id' | 'time' | 'traceparent' | 'data'>;

export type PlanStore = ReturnType<typeof createPlanStore>;

/** Turns lifecycle events into rows of the queue. */
export function createPlanStore(database: Database, pool: QueuePool, cache: EventCache) {
  /** Plans the new ones; returns the plans, and whether retries of their blogs wait. */
  const planNew = async (
    client: PoolClient,
    received: readonly Lifecycle[],
    servedWaitMs: number,
  ): Promise<{ planned: readonly EventPlan[]; hasSupersedable: boolean }> => {
    const blogIds = idsOf(received.map((event) => event.data.blog_id));
    const projectIds = idsOf(received.map((event) => event.data.project_id));
    await lockBlogsInOrder.run(client, { blogIds: binaryArray('uuid', blogIds) });
    const [loaded] = await loadPlanning.run(client, {
      eventIds: binaryArray(
        'uuid',
        received.map(({ id }) => id),
      ),
      blogIds: binaryArray('uuid', blogIds),
      projectIds: binaryArray('uuid', projectIds),
    });
    if (loaded === undefined) throw new Error('The state of the events was not loaded.');
    const known = new Set(loaded.known);
    const events = firstOfEach(received).filter((event) => !known.has(event.id));
    const newestBefore = new Map(Object.entries(loaded.newest));
    const planned = planEach(events, loaded, newestBefore, servedWaitMs);
    if (events.length > 0) {
      const newest = newestOf(events, newestBefore);
      const overtaken = events.flatMap(({ id, data: { blog_id } }) =>
        newest.has(id) && newestBefore.has(blog_id) ? [blog_id] : [],
      );
      if (overtaken.length > 0) await forgetNewest.run(client, { blogIds: binaryArray('uuid', overtaken) });
      await writePlan.run(client, parametersOf(planned, newest));
      const healed = new Set(loaded.integrations.flatMap((one) => (one.heals_links ? [one.project_id] : [])));
      const kept = events.filter(({ id }) => newest.has(id)).map(({ data }) => data);
      await keepLinksOf(client, kept, (projectId) => healed.has(projectId));
    }
    return { planned, hasSupersedable: loaded.has_supersedable };
  };

  return {
    /**
     * Plans the deliveries of events in order, in one transaction with the `deliveries.planned` events; events already
     * planned are passed over. A newer event of a blog supersedes retries of older ones (contract §3.1). Gives
     * the events that have deliveries now.
     */
    async plan(
      received: readonly Lifecycle[],
      { servedWaitMs }: { readonly servedWaitMs: number },
    ): Promise<readonly VisibilityEvent[]> {
      const { planned, hasSupersedable } = await inTransaction(pool, 'BEGIN', (client) =>
        planNew(client, received, servedWaitMs),
      );
      for (const { event, deliveries } of planned) {
        if (deliveries.length > 0) cache.keep(event.id, knownEvent(event));
      }
      // Afterwards, also of events that had been planned: a process that died in between left it undone.
      if (hasSupersedable) await supersedeWaitingOf(database, idsOf(received.map((event) => event.data.blog_id)));
      return planned.filter(({ deliveries }) => deliveries.length > 0).map(({ event }) => event.data);
    },

    /** Keeps what links to blogs need to know of their new slugs; what is older than what is known changes nothing. */
    async keepSlugs(events: readonly BlogSlugsChangedEvent[]): Promise<void> {
      const newest = [...new Map(events.map((event) => [event.blog_id, event])).values()];
      if (newest.length === 0) return;
      const blogIds = idsOf(newest.map((event) => event.blog_id));
      await inTransaction(pool, 'BEGIN', async (client) => {
        await lockBlogsInOrder.run(client, { blogIds: binaryArray('uuid', blogIds) });
        await keepLinksOf(client, newest, () => true);
      });
    },

    /**
     * The read service serves these events: their deliveries are due now, also when they are planned only later.
     * Whether any was waiting for that.
     */
    async markServed(events: readonly BlogServedEvent[]): Promise<boolean> {
      const eventIds = events.map((event) => event.lifecycle_event_id);
      const blogIds = idsOf(events.map((event) => event.blog_id));
      const moved = await markServed.run(pool, {
        eventIds: binaryArray('uuid', eventIds),
        blogIds: binaryArray('uuid', blogIds),
      });
      return moved.length > 0;
    },
  };
}

/** The log delivers at least once: a batch may hold an event twice. */
function firstOfEach(events: readonly Lifecycle[]): Lifecycle[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

async function supersedeWaitingOf(database: Database, blogIds: readonly string[]): Promise<void> {
  await database.$transaction(async (tx) => {
    await lockBlogs(tx, blogIds);
    await supersedeWaiting(tx, { blogIds });
  });
}

/**
 * Plans one delivery per active integration (contract §1.4): of those that are there when the event is planned, so that
 * no clock decides who gets it (ADR 18). None for an event that is not newer than one already planned: the receivers
 * have the newer truth or are about to get it, and one that was added since gets nothing of what was planned before
 * (contract §1.5). None for a repair that is for readers only (ADR 43).
 */
function planEach(
  events: readonly Lifecycle[],
  loaded: PlanningRow,
  newestBefore: ReadonlyMap<string, number>,
  servedWaitMs: number,
): EventPlan[] {
  const served = new Set(loaded.served);
  const integrations = Map.groupBy(loaded.integrations, (integration) => integration.project_id);
  const newestByBlog = new Map(newestBefore);
  return events.map((event) => {
    const { blog_id, blog_event_number, project_id } = event.data;
    if (blog_event_number <= (newestByBlog.get(blog_id) ?? 0)) return { event, deliveries: [] };
    newestByBlog.set(blog_id, blog_event_number);
    if (event.data.readers_only) return { event, deliveries: [] };
    const deliveries = (integrations.get(project_id) ?? []).map((integration) => ({
      id: randomUUIDv7(),
      integrationId: integration.id,
      receiver: new URL(integration.shown_url).host,
      retryManual: integration.retries_manual,
      dueInMs: served.has(event.id) ? 0 : servedWaitMs,
    }));
    return { event, deliveries };
  });
}

/** One delivery to come. */
interface PlannedDelivery {
  readonly id: string;
  readonly integrationId: string;
  /** Host (and port) of the receiver, for people to recognise it; nothing else of the URL leaves this service. */
  readonly receiver: string;
  /** Whether its owner has manual deliveries to it retried. A change affects only what is planned later. */
  readonly retryManual: boolean;
  /** How long it waits for the acknowledgement, in milliseconds. */
  readonly dueInMs: number;
}

interface EventPlan {
  readonly event: Lifecycle;
  readonly deliveries: readonly PlannedDelivery[];
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

/** The parameters of `writePlan`. */
function parametersOf(planned: readonly EventPlan[], newest: ReadonlySet<string>): Parameters {
  const events = planned.map(({ event: { id, time, traceparent, data }, deliveries }) => ({
    id,
    project_id: data.project_id,
    blog_id: data.blog_id,
    blog_event_number: data.blog_event_number,
    time: new Date(time),
    traceparent: traceparent ?? null,
    newest: newest.has(id),
    // The body is kept only while a delivery needs it, or a redelivery may.
    data: deliveries.length > 0 || newest.has(id) ? JSON.stringify(data) : null,
  }));
  return {
    ...givenEvents.parameters(events),
    ...givenDeliveries.parameters(planned.flatMap(toRows)),
    plannedEvents: `[${planned.map((one) => toBundled(plannedEvent(one))).join(',')}]`,
    // What becomes due later is seen in time by workers that look again anyway; a claim in vain would keep the next one
    // waiting.
    isDueSoon: planned.some(({ deliveries }) => deliveries.some(({ dueInMs }) => dueInMs < POLL_INTERVAL_MS)),
  };
}

function toRows({ event: { id, data }, deliveries }: EventPlan): PlannedRow[] {
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
    retry_manual: delivery.retryManual,
    event: data.event,
    due_in_ms: delivery.dueInMs,
  }));
}

function plannedEvent({ event, deliveries }: EventPlan): EventEnvelope {
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

function publishId(event: VisibilityEvent): string | null {
  return showsBlog(event) ? event.publish_id : null;
}
