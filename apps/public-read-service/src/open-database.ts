import { openPool, type OpenPoolConfig } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client.ts';

/** This service's database, through a bounded pool. Only stores use it. */
export type Database = PrismaClient;

export interface DatabaseOptions {
  /** Most connections open at once. */
  readonly poolSize: number;
  /** How long a request waits for a connection, and a connection for the server, before it fails. */
  readonly connectTimeoutMs: number;
  /** How long one statement may run before the database ends it. */
  readonly statementTimeoutMs: number;
}

/** Requests fail rather than wait for longer: a reader who is told 500 comes again in a few seconds. */
export const REQUEST_LIMITS = { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;
/** Pages too large to be read at once: few at a time, and nothing else waits for them. */
export const LARGE_PAGE_LIMITS = { poolSize: 3, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 } as const;
/** A batch may hold a hundred of the largest posts; what hangs is noticed and tried again within 15 s all the same. */
export const PROJECTION_LIMITS = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 8_000 } as const;

/** Opens the pool. Connects on first use: a database that is away makes reads fail, not the start. */
export function openDatabase(databaseUrl: string, options: DatabaseOptions, onLost: (error: Error) => void): Database {
  const pool = openPool(poolOptions(databaseUrl, options), onLost);
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
}

/** Opens a pool without Prisma, for the statements that every reader waits for. */
export function openReadModelPool(databaseUrl: string, options: DatabaseOptions, onLost: (error: Error) => void): Pool {
  // The statements fix their way to the rows, so that one plan fits projects of any size and need not be made each time.
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
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
  };
}
