import { listQuery, readPostsSearch, toggledSort } from './search.ts';

describe('the list of posts in the URL', () => {
  it('keeps the words, the filters, the order and the page', () => {
    const search = { q: 'bread', show: 'draft', tag: 'news', sort: 'title', order: 'desc', cursor: 'c', page: 3 };
    expect(readPostsSearch(search)).toEqual(search);
  });

  it('leaves out what it does not know', () => {
    expect(readPostsSearch({ q: '', show: 'secret', sort: 'created_at', order: 'up', cursor: 7, page: 2 })).toEqual({});
  });

  it('reads a number as a word, because a URL does not tell them apart', () => {
    expect(readPostsSearch({ q: 2026, tag: 2026 })).toEqual({ q: '2026', tag: '2026' });
  });

  it('takes a cursor without a page for the second page', () => {
    expect(readPostsSearch({ cursor: 'c' })).toEqual({ cursor: 'c', page: 2 });
    expect(readPostsSearch({ cursor: 'c', page: -1 })).toEqual({ cursor: 'c', page: 2 });
  });

  const newest = { limit: 50, sort: 'updated_at', order: 'desc' };
  it.each([
    [{}, newest],
    [{ show: 'draft' }, { ...newest, state: 'draft', scheduled: 'false' }],
    [{ show: 'changed' }, { ...newest, changed: 'true' }],
    [
      { show: 'scheduled', tag: 'news' },
      { ...newest, scheduled: 'true', tag: 'news' },
    ],
    [{ sort: 'title' }, { limit: 50, sort: 'title', order: 'asc' }],
    [
      { q: 'a', cursor: 'c', page: 2, sort: 'published_at', order: 'asc' },
      { limit: 50, q: 'a', cursor: 'c', sort: 'published_at', order: 'asc' },
    ],
  ] as const)('%j asks the API for %j', (search, query) => {
    expect(listQuery(search, 50)).toEqual(query);
  });
});

describe('the header of a column', () => {
  it('sorts by it, and reverses the order when it is chosen again', () => {
    const byTitle = toggledSort({ q: 'a', cursor: 'c', page: 2 }, 'title');
    expect(byTitle).toEqual({ q: 'a', sort: 'title' });
    expect(toggledSort(byTitle, 'title')).toEqual({ q: 'a', sort: 'title', order: 'desc' });
    expect(toggledSort(byTitle, 'updated_at')).toEqual({ q: 'a' });
    expect(toggledSort({}, 'updated_at')).toEqual({ order: 'asc' });
  });
});
