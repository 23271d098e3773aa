import type { Pool, PoolClient } from 'pg';
import { sendTogether } from './send-together.ts';

/** Commits now: for a transaction that sends this together with its last statement. */
export type Commit = () => Promise<unknown>;

/**
 * Runs `work` in a transaction. Commits when it resolves, unless it has done so itself; changes nothing when it
 * rejects. Queries that it starts synchronously go to the server together with `begin`.
 */
export async function inTransaction<Result>(
  pool: Pick<Pool, 'connect'>,
  begin: `BEGIN${string}`,
  work: (client: PoolClient, commit: Commit) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await transact(
      client,
      begin,
      (commit) => work(client, commit),
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
  client: PoolClient,
  begin: `BEGIN${string}`,
  work: (commit: Commit) => Promise<Result>,
  onBroken: (error: Error) => void = () => undefined,
): Promise<Result> {
  let committed: Promise<unknown> | undefined;
  const commit = () => (committed ??= client.query('COMMIT'));
  try {
    const [, result] = await sendTogether(client, () => [client.query(begin), work(commit)]);
    await commit();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}
