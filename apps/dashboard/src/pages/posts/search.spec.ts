import { listQuery, readPostsSearch } from './search.ts';

describe('the list of posts in the address', () => {
  it('keeps the words, the filter and the page', () => {
    expect(readPostsSearch({ q: 'bread', show: 'draft', cursor: 'c' })).toEqual({
      q: 'bread',
      show: 'draft',
      cursor: 'c',
    });
  });

  it('leaves out what it does not know', () => {
    expect(readPostsSearch({ q: '', show: 'secret', cursor: 7, other: 'x' })).toEqual({});
  });

  it('takes a number for a word: the address does not tell them apart', () => {
    expect(readPostsSearch({ q: 2026 })).toEqual({ q: '2026' });
  });

  it.each([
    [{ show: 'draft' }, { limit: 50, state: 'draft' }],
    [{ show: 'changed' }, { limit: 50, changed: 'true' }],
    [{ show: 'scheduled' }, { limit: 50, scheduled: 'true' }],
    [
      { q: 'a', cursor: 'c' },
      { limit: 50, q: 'a', cursor: 'c' },
    ],
  ] as const)('%j asks the API for %j', (search, query) => {
    expect(listQuery(search, 50)).toEqual(query);
  });
});
