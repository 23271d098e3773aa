import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './index.ts';

let prismaFolder: string;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  prismaFolder = await mkdtemp(join(tmpdir(), 'blog-content-prisma-'));
  await mkdir(join(prismaFolder, 'migrations', '20260101000000_init'), { recursive: true });
  await writeFile(join(prismaFolder, 'schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
  await writeFile(
    join(prismaFolder, 'migrations', '20260101000000_init', 'migration.sql'),
    `CREATE TABLE note (text text); INSERT INTO note VALUES ('migrated');`,
  );
});

afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(prismaFolder, { recursive: true, force: true });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives everyone a migrated database of their own, also at the same time', async () => {
    const created = await Promise.all([1, 2, 3, 4].map(() => createTestDatabase('fixture', { prismaFolder })));
    databases.push(...created);
    const [first, second] = created;

    await query(first!.url, `INSERT INTO note VALUES ('mine')`);

    expect(await query(first!.url, 'SELECT text FROM note')).toEqual([{ text: 'migrated' }, { text: 'mine' }]);
    expect(await query(second!.url, 'SELECT text FROM note')).toEqual([{ text: 'migrated' }]);
    expect(new Set(created.map(({ url }) => url)).size).toBe(4);
  });

  it('lets who is leaving a database leave before it is dropped', async () => {
    const database = await createTestDatabase('fixture', { prismaFolder });
    const client = new pg.Client({ connectionString: database.url });
    const errors: Error[] = [];
    client.on('error', (error) => errors.push(error));
    await client.connect();

    const dropped = database.drop();
    await sleep(300);
    await client.end();
    await dropped;

    expect(errors).toEqual([]);
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });

  it('drops a database that is still connected to', async () => {
    const database = await createTestDatabase('fixture', { prismaFolder });
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();

    await database.drop();

    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});

describe('createEmptyDatabase', () => {
  it('gives a database without tables', async () => {
    const database = await createEmptyDatabase();
    databases.push(database);

    expect(await query(database.url, `SELECT * FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });
});
