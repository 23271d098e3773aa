import type { Outcome } from '../http/exchange.ts';
import { lookAtPage } from './look-at-page.ts';

const URL = 'https://site.example/blog/tea/';
const timings = {
  firstByteMs: null,
  answerMs: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  waitMs: null,
  totalMs: 1,
};
const answer = (statusCode: number, location?: string): Outcome => ({
  kind: 'answered',
  statusCode,
  retryAfter: null,
  headers: location === undefined ? [] : [['Location', location]],
  body: Buffer.from('Tea'),
  timings,
});
const looked = async (...answers: readonly Outcome[]) => {
  const left = [...answers];
  return (await lookAtPage(URL, () => Promise.resolve(left.shift()!))).kind;
};

describe('a look at a page', () => {
  it('sees a page with 200, none with 404 and 410, and is unclear otherwise', async () => {
    expect(await looked(answer(200))).toBe('page');
    expect(await looked(answer(404))).toBe('none');
    expect(await looked(answer(410))).toBe('none');
    expect(await looked(answer(403))).toBe('unclear');
    expect(await looked(answer(500))).toBe('unclear');
    expect(await looked({ kind: 'timeout', limitMs: 1, timings })).toBe('unclear');
  });

  it.each([301, 308])('sees that it has moved for good with %d to another path of the host', async (status) => {
    expect(await looked(answer(status, '/blog/green-tea/'))).toBe('none');
    expect(await looked(answer(status, 'https://www.site.example/'))).toBe('none');
  });

  it.each([
    [301, 'http://site.example/blog/tea/'],
    [308, 'https://www.site.example/blog/tea/'],
    [301, 'https://elsewhere.example/blog/green-tea/'],
    [302, '/login'],
    [303, '/blog/green-tea/'],
    [307, '/maintenance'],
    [301, undefined],
  ])('is unclear with %d to %s', async (status, location) => {
    expect(await looked(answer(status, location))).toBe('unclear');
  });

  it('follows the redirect to the same address with or without its slash, once', async () => {
    expect(await looked(answer(308, '/blog/tea'), answer(200))).toBe('page');
    expect(await looked(answer(308, '/blog/tea'), answer(404))).toBe('none');
    expect(await looked(answer(308, '/blog/tea'), answer(308, '/blog/tea/'))).toBe('unclear');
  });
});
