import type { Database } from './open-database.ts';

/** Whether the database accepts only reads. Rejects when it does not answer; for readiness. */
export async function pingDatabase(database: Database): Promise<boolean> {
  const rows = await database.$queryRaw<{ is_read_only: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS is_read_only`;
  return rows[0]?.is_read_only === true;
}
