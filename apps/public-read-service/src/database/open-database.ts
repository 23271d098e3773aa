import { openPool, type OpenPoolConfig } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool, PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';

/** This service's database, through a bounded pool. Only stores use it. */
export type Database = PrismaClient;

interface DatabaseOptions {
  /** Most connections open at once. */
  readonly poolSize: number;
  /** How long a request waits for a connection, and a connection for the server, before it fails. */
  readonly connectTimeoutMs: number;
  /** How long one statement may run before the database ends it. */
  readonly statementTimeoutMs: number;
  /** Of all pools together. */
  readonly idle: Set<PoolClient>;
}

/**
 * Large pages that can be read at once: each takes as much of the event loop as it gets, and two take it from others
 * twice.
 */
export const LARGE_PAGE_CONNECTIONS = 1;

/** Requests fail rather than wait for longer: a reader tries a 500 again in a few seconds. */
const REQUEST_LIMITS = { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;
/** For pages too large to be read at once: nothing else waits for them. */
const LARGE_PAGE_LIMITS = {
  poolSize: LARGE_PAGE_CONNECTIONS,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 5_000,
} as const;
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
  return poolSize + OWNER_POOL_SIZE + LARGE_PAGE_LIMITS.poolSize + PROJECTION_LIMITS.poolSize + LEASE_CONNECTIONS;
}

/** The pools of one replica, which connect on first use. A connection that breaks goes to `onLost`. */
export function openPools(databaseUrl: string, poolSize: number, onLost: (error: Error) => void) {
  const idle = new Set<PoolClient>();
  const open = (limits: Omit<DatabaseOptions, 'idle'>) => openReadModelPool(databaseUrl, { ...limits, idle }, onLost);
  return {
    ownerDatabase: openDatabase(databaseUrl, { poolSize: OWNER_POOL_SIZE, ...REQUEST_LIMITS, idle }, onLost),
    readPool: open({ poolSize, ...REQUEST_LIMITS }),
    largePages: open(LARGE_PAGE_LIMITS),
    // A pool of its own: a rush of readers must not delay changes.
    projectionPool: openPool(poolOptions(databaseUrl, { ...PROJECTION_LIMITS, idle }), onLost),
  };
}

/** Opens the pool. Connects on first use: a database that is away makes reads fail, not the start. */
function openDatabase(databaseUrl: string, options: DatabaseOptions, onLost: (error: Error) => void): Database {
  const pool = openPool(poolOptions(databaseUrl, options), onLost);
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
}

/** Opens a pool without Prisma, for the statements that every reader waits for. */
function openReadModelPool(databaseUrl: string, options: DatabaseOptions, onLost: (error: Error) => void): Pool {
  // Each statement is written so that one plan fits projects of all sizes (read-statements.ts): it is planned once per
  // connection. Settings for a single statement would cost each read a transaction.
  const config: OpenPoolConfig = {
    ...poolOptions(databaseUrl, options),
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  };
  return openPool(config, onLost);
}

function poolOptions(databaseUrl: string, options: DatabaseOptions): OpenPoolConfig {
  return {
    connectionString: databaseUrl,
    max: options.poolSize,
    idle: options.idle,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
  };
}
