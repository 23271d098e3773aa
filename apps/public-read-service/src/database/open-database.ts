import { openPool } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** This service's database, through a bounded pool. Only stores use it. */
export type Database = PrismaClient;

/** A request fails rather than wait for longer: a reader tries a 500 again in a few seconds. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** A batch may hold a hundred of the largest posts; what hangs is still noticed and tried again within 15 s. */
const PROJECTION_STATEMENT_TIMEOUT_MS = 8_000;
/** For three batches at a time, and for the wait for replicas. */
const PROJECTION_POOL_SIZE = 4;
/** Most large pages that are read from a snapshot concurrently. */
export const LARGE_PAGE_CONNECTIONS = 1;

/**
 * Each connection of the projection plans its statements once: planning takes longer than carrying them out. A plan that
 * was made while a table was small would read all of it when it has grown, so statements use the indexes, no matter what
 * the planner estimates. Without `jit`: what has no index is taken for so costly that it would be compiled, for a tenth
 * of a second.
 */
const PLAN_ONCE_BY_INDEXES = 'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off';

/** Owners look at their keys now and then. */
const OWNER_POOL_SIZE = 2;
const LEASE_CONNECTIONS = 1;

/** Most connections of one replica to its database. */
export function connectionsOfReplica(poolSize: number): number {
  return poolSize + OWNER_POOL_SIZE + LARGE_PAGE_CONNECTIONS + PROJECTION_POOL_SIZE + LEASE_CONNECTIONS;
}

/**
 * The pools of one replica. They connect on first use: a database that is away makes reads fail, not the start. A
 * connection that breaks goes to `onLost`. The projection needs sessions, which a pooler in transaction mode doesn't
 * give: it holds advisory locks, and has a timeout of its own.
 */
export function openPools(
  { databaseUrl, sessionUrl }: { readonly databaseUrl: string; readonly sessionUrl: string },
  poolSize: number,
  onLost: (error: Error) => void,
  onFailed?: (error: unknown) => void,
) {
  const idle = new Set<PoolClient>();
  const open = (max: number, statementTimeoutMs = STATEMENT_TIMEOUT_MS, connectionString = databaseUrl) =>
    openPool(
      {
        connectionString,
        max,
        idle,
        onFailed,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        statement_timeout: statementTimeoutMs,
      },
      onLost,
    );
  const ownerPool = open(OWNER_POOL_SIZE);
  const projectionPool = open(PROJECTION_POOL_SIZE, PROJECTION_STATEMENT_TIMEOUT_MS, sessionUrl);
  projectionPool.on('connect', (client) => {
    // A connection that breaks at this moment reports itself.
    client.query(PLAN_ONCE_BY_INDEXES).catch(() => undefined);
  });
  return {
    ownerDatabase: new PrismaClient({ adapter: new PrismaPg(ownerPool, { disposeExternalPool: true }) }),
    readPool: open(poolSize),
    // Pools of their own: a rush of readers must not delay changes, and a page may keep its connection for seconds.
    pagePool: open(LARGE_PAGE_CONNECTIONS),
    projectionPool,
  };
}
