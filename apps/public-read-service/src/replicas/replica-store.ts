import type { Session } from '@blog-content/postgres';
import type { Pool } from 'pg';

/** The PostgreSQL channel on which replicas report the epoch that they have seen: id, blank, epoch. */
export const SEEN_CHANNEL = 'replica_seen';

/** Rows of processes that died are removed after this. */
const FORGET_AFTER = '1 day';

/** A row of the table `replica`. */
export interface ReplicaRow {
  readonly id: string;
  readonly seen_epoch: string;
  readonly renewed_at: string;
}

/** The rows of all replicas. */
export async function readReplicas(pool: Pick<Pool, 'query'>): Promise<readonly ReplicaRow[]> {
  const { rows } = await pool.query<ReplicaRow>('SELECT id::text, seen_epoch::text, renewed_at::text FROM replica');
  return rows;
}

export type ReplicaStore = ReturnType<typeof createReplicaStore>;

export function createReplicaStore(session: Pick<Session, 'query'>, replicaId: string) {
  return {
    /** Makes the row, which has seen nothing yet, and removes those of replicas that are gone. */
    async enter(): Promise<void> {
      await session.query(`DELETE FROM replica WHERE renewed_at < clock_timestamp() - interval '${FORGET_AFTER}'`);
      await session.query(
        `INSERT INTO replica (id, seen_epoch, renewed_at) VALUES ($1, 0, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET seen_epoch = 0, renewed_at = excluded.renewed_at`,
        [replicaId],
      );
    },

    /**
     * Renews the row, and then reads the newest epoch.
     *
     * @throws when the row is gone
     */
    async renew(seen: bigint): Promise<bigint> {
      // Two statements: the epoch is read after the row was committed and is on disk. So a writer that commits a change
      // and then finds an older row knows that this replica reads the new epoch, even if the server crashes in between.
      const renewed = await session.query(
        `UPDATE replica SET renewed_at = clock_timestamp(), seen_epoch = greatest(seen_epoch, $2) WHERE id = $1
         RETURNING id`,
        [replicaId, String(seen)],
      );
      if (renewed.length === 0) throw new Error('The row of this replica is missing.');
      const [row] = await session.query<{ epoch: string }>('SELECT epoch FROM read_epoch');
      return BigInt(row?.epoch ?? 0);
    },

    /** Writes down which epoch was seen, and tells it all replicas. */
    async report(seen: bigint): Promise<void> {
      await session.query(
        // If a crash of the server loses it, others wait longer.
        `WITH moved AS (UPDATE replica SET seen_epoch = $2 WHERE id = $1 RETURNING id)
         SELECT pg_notify('${SEEN_CHANNEL}', id || ' ' || $2::bigint), set_config('synchronous_commit', 'off', true)
         FROM moved`,
        [replicaId, String(seen)],
      );
    },

    async remove(): Promise<void> {
      await session.query('DELETE FROM replica WHERE id = $1', [replicaId]);
    },
  };
}
