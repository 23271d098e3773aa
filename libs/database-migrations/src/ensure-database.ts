import pg from 'pg';

const invalidCatalogName = '3D000';
const duplicateDatabase = '42P04';
/** What two sessions that create the same database concurrently may see instead of `duplicateDatabase`. */
const uniqueViolation = '23505';

/**
 * Creates the database that `databaseUrl` names when its server lacks it, and tells whether it did. Needs the right to
 * create databases only then; safe to call from several processes concurrently.
 */
export async function ensureDatabase(databaseUrl: string): Promise<boolean> {
  if (await databaseExists(databaseUrl)) return false;
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    return true;
  } catch (error) {
    const code = (error as pg.DatabaseError).code;
    if (code === duplicateDatabase || code === uniqueViolation) return false;
    throw error;
  } finally {
    await client.end();
  }
}

async function databaseExists(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as pg.DatabaseError).code === invalidCatalogName) return false;
    throw error;
  } finally {
    await client.end();
  }
}
