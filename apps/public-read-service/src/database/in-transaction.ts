import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction. Commits when it resolves; changes nothing when it rejects. */
export async function inTransaction<Result>(
  pool: Pick<Pool, 'connect'>,
  begin: `BEGIN${string}`,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await transact(
      client,
      begin,
      () => work(client),
      (failed) => (broken = failed),
    );
  } finally {
    client.release(broken);
  }
}

/**
 * The same on a connection that the caller has.
 *
 * @param onBroken told when the transaction could not be rolled back: the connection is of no use any more
 */
export async function transact<Result>(
  client: Pick<PoolClient, 'query'>,
  begin: `BEGIN${string}`,
  work: () => Promise<Result>,
  onBroken: (error: Error) => void = () => undefined,
): Promise<Result> {
  try {
    await client.query(begin);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}

/**
 * For a transaction on large tables. A plan that was made while a table was small would read all of it when it has
 * grown, so statements use the indexes, whatever the planner believes. Without `jit`: what has no index is taken for so
 * costly that it would be compiled, for a tenth of a second.
 */
export const BY_INDEXES = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off;';
