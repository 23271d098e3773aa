import type { Pool } from 'pg';

/** Whether the database accepts only reads. Rejects when it does not answer; for readiness. */
export async function pingDatabase(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ is_read_only: boolean }>(
    `SELECT current_setting('transaction_read_only')::boolean AS is_read_only`,
  );
  return rows[0]?.is_read_only === true;
}
