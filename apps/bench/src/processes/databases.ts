import pg from 'pg';

/** Drops the named database, if there is one, and makes an empty one. Returns its address. */
export async function freshDatabase(
  serverUrl: string,
  database: string,
  urlOf: (database: string) => string,
): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
  return urlOf(database);
}

/** Runs one statement on a connection of its own. */
export async function queryOnce<Row extends pg.QueryResultRow>(databaseUrl: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
