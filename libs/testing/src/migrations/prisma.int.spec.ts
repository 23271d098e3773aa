import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '@blog-content/database-migrations';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../test-database.ts';
import { workspaceRoot } from '../workspace-root.ts';
import { draftMigration } from './draft-migration.ts';
import { runPrisma } from './run-prisma.ts';

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

let workFolder: string;
let database: TestDatabase;

beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'blog-content-prisma-'));
});
afterAll(() => rm(workFolder, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

async function prismaFolder(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(workFolder, 'prisma-'));
  await mkdir(join(folder, 'migrations'));
  await writeFile(join(folder, 'schema.prisma'), schema);
  await writeFile(join(folder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, 'migrations', name));
    await writeFile(join(folder, 'migrations', name, 'migration.sql'), sql);
  }
  return folder;
}

const migrate = (folder: string) => migrateDatabase({ databaseUrl: database.url, prismaFolder: folder });
const prisma = (command: string, folder: string, ...args: string[]) =>
  runPrisma(database.url, folder, 'migrate', command, ...args);

describe('`prisma migrate` beside migrateDatabase', () => {
  it('reports that a service is up to date', async () => {
    const folder = join(workspaceRoot, 'apps/content-service/prisma');
    await migrate(folder);
    const { status, stdout } = await prisma('status', folder);
    expect(stdout).toContain('Database schema is up to date!');
    expect(status).toBe(0);
  });

  it('leaves nothing to do after Prisma itself has migrated, and the same rows and table', async () => {
    const folder = await prismaFolder({ '1_note': createNote, '2_later': 'CREATE TABLE later (id int);\r\n' });
    const deployed = await prisma('deploy', folder);
    expect(deployed.stdout).toContain('All migrations have been successfully applied.');
    const byPrisma = await records(database.url);
    expect(await migrate(folder)).toEqual({ applied: [] });

    const ours = await createEmptyDatabase();
    await migrateDatabase({ databaseUrl: ours.url, prismaFolder: folder });
    expect(await records(ours.url)).toEqual(byPrisma);
    await ours.drop();
  });

  it('reports and resolves a migration that failed', async () => {
    const folder = await prismaFolder({ '1_note': createNote, '2_broken': 'SELECT 1;\nSELECT nothing;' });
    await expect(migrate(folder)).rejects.toThrow(
      'Migration 2_broken failed and was rolled back: statement 2 (line 2): column "nothing"',
    );
    const { status, stdout, stderr } = await prisma('status', folder);
    expect(status).toBe(1);
    expect(stdout + stderr).toMatch(/failed:\s+2_broken/);

    expect(await prisma('resolve', folder, '--rolled-back', '2_broken')).toMatchObject({ status: 0 });
    await writeFile(join(folder, 'migrations/2_broken/migration.sql'), 'SELECT 1;');
    expect(await migrate(folder)).toEqual({ applied: ['2_broken'] });
    expect(await prisma('status', folder)).toMatchObject({ status: 0 });
  });
});

describe('draftMigration', () => {
  it('returns the SQL that the schema has and the migrations lack', async () => {
    expect(await draftMigration(await prismaFolder({}))).toContain('CREATE TABLE "note"');
  });

  it('returns nothing when they agree, ignoring what Prisma does not model', async () => {
    const partialIndex = `CREATE INDEX note_text ON note (text) WHERE text <> '';`;
    const folder = await prismaFolder({ '20260101000000_init': createNote, '20260102000000_index': partialIndex });
    expect(await draftMigration(folder)).toBe('');
  });
});

/** The table's columns, and its rows without ids and times. */
async function records(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: columns } = await client.query(`
    SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
    FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`);
  const { rows } = await client.query(`
    SELECT migration_name, checksum, logs, applied_steps_count, finished_at >= started_at AS finished, rolled_back_at
    FROM _prisma_migrations ORDER BY 1`);
  await client.end();
  return { columns, rows };
}
