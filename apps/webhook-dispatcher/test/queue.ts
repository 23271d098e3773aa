import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@blog-content/event-log';
import { deliveryEvent } from '@blog-content/payload-schemas';
import type { TestDatabase } from '@blog-content/testing';
import { createDeliveryLogStore, type DeliveryLogStore } from '../src/delivery-log/delivery-log-store.ts';
import { createDeliveryStore, type DeliveryStore } from '../src/queue/delivery-store.ts';
import { createEventCache } from '../src/payload/event-cache.ts';
import { clearRetiredIntegrations, endSomeOfRetired } from '../src/queue/waiting-store.ts';
import { FAILING_RULE } from '../src/integrations/failing-rule.ts';
import { createPlanStore, type PlanStore } from '../src/planning/plan-store.ts';
import { purgeEvents } from '../src/planning/purge-store.ts';
import { createRedeliveryStore, type RedeliveryStore } from '../src/redelivery/redelivery-store.ts';
import { createProjectStore, type ProjectStore } from '../src/projects/project-store.ts';
import {
  createIntegrationStore,
  type IntegrationStore,
  type NewIntegration,
} from '../src/integrations/integration-store.ts';
import type { Database, QueuePool } from '../src/database/open-database.ts';
import { openGround } from './grounds/open-ground.ts';

/** The stores of one database, and a look behind them. */
export interface TestQueue extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly pool: QueuePool;
  readonly deliveries: DeliveryStore;
  /** The same queue as another replica sees it, which has planned none of it. */
  readonly otherReplica: () => DeliveryStore;
  readonly plans: PlanStore;
  readonly redeliveries: RedeliveryStore;
  readonly log: DeliveryLogStore;
  readonly integrations: IntegrationStore;
  readonly projects: ProjectStore;
  /** Forgets what no delivery needs. */
  readonly purge: (stopping?: AbortSignal) => Promise<void>;
  /** Ends what waits for receivers that are gone. */
  readonly clearRetired: () => Promise<void>;
  addIntegration(projectId: string, changes?: Partial<NewIntegration>): Promise<string>;
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Empties every table. */
  clear(): Promise<void>;
  /** The envelopes in the outbox, in order, those of a bundle one by one. */
  envelopes(): Promise<EventEnvelope<OutboxData>[]>;
  /** Data of the outbox's events in order. */
  outbox(): Promise<OutboxData[]>;
}

export interface OutboxData {
  event: string;
  lifecycle_event_id: string;
  deliveries: { delivery_id: string; integration_id: string; receiver: string }[];
  [field: string]: unknown;
}

const TABLES = [
  ...['project', 'project_member', 'integration', 'integration_headers', 'lifecycle_event', 'served_event', 'outbox'],
  ...['delivery', 'delivery_queue', 'lease', 'failed_delivery', 'delivery_attempt', 'sent_body', 'receiver_blog'],
  ...['link_target', 'blog_link', 'link_view', 'link_change', 'link_healing'],
  ...['link_target_change', 'link_translation_change', 'link_recheck', 'blog_slug', 'blog_alias'],
];

const ENVELOPES = `
  SELECT coalesce(b.envelope, json_build_object('id', o.id, 'topic', o.topic, 'type', o.type, 'source', o.source,
    'key', o.key, 'partitionKey', o.partition_key, 'data', o.data, 'time', o.time,
    'traceparent', o.traceparent)) AS envelope
  FROM outbox o LEFT JOIN LATERAL json_array_elements(o.bundle) WITH ORDINALITY AS b (envelope, index) ON true
  ORDER BY o.position, b.index`;

/** Opens a new database, or the one given, which is then its to drop. */
export async function openTestQueue(given?: TestDatabase): Promise<TestQueue> {
  const ground = await openGround(10, given);
  const { databaseUrl, database, pool, query } = ground;
  const integrations = createIntegrationStore(database, endSomeOfRetired);
  const events = createEventCache();
  const envelopes = async () => {
    const envelopes = (await query<{ envelope: EventEnvelope<OutboxData> }>(ENVELOPES)).map(({ envelope }) => envelope);
    // The service does not look at each of its own events; the tests do.
    for (const { data } of envelopes) deepStrictEqual(deliveryEvent.parse(data), data);
    return envelopes;
  };
  return {
    databaseUrl,
    database,
    pool,
    deliveries: createDeliveryStore(database, pool, FAILING_RULE, events),
    otherReplica: () => createDeliveryStore(database, pool, FAILING_RULE, createEventCache()),
    plans: createPlanStore(database, pool, events),
    redeliveries: createRedeliveryStore(database),
    log: createDeliveryLogStore(database),
    integrations,
    projects: createProjectStore(database),
    purge: (stopping) => purgeEvents(database, stopping),
    clearRetired: () => clearRetiredIntegrations(database),
    async addIntegration(projectId, changes = {}) {
      const id = randomUUID();
      const parts = {
        name: '',
        shownUrl: 'https://receiver.example:8443/',
        sealedUrl: 'sealed',
        active: true,
        healLinks: false,
        retryManual: false,
        sealedSecret: null,
        sealedHeaders: null,
        standardWebhooks: false,
        integrationKind: 'webhook' as const,
        settings: {},
      };
      await integrations.create({ id, projectId, ...parts, ...changes }, 100);
      return id;
    },
    query,
    async clear() {
      await query(`TRUNCATE ${TABLES.join(', ')}`);
    },
    envelopes,
    outbox: async () => (await envelopes()).map(({ data }) => data),
    [Symbol.asyncDispose]: () => ground[Symbol.asyncDispose](),
  };
}

/** What a connection is asked: a statement with a name, or a text. */
export type AskedQuery = { readonly name?: string } | string;

/** The pool with somebody between: `query` gets what is asked, and asks it or does not. */
export function interceptQueries(
  pool: QueuePool,
  query: (asked: AskedQuery, ask: () => Promise<unknown>) => Promise<unknown>,
): QueuePool {
  const intercept = (client: Pick<QueuePool, 'query'>) => (asked: AskedQuery) =>
    query(asked, () => client.query(asked as never));
  return {
    query: intercept(pool),
    async connect() {
      const client = await pool.connect();
      return { query: intercept(client), release: (isBroken?: boolean) => client.release(isBroken) };
    },
  } as unknown as QueuePool;
}

/** Whether the statement of that name is asked. */
export const isStatement = (asked: AskedQuery, name: string): boolean =>
  typeof asked !== 'string' && asked.name === name;
