import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrateDatabase } from '@blog-content/database-migrations';
import pg from 'pg';
import { testServerUrl } from './test-servers.ts';
import { workspaceRoot } from './workspace-root.ts';

/** A database of one test file's own. */
export interface TestDatabase {
  /** Its connection string. */
  readonly url: string;
  /** Deletes it, once everyone has left; disconnects those who have not after 5 s. */
  readonly drop: () => Promise<void>;
}

/** What `createTestDatabase` may be told beside the service's name. */
export interface TestDatabaseOptions {
  /** The folder with `schema.prisma` and `migrations/`; `apps/<app>/prisma` when not given. */
  readonly prismaFolder?: string;
}

/** A new database with every migration of the service `app` applied: a copy of a template that is migrated once. */
export async function createTestDatabase(app: string, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const prismaFolder = options.prismaFolder ?? join(workspaceRoot, 'apps', app, 'prisma');
  const serverUrl = testServerUrl();
  const template = await ensureTemplate(serverUrl, app, prismaFolder);
  return createDatabase(serverUrl, app, template);
}

/** A new database without a table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(testServerUrl(), 'empty', 'template0');
}

/** The connection string of a database on the tests' server, which need not exist yet. */
export function testDatabaseUrl(name: string): string {
  return databaseUrl(testServerUrl(), name);
}

/** Deletes the databases on the tests' server whose names begin with `prefix`; disconnects who is still there. */
export async function dropTestDatabases(prefix: string): Promise<void> {
  await withServer(testServerUrl(), async (server) => {
    const { rows } = await server.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) {
      await server.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`);
    }
  });
}

async function createDatabase(serverUrl: string, label: string, template: string): Promise<TestDatabase> {
  const name = `test_${identifierPart(label)}_${randomUUID().slice(0, 13).replace('-', '')}`;
  // Copied as files: block by block through the log takes twice as long.
  const copy = `
    CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)} STRATEGY FILE_COPY`;
  await withServer(serverUrl, (server) => server.query(copy));
  return {
    url: databaseUrl(serverUrl, name),
    async drop() {
      const drop = `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)}`;
      // A pool's `end` resolves before the server has closed the connections: one that FORCE cuts off just then tells
      // its client an error that nobody listens for, and jest blames the test that opened it. Without FORCE, PostgreSQL
      // waits for 5 s.
      await withServer(serverUrl, (server) => server.query(drop).catch(() => server.query(`${drop} WITH (FORCE)`)));
    },
  };
}

/** Migrated under another name and renamed, so that a template that exists is complete. */
async function ensureTemplate(serverUrl: string, app: string, prismaFolder: string): Promise<string> {
  const name = `template_${identifierPart(app)}_${await hashOf(prismaFolder)}`;
  await withServer(serverUrl, async (server) => {
    if (await exists(server, name)) return;
    await server.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    if (await exists(server, name)) return;
    const unfinished = `${name}_new`;
    await server.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(unfinished)} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${pg.escapeIdentifier(unfinished)} TEMPLATE template0`);
    await migrateDatabase({ databaseUrl: databaseUrl(serverUrl, unfinished), prismaFolder });
    await server.query(`ALTER DATABASE ${pg.escapeIdentifier(unfinished)} RENAME TO ${pg.escapeIdentifier(name)}`);
  });
  return name;
}

async function exists(server: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

async function hashOf(prismaFolder: string): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(prismaFolder, { recursive: true, withFileTypes: true });
  const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(await readFile(path))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

function identifierPart(text: string): string {
  return text
    .replaceAll(/[^a-z0-9]+/gi, '_')
    .toLowerCase()
    .slice(0, 24);
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withServer<Result>(serverUrl: string, work: (server: pg.Client) => Promise<Result>): Promise<Result> {
  const server = new pg.Client({ connectionString: serverUrl });
  server.on('error', () => undefined);
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}
