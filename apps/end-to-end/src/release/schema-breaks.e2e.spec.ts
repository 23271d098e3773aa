import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@blog-content/payload-schemas';
import { createEmptyDatabase, createTestDatabase } from '@blog-content/testing';
import pg from 'pg';
import { migrateToRelease, type ReleasedMigrations } from './recorded-state.ts';
import { readSchema, schemaBreaks } from './schema-breaks.ts';

const { version, migrations } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../docs/released-migrations.json'), 'utf8'),
) as { readonly version: string; readonly migrations: ReleasedMigrations };

/** Rules that the release's code cannot break: they were only relaxed, or are of fields that it doesn't know. */
const HARMLESS: Partial<Record<(typeof serviceNames)[number], readonly string[]>> = {
  'content-service': [
    [
      'blog has a new rule: CREATE UNIQUE INDEX ON public.blog USING btree',
      "(project_id, ((extra ->> 'translation_key'::text)), ((extra ->> 'language'::text)))",
      "WHERE ((extra ->> 'translation_key'::text) IS NOT NULL).",
    ].join(' '),
  ],
  'webhook-dispatcher': [
    "delivery has a new rule: CHECK (((trigger = 'autopilot'::text) OR retry_manual OR (attempts <= 1))) NOT VALID.",
  ],
};

describe(`release ${version} on the present databases`, () => {
  it.each(serviceNames)('finds each table of %s as it knows it', async (service) => {
    const before = await createEmptyDatabase();
    const after = await createTestDatabase(service);
    await migrateToRelease(before.url, service, migrations);
    const known = await readSchema(before.url);
    expect(known.size).toBeGreaterThan(5);
    expect(schemaBreaks(known, await readSchema(after.url))).toEqual(HARMLESS[service] ?? []);
    await before.drop();
    await after.drop();
  });
});

describe('a change of the schema', () => {
  const TABLE = `
    CREATE TABLE tea (id int PRIMARY KEY, name text NOT NULL, kind text, brewed_at timestamptz NOT NULL DEFAULT now())`;

  it.each([
    ['a new table', 'CREATE TABLE cup (id int)', []],
    ['a column that may be left out', 'ALTER TABLE tea ADD size int, ADD cups int NOT NULL DEFAULT 1', []],
    ['a rule of a new column', 'ALTER TABLE tea ADD size int CHECK (size > 0)', []],
    ['an index', 'CREATE INDEX ON tea (kind)', []],
    ['a table that is gone', 'DROP TABLE tea', ['The table tea is gone.']],
    ['a column that is gone', 'ALTER TABLE tea DROP kind', ['tea.kind is gone.']],
    ['another type', 'ALTER TABLE tea ALTER id TYPE bigint', ['tea.id is bigint, and was integer.']],
    ['a new duty', 'ALTER TABLE tea ALTER kind SET NOT NULL', ['tea.kind can’t be null any more.']],
    ['a value that may be missing', 'ALTER TABLE tea ALTER name DROP NOT NULL', ['tea.name can be null now.']],
    [
      'a default that is gone',
      'ALTER TABLE tea ALTER brewed_at DROP DEFAULT',
      ['tea.brewed_at has no default any more.'],
    ],
    [
      'a required column',
      'ALTER TABLE tea ADD size int NOT NULL',
      ['tea.size is new and required: it needs a default.'],
    ],
    ['a new rule', `ALTER TABLE tea ADD CHECK (kind <> '')`, [`tea has a new rule: CHECK ((kind <> ''::text)).`]],
    [
      'a new unique index',
      'CREATE UNIQUE INDEX ON tea (lower(name), kind)',
      ['tea has a new rule: CREATE UNIQUE INDEX ON public.tea USING btree (lower(name), kind).'],
    ],
  ])('is judged: %s', async (_name, change, breaks) => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(TABLE);
    const before = await readSchema(database.url);
    await client.query(change);
    await client.end();
    expect(schemaBreaks(before, await readSchema(database.url))).toEqual(breaks);
    await database.drop();
  });
});
