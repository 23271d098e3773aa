import { createBatcher } from '@blog-content/concurrency';
import type { Pool } from 'pg';

/**
 * Resolves when everything that was committed before the call is on the server's disk, whatever database of the server it is
 * in; rejects when that is not known.
 */
export type FlushWal = () => Promise<void>;

/** Writes nothing but this into the server's log, and commits as its `synchronous_commit` says: all before it is on disk too. */
const FLUSH = { name: 'flush-wal', text: `SELECT pg_logical_emit_message(true, 'event-log', '')` };

/** Calls that come while a flush is under way share the next one: that one may have begun before their commit. */
export function createFlushWal(pool: Pick<Pool, 'query'>): FlushWal {
  const { add } = createBatcher<void, void>({
    maxSize: Number.POSITIVE_INFINITY,
    async run() {
      await pool.query(FLUSH);
      return [];
    },
  });
  return () => add();
}
