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

/**
 * Statements of tests that do much concurrently wait for each other. That takes as long as the machine is busy, and is
 * no fault of theirs.
 */
const STATEMENT_TIMEOUT_MS = 120_000;

/** Opens a new database, or the one given, which is then its to drop. */
export async function openGround(poolSize: number, given?: TestDatabase): Promise<Ground> {
  const { url, drop } = given ?? (await createTestDatabase('webhook-dispatcher'));
  const databaseUrl = given === undefined ? `${url}?statement_timeout=${STATEMENT_TIMEOUT_MS}` : url;
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
