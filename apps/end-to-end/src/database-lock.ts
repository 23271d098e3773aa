import { eventually } from '@blog-content/testing';
import pg from 'pg';

/** A table that nobody can change until it is let go: statements that want to, wait. */
export interface TableLock {
  /** How many statements of others wait for it that contain this text, in any case. */
  countWaiting(text: string): Promise<number>;
  /** Ends the connections whose statements wait, so that they come to nothing, and waits until they are gone. */
  endWaiting(): Promise<void>;
  /** Lets the table go: statements that still wait are carried out, whether or not their sender lives. */
  release(): Promise<void>;
}

const GONE_WITHIN_MS = 15_000;

/** Locks `table` for as long as nobody calls `release`. Reading goes on. */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  const watcher = new pg.Client({ connectionString: databaseUrl });
  for (const client of [holder, watcher]) {
    client.on('error', () => undefined);
    await client.connect();
  }
  await holder.query('BEGIN');
  await holder.query(`LOCK TABLE ${pg.escapeIdentifier(table)} IN EXCLUSIVE MODE`);
  const waiting = `FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  return {
    async countWaiting(text) {
      const found = await watcher.query<{ count: number }>(
        `SELECT count(*)::int AS count ${waiting} AND query ILIKE '%' || $1 || '%'`,
        [text],
      );
      return found.rows[0]?.count ?? 0;
    },
    async endWaiting() {
      const ended = await watcher.query<{ pid: number }>(`SELECT pid, pg_terminate_backend(pid) ${waiting}`);
      // One may have gone by itself just then, its client being dead and what it waited for ended: all that counts is
      // that it is gone.
      const pids = ended.rows.map(({ pid }) => pid);
      await eventually(
        async () => {
          const left = await watcher.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids]);
          return left.rowCount === 0;
        },
        { timeoutMs: GONE_WITHIN_MS },
      );
    },
    async release() {
      await holder.query('ROLLBACK');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}

/** One query on a connection of its own. */
export async function queryOnce<Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
