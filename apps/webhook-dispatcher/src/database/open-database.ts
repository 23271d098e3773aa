import { openPool, type OpenPoolConfig } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool, PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** A connection to this service's own database; only stores use it. */
export type Database = PrismaClient;

/** Connections without Prisma between, for the statements that every delivery costs. */
export type QueuePool = Pool;

/** What one replica opens beside its pool for requests and stores (`DATABASE_POOL_SIZE`): the most of each. */
const CONNECTIONS = {
  /** Claims, records, and looks for the next: hardly ever two of each concurrently. */
  queue: 4,
  /** Of their own: planning waits for locks, and what is due does not wait for planning. */
  planning: 3,
  /** `LISTEN`, and the relay of the outbox. */
  listener: 1,
  relay: 1,
} as const;

/** Most connections of one replica to its database. */
export function connectionsOfReplica(poolSize: number): number {
  return Object.values(CONNECTIONS).reduce((sum, count) => sum + count, poolSize);
}

/**
 * The pools of one replica, which connect on first use. A connection that breaks goes to `onLost`. The queue's
 * connections have settings of their own: they need sessions, which a pooler in transaction mode doesn't give.
 */
export function openPools(
  { databaseUrl, sessionUrl }: { readonly databaseUrl: string; readonly sessionUrl: string },
  poolSize: number,
  onLost: (error: Error) => void,
  onFailed?: (error: unknown) => void,
) {
  const idle = new Set<PoolClient>();
  const { queue, planning } = CONNECTIONS;
  return {
    database: openDatabase(databaseUrl, poolSize, onLost, { idle, onFailed }),
    queuePool: openQueuePool(sessionUrl, onLost, { max: queue, idle, onFailed }),
    planPool: openQueuePool(sessionUrl, onLost, { max: planning, idle, onFailed }),
  };
}

/** Opens the database with at most `poolSize` connections. Connects on first use; one that breaks goes to `onLost`. */
export function openDatabase(
  databaseUrl: string,
  poolSize: number,
  onLost: (error: Error) => void,
  options: Pick<OpenPoolConfig, 'idle' | 'onFailed'> = {},
): Database {
  const pool = openPool({ connectionString: databaseUrl, max: poolSize, ...options }, onLost);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  // Long enough for a batch of 100 events on a busy machine, and for a wait for a free connection.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 20_000 } });
}

/**
 * The queue's statements go by their indexes. A queue that was empty a moment ago would be read from end to end, by a
 * plan that a connection makes once (ADR 32).
 */
const GO_BY_INDEXES = `
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off;
  SET enable_bitmapscan = off;
  SET enable_hashjoin = off;
  SET enable_mergejoin = off;
  SET enable_sort = off;
  SET jit = off`;

/** Opens the pool of the queue's own statements. Connects on first use; a connection that breaks goes to `onLost`. */
export function openQueuePool(
  databaseUrl: string,
  onLost: (error: Error) => void,
  options: Pick<OpenPoolConfig, 'max' | 'idle' | 'onFailed'> = { max: CONNECTIONS.queue },
): QueuePool {
  const pool = openPool({ connectionString: databaseUrl, ...options }, onLost);
  pool.on('connect', (client) => {
    // A connection that breaks at this moment reports itself.
    client.query(GO_BY_INDEXES).catch(() => undefined);
  });
  return pool;
}
