import { openPool } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts';

/** A row of the table of blogs. */
export type { Blog as BlogModel } from '../../generated/prisma/client.ts';

/** A transaction on this service's own database. One that is begun in it is a part of it. */
export type Transaction = Prisma.TransactionClient;

/** This service's own database; only stores use it. What a store does that is made on a transaction happens in that. */
export type Database = PrismaClient;

/** Most time of a transaction, unless it says otherwise. */
const TRANSACTION_MS = 20_000;
const LONG_TRANSACTION_MS = 120_000;

/**
 * The options of a transaction that holds a whole request: the largest import is written in it. New each time, because
 * Prisma writes into what it is given.
 */
export const longTransaction = () => ({ timeout: LONG_TRANSACTION_MS });

/** Whether the database accepts only reads. Rejects while it does not answer. */
export async function pingDatabase(database: Database): Promise<boolean> {
  const rows = await database.$queryRaw<{ is_read_only: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS is_read_only`;
  return rows[0]?.is_read_only === true;
}

/** Lets a transaction idle for longer than the pool allows, while it waits for something else than the database. */
export async function allowIdle(tx: Transaction, idleMs: number): Promise<void> {
  await tx.$executeRaw`SELECT set_config('idle_in_transaction_session_timeout', ${`${idleMs}ms`}, true)`;
}

/** The relay of the outbox has a connection of its own. */
const RELAY = 1;

/** Most connections of one replica to its database. */
export function connectionsOfReplica(poolSize: number): number {
  return poolSize + RELAY;
}

/**
 * Opens the database with at most `poolSize` connections. Connects on first use; a connection that breaks goes to
 * `onLost`, the error of a statement to `onFailed`.
 */
export function openDatabase(
  databaseUrl: string,
  poolSize: number,
  onLost: (error: Error) => void,
  onFailed?: (error: unknown) => void,
): Database {
  const pool = openPool({ connectionString: databaseUrl, max: poolSize, onFailed }, onLost);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: TRANSACTION_MS } });
}
