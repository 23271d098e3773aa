import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from './generated/prisma/client.ts';

/** A connection to this service's own database; only stores use it. */
export type Database = PrismaClient;
/** A transaction on it. */
export type Transaction = Prisma.TransactionClient;

/** Opens the database with at most `poolSize` connections. Connects on first use. */
export function openDatabase(databaseUrl: string, poolSize: number): Database {
  const adapter = new PrismaPg({ connectionString: databaseUrl, max: poolSize, connectionTimeoutMillis: 5_000 });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 20_000 } });
}
