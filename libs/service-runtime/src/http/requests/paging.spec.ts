import { z } from 'zod';
import { OperationalError } from '../operational-error.ts';
import { parseQuery, readId, readPage, toPage } from './read-parameters.ts';

const thrownBy = (act: () => unknown): OperationalError => {
  try {
    act();
  } catch (error) {
    if (error instanceof OperationalError) return error;
  }
  throw new Error('nothing was refused');
};

describe('pages of a list', () => {
  const items = [{ position: 30n }, { position: 20n }, { position: 10n }];

  it('begin without a cursor, with 50 items', () => {
    expect(readPage({})).toEqual({ from: null, limit: 50 });
  });

  it('lead on by the cursor of the page before', () => {
    const page = toPage(items, 2, ({ position }) => Number(position));
    expect(page.items).toEqual([30, 20]);
    expect(readPage({ cursor: page.next_cursor, limit: '2' })).toEqual({ from: '20', limit: 2 });
  });

  it('end without one', () => {
    expect(toPage(items, 3, ({ position }) => Number(position)).next_cursor).toBeNull();
    expect(toPage([], 3, () => 0)).toEqual({ items: [], next_cursor: null });
  });

  it.each(['1', '100', 7])('may have %s items', (limit) => {
    expect(readPage({ limit })).toMatchObject({ limit: Number(limit) });
  });

  it.each(['0', '101', '1.5', 'many', '', '1e1', '0x2', ' 5', '2.0', '+5', '-1', ['1', '2']])(
    'refuse the limit %p with 400: it is digits alone',
    (limit) => {
      expect(thrownBy(() => readPage({ limit }))).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/^`limit` must be between 1 and 100( \(got .+\))?\.$/),
      });
    },
  );

  it.each(['nonsense', '', Buffer.from("1'; drop").toString('base64url')])(
    'refuse the cursor %p with 400',
    (cursor) => {
      expect(thrownBy(() => readPage({ cursor }))).toMatchObject({ status: 400 });
    },
  );
});

describe('query parameters', () => {
  it('are refused by name', () => {
    const schema = z.object({ state: z.enum(['draft']) });
    expect(thrownBy(() => parseQuery(schema, { state: 'x' }))).toMatchObject({
      status: 400,
      detail: expect.stringContaining('state'),
    });
  });
});

describe('ids in paths', () => {
  it('are UUIDs in any case; what is none names nothing', () => {
    const id = '7B6F1C1E-54D5-4A0E-9A39-0D5A4F6F2F10';
    expect(readId(id, 'blog')).toBe(id.toLowerCase());
    expect(thrownBy(() => readId('1', 'post'))).toMatchObject({ status: 404, detail: 'Post not found.' });
  });
});
