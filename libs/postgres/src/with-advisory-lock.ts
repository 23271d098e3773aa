import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` on a connection of its own that holds an advisory lock during it. Resolves to null, and runs nothing,
 * where another session holds the lock. Should the connection break, the lock is free and the work rejects.
 *
 * @param lock a 64-bit integer that nothing else locks
 */
export async function withAdvisoryLock<Result>(
  pool: Pick<Pool, 'connect'>,
  lock: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result | null> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lock]);
    if (rows[0]?.locked !== true) return null;
    try {
      return await work(client);
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock]);
    }
  } finally {
    // Never back into the pool: should the unlock have failed, the connection's end frees the lock.
    client.release(true);
  }
}
