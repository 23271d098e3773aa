import { openPool, type OpenPoolConfig } from '@blog-content/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/prisma/client.ts';

/** A connection to this service's own database; only stores use it. */
export type Database = PrismaClient;

/** Connections without Prisma between, for the statements that every delivery costs. */
export type SchedulePool = Pool;

/** Opens the database with at most `poolSize` connections. Connects on first use; one that breaks goes to `onLost`. */
export function openDatabase(databaseUrl: string, poolSize: number, onLost: (error: Error) => void): Database {
  const pool = openPool(poolOptions(databaseUrl, poolSize), onLost);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  // Long enough for a batch of 100 events on a busy machine, and for a wait for a free connection.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 20_000 } });
}

/** Claims, records, and looks for the next, or plans: hardly ever two at once of each. */
const SCHEDULE_CONNECTIONS = 4;

/** Opens the pool of the schedule's own statements. Connects on first use; a connection that breaks goes to `onLost`. */
export function openSchedulePool(databaseUrl: string, onLost: (error: Error) => void): SchedulePool {
  const config: OpenPoolConfig = {
    ...poolOptions(databaseUrl, SCHEDULE_CONNECTIONS),
    // The statements are written for their indexes, and their plans are made once: what the planner knows of a queue that
    // was empty a second ago has it read all of it.
    options:
      '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_sort=off -c jit=off',
  };
  return openPool(config, onLost);
}

function poolOptions(databaseUrl: string, max: number): OpenPoolConfig {
  return { connectionString: databaseUrl, max };
}
