import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import pg from 'pg';
import { ensureDatabase, MigrationError, migrateDatabase } from './index.ts';

const createNote =
  'CREATE TABLE "note" ("id" UUID NOT NULL, "text" TEXT NOT NULL, CONSTRAINT "note_pkey" PRIMARY KEY ("id"));';

/** Semicolons inside a body, two kinds of dollar quotes, a trigger, a partial index, a string with a semicolon. */
const trigger = `
CREATE TABLE audit (seen text NOT NULL);
CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit (seen) VALUES (NEW.text || ';');
  PERFORM pg_notify('note', '');
  RETURN NULL;
END;
$$;
CREATE TRIGGER note_written AFTER INSERT ON note FOR EACH ROW EXECUTE FUNCTION note_written();
DO $body$ BEGIN INSERT INTO audit (seen) VALUES ('first; really'); END; $body$;
CREATE INDEX note_text ON note (text) WHERE text <> ';';
`;

let postgres: RunningPostgres;
let workFolder: string;
const databases: string[] = [];

beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'blog-content-migrations-'));
  postgres = await startPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'blog-content-postgres-')),
    databaseUrl: process.env['TEST_DATABASE_URL'],
    settings: { fsync: 'off' },
    disposable: true,
  });
});

afterAll(async () => {
  for (const database of databases) await query(postgres.url('postgres'), `DROP DATABASE IF EXISTS "${database}"`);
  await postgres.stop();
  await rm(workFolder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `test_migrations_${randomUUID().replaceAll('-', '')}`;
  databases.push(name);
  await ensureDatabase(postgres.url(name));
  return postgres.url(name);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Writes a Prisma folder with these migrations; the same `folder` twice replaces what it had. */
async function prismaFolder(migrations: Record<string, string>, folder?: string): Promise<string> {
  const target = folder ?? (await mkdtemp(join(workFolder, 'prisma-')));
  await rm(join(target, 'migrations'), { recursive: true, force: true });
  await mkdir(join(target, 'migrations'));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(target, 'migrations', name));
    await writeFile(join(target, 'migrations', name, 'migration.sql'), sql);
  }
  return target;
}

async function failureOf(work: Promise<unknown>): Promise<MigrationError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MigrationError)) throw new Error('expected a MigrationError', { cause: error });
  return error;
}

describe('migrateDatabase', () => {
  it('applies migrations with functions and triggers in order, once', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({ '20260101000000_init': createNote, '20260102000000_trigger': trigger });

    const first = await migrateDatabase({ databaseUrl, prismaFolder: folder });
    const second = await migrateDatabase({ databaseUrl, prismaFolder: folder });
    await query(databaseUrl, `INSERT INTO note VALUES ('${randomUUID()}', 'hello')`);

    expect(first.applied).toEqual(['20260101000000_init', '20260102000000_trigger']);
    expect(second.applied).toEqual([]);
    expect(await query(databaseUrl, 'SELECT seen FROM audit')).toEqual([{ seen: 'first; really' }, { seen: 'hello;' }]);
    expect(await query(databaseUrl, 'SELECT migration_name FROM _prisma_migrations ORDER BY 1')).toHaveLength(2);
  });

  it('lets one of several replicas work while the others wait', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({
      '20260101000000_init': createNote,
      '20260102000000_slow': 'SELECT pg_sleep(0.5); CREATE TABLE later (id int);',
    });

    const results = await Promise.all([1, 2, 3, 4].map(() => migrateDatabase({ databaseUrl, prismaFolder: folder })));

    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 2]);
  });

  it('reports that it waits for another migration, which may belong to a silent process', async () => {
    const databaseUrl = await emptyDatabase();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('SELECT pg_advisory_lock(7236411805)');
    const said: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const log = (event: string) => {
      said.push(event);
      waiting.resolve();
    };
    const migrating = migrateDatabase({ databaseUrl, prismaFolder: await prismaFolder({ '1_note': createNote }), log });
    await waiting.promise;
    await client.end();
    await migrating;
    expect(said).toEqual(['database.migration_waits', 'database.migrated']);
  });

  it('applies only what is new', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({ '20260101000000_init': createNote });
    await migrateDatabase({ databaseUrl, prismaFolder: folder });
    await prismaFolder({ '20260101000000_init': createNote, '20260102000000_trigger': trigger }, folder);

    expect(await migrateDatabase({ databaseUrl, prismaFolder: folder })).toEqual({
      applied: ['20260102000000_trigger'],
    });
  });

  it('rolls a failing migration back, names it and the error of PostgreSQL, and refuses to continue until it is cleared', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({
      '20260101000000_init': createNote,
      '20260102000000_broken': 'CREATE TABLE half (id int); ALTER TABLE missing ADD COLUMN id int;',
    });

    const failure = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));
    const again = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));

    expect(failure.migrations).toEqual(['20260102000000_broken']);
    expect(failure.message).toContain('20260102000000_broken');
    expect(failure.message).toContain('statement 2: relation "missing" does not exist');
    expect(await query(databaseUrl, `SELECT to_regclass('half') AS half, to_regclass('note') IS NULL AS note`)).toEqual(
      [{ half: null, note: false }],
    );
    expect(again.message).toContain('Migration 20260102000000_broken failed earlier');

    await query(databaseUrl, 'DELETE FROM _prisma_migrations WHERE finished_at IS NULL');
    await prismaFolder(
      { '20260101000000_init': createNote, '20260102000000_broken': 'CREATE TABLE half (id int);' },
      folder,
    );
    expect(await migrateDatabase({ databaseUrl, prismaFolder: folder })).toEqual({
      applied: ['20260102000000_broken'],
    });
  });

  it('builds an index concurrently, and says which statement failed without a place in the script', async () => {
    const databaseUrl = await emptyDatabase();
    const concurrently = 'CREATE INDEX CONCURRENTLY note_text ON note (text);';
    const folder = await prismaFolder({
      '1_note': createNote,
      '2_index': concurrently,
      '3_twice': `INSERT INTO note VALUES ('${'0'.repeat(32)}', '');\n`.repeat(2),
    });

    const failure = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));

    expect(failure.message).toMatch(/^Migration 3_twice failed .*: statement 2: duplicate key value .*SQLSTATE 23505/);
    expect(
      await query(databaseUrl, `SELECT indisvalid FROM pg_index WHERE indexrelid = 'note_text'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });

  it('waits for the statement of a killed process, then reports its migration as interrupted', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({ '1_slow': 'CREATE TABLE slow (id int); SELECT pg_sleep(2);' });
    const program = `
      import { migrateDatabase } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
      await migrateDatabase(${JSON.stringify({ databaseUrl, prismaFolder: folder })});`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const sleeping = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(2)%'
      AND pid <> pg_backend_pid() AND state = 'active'`;
    while ((await query(databaseUrl, sleeping)).length === 0) await sleep(50);
    child.kill('SIGKILL');
    await exited;

    const failure = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));

    expect(failure.message).toContain('Migration 1_slow was interrupted earlier');
    expect(await query(databaseUrl, sleeping)).toEqual([]);
  });

  it('refuses a database with foreign tables', async () => {
    const databaseUrl = await emptyDatabase();
    await query(databaseUrl, 'CREATE TABLE of_another (id int)');

    const failure = await failureOf(
      migrateDatabase({ databaseUrl, prismaFolder: await prismaFolder({ '1_note': createNote }) }),
    );

    expect(failure.message).toContain('This database has tables but no _prisma_migrations');
  });

  it('names a migration that was edited after it had been applied', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({ '20260101000000_init': createNote });
    await migrateDatabase({ databaseUrl, prismaFolder: folder });
    await prismaFolder({ '20260101000000_init': `${createNote} CREATE TABLE more (id int);` }, folder);

    const failure = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));

    expect(failure.message).toContain('Migration 20260101000000_init was edited');
  });

  it('leaves a newer database alone, and says so', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({ '20260101000000_init': createNote, '20260102000000_trigger': trigger });
    await migrateDatabase({ databaseUrl, prismaFolder: folder });
    await prismaFolder({ '20260101000000_init': createNote }, folder);
    const events: string[] = [];

    const { applied } = await migrateDatabase({
      databaseUrl,
      prismaFolder: folder,
      log: (event) => events.push(event),
    });

    expect(applied).toEqual([]);
    expect(events).toContain('database.ahead');
  });
});

describe('ensureDatabase', () => {
  it('creates a missing database once, also when several ask at the same time', async () => {
    const name = `test_ensure_${randomUUID().replaceAll('-', '')}`;
    databases.push(name);

    const created = await Promise.all([1, 2, 3].map(() => ensureDatabase(postgres.url(name))));

    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await query(postgres.url(name), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
