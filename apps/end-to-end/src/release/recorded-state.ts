import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase, migrateDatabase } from '@blog-content/database-migrations';
import { prismaFolderOf, type LocalSettings } from '@blog-content/local-services';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import pg from 'pg';

/** A post of the recorded state: what had been done for it, and what must still be done. */
export interface RecordedPost {
  readonly id: string;
  readonly slug: string;
  /** What became of its delivery: it had arrived, it must arrive once, or it was under way and is never repeated. */
  readonly delivery: 'arrived' | 'waits' | 'interrupted';
}

/** What a release left behind when all of its processes were killed: released/state.json. */
export interface RecordedState {
  readonly version: string;
  /** Times in the state are of before: they move by what has passed since. */
  readonly recordedAt: string;
  readonly settings: LocalSettings;
  readonly projectId: string;
  readonly publicKey: string;
  readonly integrationId: string;
  readonly posts: readonly RecordedPost[];
  readonly databases: Readonly<Record<ServiceName | 'event-log', RecordedDatabase>>;
}

interface RecordedDatabase {
  /** Of what no migration makes: the log's own tables. */
  readonly ddl: readonly string[];
  /** By table, quoted and with its schema: rows as PostgreSQL writes composite values. JSON can’t tell its null from SQL’s. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  /** By sequence: the last value it has given. */
  readonly sequences: Readonly<Record<string, number>>;
}

/** The migrations of the last release, by service: docs/released-migrations.json. */
export type ReleasedMigrations = Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;

async function using<Result>(databaseUrl: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const SCHEMAS = `('public', 'event_log')`;
/** Of each database; those of the log have no migration. */
const OWN_SCHEMA = 'event_log';

/** Reads all rows of a database. */
export function dumpDatabase(databaseUrl: string): Promise<RecordedDatabase> {
  return using(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string; schema: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name, schemaname AS schema FROM pg_tables
       WHERE schemaname IN ${SCHEMAS} AND tablename <> '_prisma_migrations' ORDER BY 1`,
    );
    const rows: Record<string, string[]> = {};
    for (const { name } of tables) {
      const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      if (found.rows.length > 0) rows[name] = found.rows.map(({ row }) => row);
    }
    const { rows: sequences } = await client.query<{ name: string; last: string }>(
      `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last FROM pg_sequences
       WHERE schemaname IN ${SCHEMAS} AND last_value IS NOT NULL ORDER BY 1`,
    );
    const hasOwn = tables.some(({ schema }) => schema === OWN_SCHEMA);
    return {
      ddl: hasOwn ? await describeOwnTables(client) : [],
      rows,
      sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, Number(last)])),
    };
  });
}

/** Statements that make the tables of the log as they are. */
async function describeOwnTables(client: pg.Client): Promise<string[]> {
  const textsOf = async (sql: string) => (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text);
  return [
    `CREATE SCHEMA ${OWN_SCHEMA}`,
    ...(await textsOf(`
      SELECT format('CREATE TABLE %s (%s)', c.oid::regclass, string_agg(
        format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
          || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
          || CASE WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY (CYCLE)'
                  WHEN d.oid IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END,
        ', ' ORDER BY a.attnum)) AS text
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = '${OWN_SCHEMA}'::regnamespace AND c.relkind = 'r' GROUP BY c.oid ORDER BY 1`)),
    ...(await textsOf(`
      SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS text
      FROM pg_constraint WHERE connamespace = '${OWN_SCHEMA}'::regnamespace AND contype IN ('p', 'u', 'c', 'f')
      ORDER BY contype = 'f', 1`)),
    ...(await textsOf(`
      SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index JOIN pg_class c ON c.oid = indrelid
      WHERE c.relnamespace = '${OWN_SCHEMA}'::regnamespace
        AND indexrelid NOT IN (SELECT conindid FROM pg_constraint) ORDER BY 1`)),
  ];
}

/** Applies the migrations of the last release to a database, and no newer ones. */
export async function migrateToRelease(
  databaseUrl: string,
  service: ServiceName,
  migrations: ReleasedMigrations,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-release-'));
  for (const name of Object.keys(migrations[service])) {
    await cp(join(prismaFolderOf(service), 'migrations', name), join(folder, 'migrations', name), { recursive: true });
  }
  await ensureDatabase(databaseUrl);
  await migrateDatabase({ databaseUrl, prismaFolder: folder });
  await rm(folder, { recursive: true, force: true });
}

/** How long nothing runs in between: what was scheduled is due soon, and nobody waits for it for long. */
const DOWN_MS = 45_000;

/** Creates the databases that the release left behind, with times as if it had stopped a moment ago. */
export async function restoreState(
  state: RecordedState,
  databaseUrls: Readonly<Record<ServiceName | 'event-log', string>>,
  migrations: ReleasedMigrations,
): Promise<void> {
  for (const service of serviceNames) await migrateToRelease(databaseUrls[service], service, migrations);
  await ensureDatabase(databaseUrls['event-log']);
  const passedMs = Date.now() - Date.parse(state.recordedAt) - DOWN_MS;
  for (const [name, databaseUrl] of Object.entries(databaseUrls)) {
    await loadDatabase(databaseUrl, state.databases[name as ServiceName], passedMs);
  }
}

function loadDatabase(
  databaseUrl: string,
  { ddl, rows, sequences }: RecordedDatabase,
  passedMs: number,
): Promise<void> {
  return using(databaseUrl, async (client) => {
    for (const statement of ddl) await client.query(statement);
    // Neither triggers nor foreign keys: rows come as they were, in any order.
    await client.query('SET session_replication_role = replica');
    for (const [table, values] of Object.entries(rows)) {
      const { rows: columns } = await client.query<{ name: string; is_time: boolean }>(
        `SELECT format('%I', attname) AS name, atttypid IN ('timestamptz'::regtype, 'timestamp'::regtype) AS is_time
         FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [table],
      );
      const names = columns.map(({ name }) => name).join(', ');
      const moved = columns.map(({ name, is_time }) => (is_time ? `${name} + $2 * interval '1 ms'` : name)).join(', ');
      // What migrations put there is part of what was recorded.
      await client.query(`DELETE FROM ${table}`);
      await client.query(
        `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
         SELECT ${moved} FROM (SELECT (value::${table}).* FROM unnest($1::text[]) AS value) AS recorded
         WHERE $2::float8 IS NOT NULL`,
        [values, passedMs],
      );
    }
    for (const [sequence, last] of Object.entries(sequences))
      await client.query('SELECT setval($1, $2)', [sequence, last]);
  });
}
