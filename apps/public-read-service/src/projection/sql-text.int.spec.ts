import { createTestDatabase } from '@blog-content/testing';
import fc from 'fast-check';
import pg from 'pg';
import { toArrayText, toLiteral } from './sql-text.ts';

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase('public-read-service');
  client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await testDatabase?.drop();
});

/** What PostgreSQL reads a literal as. */
async function read(literal: string, type = 'text'): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`SELECT${literal}::${type} AS value`);
  return rows[0]?.value;
}

const HOSTILE = [
  "'",
  "''",
  '\\',
  "\\'",
  "'; DROP TABLE project; --",
  '"',
  '{}',
  '{"a"}',
  ',',
  ' ',
  '',
  'NULL',
  '\n',
  '$1',
  '$&',
  'é🎉',
];
// Nothing that is stored holds NUL or half a character: neither is text for PostgreSQL.
const text = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' })), { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll('\0', ''));

describe.each(['on', 'off'])('with standard_conforming_strings %s', (setting) => {
  beforeAll(async () => {
    await client.query(`SET standard_conforming_strings = ${setting}; SET backslash_quote = on`);
  });

  it.each(HOSTILE)('a text is read as it is: %j', async (value) => {
    expect(await read(toLiteral(value))).toBe(value);
  });

  it('any text is', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(await read(toLiteral(value))).toBe(value);
      }),
    );
  });

  it('any array of texts and nulls is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { maxLength: 5 }), async (values) => {
        expect(await read(toLiteral(values), 'text[]')).toEqual(values);
      }),
    );
  });

  it('an array that is an element of another is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (values) => {
        expect(await read(toLiteral([toArrayText(values)]), 'text[]')).toEqual([toArrayText(values)]);
      }),
    );
  });
});

it('a number is read as it is', async () => {
  expect(await read(toLiteral(-12), 'integer')).toBe(-12);
});
