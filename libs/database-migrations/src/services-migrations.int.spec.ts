import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import { draftMigration } from './index.ts';

const apps = join(import.meta.dirname, '../../../apps');
const services = readdirSync(apps).filter((name) => existsSync(join(apps, name, 'prisma/schema.prisma')));

let postgres: RunningPostgres;

beforeAll(async () => {
  postgres = await startPostgres({
    dataDir: await mkdtemp(join(tmpdir(), 'blog-content-postgres-')),
    databaseUrl: process.env['TEST_DATABASE_URL'],
    settings: { fsync: 'off' },
    disposable: true,
  });
});
afterAll(() => postgres?.stop());

describe('the migrations of a service', () => {
  it.each(services)('lead to its schema.prisma, else scripts/create-migration.mjs writes one: %s', async (service) => {
    const prismaFolder = join(apps, service, 'prisma');
    expect(await draftMigration({ serverUrl: postgres.url('postgres'), prismaFolder })).toBe('');
  });
});
