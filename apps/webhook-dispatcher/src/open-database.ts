import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolConfig } from 'pg';
import { PrismaClient } from './generated/prisma/client.ts';

/** A connection to this service's own database; only stores use it. */
export type Database = PrismaClient;

/** Connections without Prisma between, for the statements that every delivery costs. */
export type SchedulePool = Pool;

/** Opens the database with at most `poolSize` connections. Connects on first use. */
export function openDatabase(databaseUrl: string, poolSize: number): Database {
  const adapter = new PrismaPg(poolOptions(databaseUrl, poolSize));
  // Long enough for a batch of 100 events on a busy machine, and for a wait for a free connection.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 20_000 } });
}

/** Claims, records, and looks for the next, or plans: hardly ever two at once of each. */
const SCHEDULE_CONNECTIONS = 4;

/** Opens the pool of the schedule's own statements. Connects on first use. */
export function openSchedulePool(databaseUrl: string, onError: (error: Error) => void): SchedulePool {
  const pool = new Pool({
    ...poolOptions(databaseUrl, SCHEDULE_CONNECTIONS),
    // The statements are written for their indexes, and their plans are made once: what the planner knows of a queue that
    // was empty a second ago has it read all of it.
    options:
      '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_sort=off -c jit=off',
  });
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', onError);
  return pool;
}

function poolOptions(databaseUrl: string, max: number): PoolConfig {
  return { connectionString: databaseUrl, max, connectionTimeoutMillis: 5_000 };
}
