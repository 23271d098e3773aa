import { AsyncLocalStorage } from 'node:async_hooks';
import { openPool } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts';

/** A transaction on this service's own database. */
export type Transaction = Prisma.TransactionClient;

/** A connection to this service's own database; only stores use it. */
export type Database = PrismaClient & {
  /**
   * Runs `work` in one transaction: whatever stores do meanwhile with this database, their own transactions included,
   * happens in it. It commits when `work` is done, and none of it happens when `work` throws.
   */
  inOneTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
};

/** Most time of a transaction, unless it says otherwise. */
const TRANSACTION_MS = 20_000;
/** Most time of a transaction that holds a whole request: the largest import is written in it. */
const LONG_TRANSACTION_MS = 120_000;

/** Rejects while the database does not answer. */
export async function checkDatabase(database: Database): Promise<void> {
  await database.$queryRaw`SELECT 1 AS answer`;
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

/** Opens the database with at most `poolSize` connections. Connects on first use; one that breaks goes to `onLost`. */
export function openDatabase(databaseUrl: string, poolSize: number, onLost: (error: Error) => void): Database {
  const pool = openPool({ connectionString: databaseUrl, max: poolSize }, onLost);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const client = new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: TRANSACTION_MS } });
  const current = new AsyncLocalStorage<Transaction>();

  const transaction: PrismaClient['$transaction'] = ((work: never, options: never) => {
    const outer = current.getStore();
    if (outer === undefined) return client.$transaction(work, options);
    if (typeof work !== 'function') throw new Error('Inside a transaction only functions can be run as one.');
    return (work as (tx: Transaction) => Promise<unknown>)(outer);
  }) as PrismaClient['$transaction'];

  const inOneTransaction: Database['inOneTransaction'] = (work) => {
    if (current.getStore() !== undefined) throw new Error('There is a transaction already.');
    return client.$transaction((tx) => current.run(tx, () => work(tx)), { timeout: LONG_TRANSACTION_MS });
  };

  return new Proxy(client as Database, {
    get(_client, property) {
      if (property === '$transaction') return transaction;
      if (property === 'inOneTransaction') return inOneTransaction;
      const outer = current.getStore();
      const target: object = outer !== undefined && property in outer ? outer : client;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
