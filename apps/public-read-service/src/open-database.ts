import { PrismaPg } from '@prisma/adapter-pg';
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

/** Opens the pool. Connects on first use: a database that is away makes reads fail, not the start. */
export function openDatabase(databaseUrl: string, options: DatabaseOptions): Database {
  return new PrismaClient({
    adapter: new PrismaPg({
      connectionString: databaseUrl,
      max: options.poolSize,
      connectionTimeoutMillis: options.connectTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      // The server ends statements first; this one is for a server that no longer answers at all.
      query_timeout: options.statementTimeoutMs + 1_000,
      keepAlive: true,
    }),
  });
}
