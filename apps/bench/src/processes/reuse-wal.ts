import pg from 'pg';

/** Files of 16 MB each: what a measurement of the usual length writes, and more. */
const FILES = 48;

/**
 * Makes a new server's log as that of one that has been running for long, which writes into files that it has filled
 * before. A new one makes each file when it comes to it, and commits then wait for some 100 ms.
 */
export async function reuseWal(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET min_wal_size = '${FILES * 16} MB'`);
    await client.query('SELECT pg_reload_conf()');
    for (let file = 0; file < FILES; file += 1) {
      await client.query(`SELECT pg_logical_emit_message(false, '', '')`);
      await client.query('SELECT pg_switch_wal()');
    }
    // The files before the newest checkpoint’s are put behind the present one.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
