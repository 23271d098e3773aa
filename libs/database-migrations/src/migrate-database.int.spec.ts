import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import pg from 'pg';
import { draftMigration, ensureDatabase, MigrationError, migrateDatabase } from './index.ts';

const schema = `
datasource db {
  provider = "postgresql"
}

model Note {
  id   String @id @db.Uuid
  text String

  @@map("note")
}
`;

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
  await writeFile(join(target, 'schema.prisma'), schema);
  await writeFile(join(target, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
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

  it('says that it waits for another that migrates, which may be one that nobody hears of any more', async () => {
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
    expect(said).toEqual(['database.waits_for_migration', 'database.migrated']);
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

  it('rolls a failing migration back, names it and what PostgreSQL said, and refuses to go on until it is cleared', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({
      '20260101000000_init': createNote,
      '20260102000000_broken': 'CREATE TABLE half (id int); ALTER TABLE missing ADD COLUMN id int;',
    });

    const failure = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));
    const again = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));

    expect(failure.migrations).toEqual(['20260102000000_broken']);
    expect(failure.message).toContain('20260102000000_broken');
    expect(failure.message).toContain('relation "missing" does not exist');
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

  it('names a migration that was edited after it had been applied', async () => {
    const databaseUrl = await emptyDatabase();
    const folder = await prismaFolder({ '20260101000000_init': createNote });
    await migrateDatabase({ databaseUrl, prismaFolder: folder });
    await prismaFolder({ '20260101000000_init': `${createNote} CREATE TABLE more (id int);` }, folder);

    const failure = await failureOf(migrateDatabase({ databaseUrl, prismaFolder: folder }));

    expect(failure.message).toContain('Migration 20260101000000_init was edited');
  });

  it('leaves a database alone that is ahead, and says so', async () => {
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

describe('draftMigration', () => {
  it('returns the SQL that the schema has and the migrations lack', async () => {
    const folder = await prismaFolder({});

    const sql = await draftMigration({ serverUrl: postgres.url('postgres'), prismaFolder: folder });

    expect(sql).toContain('CREATE TABLE "note"');
  });

  it('returns nothing when they agree, ignoring what Prisma does not model', async () => {
    const partialIndex = `CREATE INDEX note_text ON note (text) WHERE text <> '';`;
    const folder = await prismaFolder({ '20260101000000_init': createNote, '20260102000000_index': partialIndex });

    expect(await draftMigration({ serverUrl: postgres.url('postgres'), prismaFolder: folder })).toBe('');
  });
});
