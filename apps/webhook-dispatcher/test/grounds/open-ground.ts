import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { Client } from 'pg';
import { type Database, openDatabase, openQueuePool, type QueuePool } from '../../src/database/open-database.ts';

/** What stores are made of, on a database of its own, and a look behind them. */
export interface Ground extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly pool: QueuePool;
  readonly query: <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;
}

/** Opens a new database, or the one given, which is then its to drop. */
export async function openGround(poolSize: number, given?: TestDatabase): Promise<Ground> {
  const { url: databaseUrl, drop } = given ?? (await createTestDatabase('webhook-dispatcher'));
  const database = openDatabase(databaseUrl, poolSize, () => undefined);
  const pool = openQueuePool(databaseUrl, () => undefined);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    databaseUrl,
    database,
    pool,
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows as Row[],
    async [Symbol.asyncDispose]() {
      await client.end();
      await pool.end();
      await database.$disconnect();
      await drop();
    },
  };
}
