import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseCoding, encode } from './representation.ts';

describe('choosing a content coding by Accept-Encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'identity'],
    ['identity', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.5, br;q=0.4', 'gzip'],
    ['gzip;q=0.5, identity;q=0.8', 'identity'],
    ['gzip;q=1.0, identity; q=0.5', 'gzip'],
    ['gzip;Q=0.2, br ; q = 0.1', 'gzip'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, *;q=0.1', 'br'],
    ['gzip;q=abc', 'identity'],
    ['gzip;q=2', 'identity'],
    [',, gzip ,', 'gzip'],
    ['zstd, br;q=0.001', 'br'],
  ])('takes the best that %s accepts: %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});

describe('encoding an answer', () => {
  const body = JSON.stringify({ blogs: ['Grüner Tee'] });

  it('can be undone', async () => {
    expect(gunzipSync(await encode(body, 'gzip')).toString()).toEqual(body);
    expect(brotliDecompressSync(await encode(body, 'br')).toString()).toEqual(body);
    expect((await encode(body, 'identity')).toString()).toEqual(body);
  });

  it('gives the same bytes for the same body, as a strong entity tag promises', async () => {
    expect(await encode(body, 'gzip')).toEqual(await encode(body, 'gzip'));
    expect(await encode(body, 'br')).toEqual(await encode(body, 'br'));
  });
});
