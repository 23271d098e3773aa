import type { Pool } from 'pg';

/** Rejects when the database does not answer; for readiness. */
export async function pingDatabase(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query('SELECT 1');
}
