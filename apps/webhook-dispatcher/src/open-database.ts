import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.ts';

/** A connection to this service's own database; only stores use it. */
export type Database = PrismaClient;

/** Opens the database with at most `poolSize` connections. Connects on first use. */
export function openDatabase(databaseUrl: string, poolSize: number): Database {
  const adapter = new PrismaPg({ connectionString: databaseUrl, max: poolSize, connectionTimeoutMillis: 5_000 });
  // Long enough for a batch of 100 events on a busy machine, and for a wait for a free connection.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 20_000 } });
}
