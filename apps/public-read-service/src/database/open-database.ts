import { openPool } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { LARGE_PAGE_CONNECTIONS, poolOptions, type DatabaseOptions } from './open-read-pool.ts';

/** This service's database, through a bounded pool. Only stores use it. */
export type Database = PrismaClient;

/** Requests fail rather than wait for longer: a reader tries a 500 again in a few seconds. */
const REQUEST_LIMITS = { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;
/**
 * For three batches at a time, and for the wait for replicas. A batch may hold a hundred of the largest posts; what
 * hangs is still noticed and tried again within 15 s.
 */
const PROJECTION_LIMITS = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 8_000 } as const;

/** Owners look at their keys now and then. */
const OWNER_POOL_SIZE = 2;
const LEASE_CONNECTIONS = 1;

/** Most connections of one replica to its database. */
export function connectionsOfReplica(poolSize: number): number {
  return poolSize + OWNER_POOL_SIZE + LARGE_PAGE_CONNECTIONS + PROJECTION_LIMITS.poolSize + LEASE_CONNECTIONS;
}

/** The pools of one replica, which connect on first use. A connection that breaks goes to `onLost`. */
export function openPools(databaseUrl: string, poolSize: number, onLost: (error: Error) => void) {
  const idle = new Set<PoolClient>();
  return {
    ownerDatabase: openDatabase(databaseUrl, { poolSize: OWNER_POOL_SIZE, ...REQUEST_LIMITS, idle }, onLost),
    readPool: openPool(poolOptions(databaseUrl, { poolSize, ...REQUEST_LIMITS, idle }), onLost),
    // A pool of its own: a rush of readers must not delay changes.
    projectionPool: openPool(poolOptions(databaseUrl, { ...PROJECTION_LIMITS, idle }), onLost),
  };
}

/** Opens the pool. Connects on first use: a database that is away makes reads fail, not the start. */
function openDatabase(databaseUrl: string, options: DatabaseOptions, onLost: (error: Error) => void): Database {
  const pool = openPool(poolOptions(databaseUrl, options), onLost);
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
}
