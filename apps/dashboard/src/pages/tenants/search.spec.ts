import { readTenantsSearch, sortOf } from './search.ts';

describe('the address of the list of tenants', () => {
  it('keeps what it knows, and leaves out the rest', () => {
    expect(readTenantsSearch({ q: 'tea', sort: 'storage', cursor: 'MTA', page: 2 })).toEqual({
      q: 'tea',
      sort: 'storage',
      cursor: 'MTA',
    });
    expect(readTenantsSearch({ q: '', sort: 'loudest', cursor: 'a b' })).toEqual({});
    expect(readTenantsSearch({ q: 42 })).toEqual({ q: '42' });
    expect(readTenantsSearch({ q: 'x'.repeat(300) }).q).toHaveLength(200);
  });

  it('sorts a search only by what the searching service knows', () => {
    expect(sortOf({})).toBe('newest');
    expect(sortOf({ sort: 'requests' })).toBe('requests');
    expect(sortOf({ sort: 'requests', q: 'tea' })).toBe('newest');
    expect(sortOf({ sort: 'storage', q: 'tea' })).toBe('storage');
  });
});
