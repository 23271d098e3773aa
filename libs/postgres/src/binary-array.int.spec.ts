import { createEmptyDatabase, type TestDatabase } from '@blog-content/testing';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { binaryArray, type ElementType, type ElementValue } from './binary-array.ts';
import { openPool } from './open-pool.ts';

let testDatabase: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  pool = openPool({ connectionString: testDatabase.url, max: 1 }, () => undefined);
});

afterAll(async () => {
  await pool?.end();
  await testDatabase?.drop();
});

/** What the server makes of it, element by element. */
async function read(type: ElementType, values: readonly ElementValue[]): Promise<unknown[]> {
  const { rows } = await pool.query<{ value: unknown }>({
    name: type,
    text: `SELECT value FROM unnest($1::${type}[]) WITH ORDINALITY AS given (value, index) ORDER BY index`,
    values: [binaryArray(type, values)],
  });
  return rows.map(({ value }) => value);
}

describe('an array in binary', () => {
  it.each<[ElementType, ElementValue[]]>([
    ['uuid', ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
    ['text', ['', 'NULL', '{}', '"', String.raw`\N`, 'a\nb,', 'Zoë 🎈']],
    ['integer', [0, -1, 2 ** 31 - 1, -(2 ** 31)]],
    ['boolean', [true, false]],
    ['bytea', [Buffer.alloc(0), Buffer.from([0, 255, 10, 92])]],
    ['timestamptz', ['1970-01-01', '1999-12-31T23:59:59.999Z', '2026-11-22T16:00:00.123Z'].map((at) => new Date(at))],
  ])('of %s comes as it was', async (type, values) => {
    expect(await read(type, values)).toEqual(values);
    expect(await read(type, [null, ...values, null])).toEqual([null, ...values, null]);
    expect(await read(type, [])).toEqual([]);
  });

  it.each<[ElementType, fc.Arbitrary<ElementValue>]>([
    ['uuid', fc.uuid()],
    // PostgreSQL's text holds neither NUL nor half a character.
    ['text', fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed())],
    ['integer', fc.integer()],
    ['boolean', fc.boolean()],
    ['timestamptz', fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })],
  ])('of any %s comes as it was', async (type, value) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(value), { maxLength: 40 }), async (values) => {
        expect(await read(type, values)).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  it('is one array for PostgreSQL: of one dimension, counted from 1', async () => {
    const { rows } = await pool.query(
      `SELECT array_dims($1::integer[]) AS given, $1::integer[] = ARRAY[7, 8] AS same, $2::integer[] = '{}' AS empty`,
      [binaryArray('integer', [7, 8]), binaryArray('integer', [])],
    );
    expect(rows).toEqual([{ given: '[1:2]', same: true, empty: true }]);
  });

  it('takes a uuid in capitals', async () => {
    expect(await read('uuid', ['ABCDEF01-2345-6789-ABCD-EF0123456789'])).toEqual([
      'abcdef01-2345-6789-abcd-ef0123456789',
    ]);
  });

  it.each([
    '',
    'abcdef01-2345-6789-abcd-ef012345678',
    'abcdef01-2345-6789-abcd-ef01234567890',
    'abcdef01-2345-6789-abcd-ef012345678g',
    'abcdef01-2345-6789-abcd-ef012345678ü',
    'abcdef01-2345-6789-abcd+ef0123456789',
    '{abcdef0-2345-6789-abcd-ef0123456789',
    'abcdef0-12345-6789-abcd-ef0123456789',
  ])('refuses %j as a uuid', (text) => {
    expect(() => binaryArray('uuid', [text])).toThrow(`${JSON.stringify(text)} is not a UUID.`);
  });

  it.each<[ElementType, ElementValue, string]>([
    ['integer', 2 ** 31, '2147483648 is not a 32-bit integer'],
    ['integer', -(2 ** 31) - 1, '-2147483649 is not a 32-bit integer'],
    ['integer', 0.5, '0.5 is not a 32-bit integer'],
    ['integer', Number.NaN, 'NaN is not a 32-bit integer'],
    ['timestamptz', new Date(Number.NaN), 'Invalid time'],
  ])('refuses as %s %p', (type, value, message) => {
    expect(() => binaryArray(type, [value])).toThrow(message);
  });
});
