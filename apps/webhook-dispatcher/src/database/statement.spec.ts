import type { Pool } from 'pg';
import { defineRows, defineStatement } from './statement.ts';

/** What the driver is asked. */
const askedBy = async (text: string, parameters: Readonly<Record<string, unknown>>) => {
  const asked: unknown[] = [];
  const query = (config: unknown) => {
    asked.push(config);
    return Promise.resolve({ rows: [] });
  };
  await defineStatement('s', text).run({ query } as unknown as Pool, parameters);
  return asked[0];
};

it('a parameter has one number, however often its name is in the text', async () => {
  expect(await askedBy('SELECT :a, :b + :a', { b: 2, a: 1 })).toEqual({
    name: 's',
    text: 'SELECT $1, $2 + $1',
    values: [1, 2],
  });
});

it('a cast is no parameter', async () => {
  expect(await askedBy('SELECT now()::text, :ids::uuid[]', { ids: [] })).toMatchObject({
    text: 'SELECT now()::text, $1::uuid[]',
  });
});

it('a statement without one of its parameters is not run', async () => {
  await expect(askedBy('SELECT :a', { b: 1 })).rejects.toThrow('needs the parameter a');
});

it('given rows have a named array for each column', async () => {
  const rows = defineRows('post', { id: 'uuid', size: 'integer' });
  expect(rows.from).toBe('unnest(:post_id::uuid[], :post_size::integer[]) AS post (id, size)');
  const asked = await askedBy(`SELECT * FROM ${rows.from}`, rows.parameters([{ id: null, size: 1 }]));
  expect(asked).toMatchObject({
    text: 'SELECT * FROM unnest($1::uuid[], $2::integer[]) AS post (id, size)',
    values: [expect.any(Buffer), expect.any(Buffer)],
  });
});
