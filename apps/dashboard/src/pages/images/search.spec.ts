import { imagesQuery, readImagesSearch } from './search.ts';

describe('the library in the address', () => {
  it('keeps the words and the filter, and leaves out what it does not know', () => {
    expect(readImagesSearch({ q: 'bread', show: 'unused', cursor: 'x' })).toEqual({ q: 'bread', show: 'unused' });
    expect(readImagesSearch({ q: '', show: 'large' })).toEqual({});
    expect(readImagesSearch({ q: 2026 })).toEqual({ q: '2026' });
  });

  it.each([
    [{}, { limit: 40 }],
    [
      { q: 'a', show: 'unused' },
      { limit: 40, q: 'a', unused: 'true' },
    ],
    [{ show: 'used' }, { limit: 40, unused: 'false' }],
  ] as const)('%j asks the API for %j', (search, query) => {
    expect(imagesQuery(search, 40)).toEqual(query);
  });
});
