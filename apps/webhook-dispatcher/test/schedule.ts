import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase } from '@blog-content/testing';
import { createDeliveryStore, type DeliveryStore } from '../src/delivery/delivery-store.ts';
import { createPlanStore, type PlanStore } from '../src/delivery/plan-store.ts';
import { createProjectStore, type ProjectStore } from '../src/projects/project-store.ts';
import {
  createIntegrationStore,
  type IntegrationStore,
  type NewIntegration,
} from '../src/integrations/integration-store.ts';
import { openDatabase, openSchedulePool, type SchedulePool } from '../src/open-database.ts';

/** The stores of one database, and a look behind them. */
export interface TestSchedule extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly pool: SchedulePool;
  readonly deliveries: DeliveryStore;
  readonly plans: PlanStore;
  readonly integrations: IntegrationStore;
  readonly projects: ProjectStore;
  addIntegration(projectId: string, changes?: Partial<NewIntegration>): Promise<string>;
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Data of the outbox's events in order. */
  outbox(): Promise<OutboxData[]>;
}

export interface OutboxData {
  event: string;
  lifecycle_event_id: string;
  deliveries: { delivery_id: string; integration_id: string; receiver: string }[];
  [field: string]: unknown;
}

export async function openTestSchedule(): Promise<TestSchedule> {
  const { url, drop } = await createTestDatabase('webhook-dispatcher');
  const database = openDatabase(url, 10);
  const pool = openSchedulePool(url, () => undefined);
  const client = new Client({ connectionString: url });
  await client.connect();
  const integrations = createIntegrationStore(database);
  const query = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await client.query(sql, [...values])).rows as Row[];
  return {
    databaseUrl: url,
    pool,
    deliveries: createDeliveryStore(database, pool),
    plans: createPlanStore(database, pool),
    integrations,
    projects: createProjectStore(database),
    async addIntegration(projectId, changes = {}) {
      const id = randomUUID();
      const parts = {
        name: '',
        url: 'https://receiver.example:8443/hook?token=x',
        active: true,
        sealedSecret: null,
        sealedHeaders: null,
      };
      await integrations.create({ id, projectId, ...parts, ...changes }, 100);
      return id;
    },
    query,
    outbox: async () =>
      (await query<{ data: OutboxData }>('SELECT data FROM outbox ORDER BY position')).map(({ data }) => data),
    async [Symbol.asyncDispose]() {
      await client.end();
      await pool.end();
      await database.$disconnect();
      await drop();
    },
  };
}
