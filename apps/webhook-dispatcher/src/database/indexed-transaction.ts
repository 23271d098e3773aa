import type { PoolClient } from 'pg';
import type { QueuePool } from './open-database.ts';

/**
 * Settings of the planner for statements that are written for their indexes. What it knows of a queue that was empty a
 * second ago has it read all of it, and a plan is made once per connection.
 */
const BEGIN = `
  BEGIN;
  SET LOCAL plan_cache_mode = force_generic_plan;
  SET LOCAL enable_seqscan = off;
  SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL enable_sort = off;
  SET LOCAL jit = off`;

/**
 * Runs a transaction whose statements go by their indexes. Where it fails, none is left open, nor a connection that may
 * have one.
 */
export async function inIndexedTransaction<Result>(
  pool: Pick<QueuePool, 'connect'>,
  run: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(BEGIN);
    const result = await run(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
