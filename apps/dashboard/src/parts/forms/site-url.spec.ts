import { siteUrlOf } from './site-url.ts';

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
});
