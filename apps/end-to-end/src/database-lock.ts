import { eventually } from '@blog-content/testing';
import pg from 'pg';

/** A table that nobody can change until it is let go: statements that want to, wait. */
export interface TableLock {
  /** How many statements of others wait for it that contain this text, in any case. */
  countWaiting(text: string): Promise<number>;
  /** The server's processes whose statements wait for it and contain this text, in any case. */
  pidsWaiting(text: string): Promise<number[]>;
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
  const pidsWaiting = async (text: string): Promise<number[]> => {
    const sql = `SELECT pid ${waiting} AND query ILIKE '%' || $1 || '%'`;
    return (await watcher.query<{ pid: number }>(sql, [text])).rows.map(({ pid }) => pid);
  };
  return {
    pidsWaiting,
    countWaiting: async (text) => (await pidsWaiting(text)).length,
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

/** Transactions of the whole server that write wait at their end: they are on disk, and nobody sees or hears of it. */
export interface HeldCommits {
  /** Which of these processes of the server wait. */
  among(pids: readonly number[]): Promise<number[]>;
  /** Lets them end, whether or not their senders live. */
  release(): Promise<void>;
}

/** Holds commits by having them wait for a standby that does not exist. For a superuser. */
export async function holdCommits(databaseUrl: string): Promise<HeldCommits> {
  const watcher = new pg.Client({ connectionString: databaseUrl });
  const writer = new pg.Client({ connectionString: databaseUrl });
  for (const client of [watcher, writer]) await client.connect();
  const set = async (names: string) => {
    await watcher.query(`ALTER SYSTEM SET synchronous_standby_names = ${pg.escapeLiteral(names)}`);
    await watcher.query('SELECT pg_reload_conf()');
  };
  const among = async (pids: readonly number[]) => {
    const sql = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid = ANY ($1)`;
    return (await watcher.query<{ pid: number }>(sql, [pids])).rows.map(({ pid }) => pid);
  };
  await set('nobody');
  // The server takes up the setting in its own time: it has once a commit waits.
  const { pid } = (await writer.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!;
  let writing: Promise<unknown> | undefined;
  await eventually(async () => {
    writing ??= writer.query(`SELECT pg_logical_emit_message(true, 'end-to-end', '')`).finally(() => {
      writing = undefined;
    });
    return (await among([pid])).length > 0;
  });
  return {
    among,
    async release() {
      await set('');
      await writing;
      await Promise.all([watcher.end(), writer.end()]);
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
