import { openPool, type OpenPoolConfig } from '@blog-content/postgres';
import type { Pool, PoolClient } from 'pg';

// Without Prisma: the thread that makes large pages needs none, and it takes much memory.

export interface DatabaseOptions {
  /** Most connections open at once. */
  readonly poolSize: number;
  /** How long a request waits for a connection, and a connection for the server, before it fails. */
  readonly connectTimeoutMs: number;
  /** How long one statement may run before the database ends it. */
  readonly statementTimeoutMs: number;
  /** Of all pools together. */
  readonly idle: Set<PoolClient>;
}

/** Large pages that are read at once. */
export const LARGE_PAGE_CONNECTIONS = 1;

/** For pages too large to be read at once: nothing else waits for them. */
const LARGE_PAGE_LIMITS = { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;

/** Opens the pool of the thread that makes large pages. */
export function openLargePagePool(databaseUrl: string, onLost: (error: Error) => void): Pool {
  const options = { ...LARGE_PAGE_LIMITS, poolSize: LARGE_PAGE_CONNECTIONS, idle: new Set<PoolClient>() };
  return openPool(poolOptions(databaseUrl, options), onLost);
}

export function poolOptions(databaseUrl: string, options: DatabaseOptions): OpenPoolConfig {
  return {
    connectionString: databaseUrl,
    max: options.poolSize,
    idle: options.idle,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
  };
}
