import type { Database } from './open-database.ts';

/** Rejects when the database does not answer; for readiness. */
export async function pingDatabase(database: Database): Promise<void> {
  await database.$queryRaw`SELECT 1`;
}
