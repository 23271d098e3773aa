import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase, migrateDatabase } from '@blog-content/database-migrations';
import { startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import { serviceNames } from '@blog-content/payload-schemas';
import pg from 'pg';

const root = join(import.meta.dirname, '../../..');
/** What `create-databases.sql` has psql run in each database, with psql's variables left to fill in. */
const rights = readFileSync(join(root, 'k8s/overlays/local/postgres/service-rights.psql'), 'utf8');
/** Their roles and databases. */
const services = serviceNames.map((name) => name.replaceAll('-', '_'));
const PASSWORD = 'of-tests';
const REFUSED = expect.objectContaining({ code: '42501' }) as Error;

let postgres: RunningPostgres;

beforeAll(async () => {
  // A server of its own: roles are everybody's on a server, and not every user may make them.
  const dataDir = await mkdtemp(join(tmpdir(), 'blog-content-roles-'));
  postgres = await startPostgres({ dataDir, settings: { fsync: 'off' }, disposable: true });
  for (const role of ['migrations', ...services])
    await query(postgres.url('postgres'), `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  for (const service of services) {
    await ensureDatabase(postgres.url(service));
    const filledIn = rights.replaceAll(':"service"', service).replaceAll(':"migrations"', 'migrations');
    await query(postgres.url(service), filledIn);
    const prismaFolder = join(root, 'apps', service.replaceAll('_', '-'), 'prisma');
    await migrateDatabase({ databaseUrl: urlAs('migrations', service), prismaFolder });
  }
});

afterAll(() => postgres?.stop());

describe.each(services)('the role %s', (service) => {
  it.each(services.filter((other) => other !== service))('cannot connect to the database %s', async (other) => {
    await expect(query(urlAs(service, other), 'SELECT 1')).rejects.toEqual(REFUSED);
  });

  it('may read and write the rows of every table that migrations made', async () => {
    const refused = `
      SELECT relname FROM pg_class, unnest('{SELECT,INSERT,UPDATE,DELETE,MAINTAIN}'::text[]) AS privilege
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT has_table_privilege(oid, privilege)
      UNION ALL
      SELECT sequencename FROM pg_sequences
      WHERE NOT has_sequence_privilege(format('public.%I', sequencename), 'USAGE')`;
    expect(await query(urlAs(service, service), refused)).toEqual([]);
    const read = `SELECT * FROM ${await tableOf(service)} LIMIT 0`;
    expect(await query(urlAs(service, service), read)).toEqual([]);
  });

  it.each([
    'CREATE TABLE another (id int)',
    'CREATE TEMP TABLE another (id int)',
    'CREATE SCHEMA another',
    'ALTER TABLE %I ADD COLUMN another int',
    'DROP TABLE %I',
    'CREATE OR REPLACE FUNCTION notify_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  ])('cannot %s', async (statement) => {
    const ofService = statement.replace('%I', await tableOf(service));
    await expect(query(urlAs(service, service), ofService)).rejects.toEqual(REFUSED);
  });
});

/** A table that migrations made. */
async function tableOf(service: string): Promise<string> {
  const tables = `SELECT format('%I', relname) AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname !~ '^_' ORDER BY relname LIMIT 1`;
  const [table] = (await query(postgres.url(service), tables)) as { name: string }[];
  if (table === undefined) throw new Error(`${service} has no table.`);
  return table.name;
}

function urlAs(role: string, database: string): string {
  const url = new URL(postgres.url(database));
  url.username = role;
  url.password = PASSWORD;
  return url.href;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
