import { isSiteUrl, siteUrlOf } from './site-url.ts';

describe('the URL of a site', () => {
  it.each([
    ['example.com', 'https://example.com'],
    [' example.com/blog ', 'https://example.com/blog'],
    ['localhost:3000', 'https://localhost:3000'],
    ['http://example.com', 'http://example.com'],
    ['ftp://example.com', 'ftp://example.com'],
    ['  ', null],
  ])('typed as “%s” is sent as %s', (typed, sent) => {
    expect(siteUrlOf(typed)).toBe(sent);
  });

  it('has a host with a dot, or is this machine', () => {
    expect(['', 'example.com', 'http://localhost:3000', '[::1]:3000'].map(isSiteUrl)).toEqual([true, true, true, true]);
    expect(['nonsense', 'https://nonsense/blog'].map(isSiteUrl)).toEqual([false, false]);
  });
});
