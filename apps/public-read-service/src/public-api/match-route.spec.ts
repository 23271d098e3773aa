import { isPublicApiTarget, matchRoute, routePattern } from './match-route.ts';

const at = (path: string) => matchRoute(`/blog/api/v1/public${path}`);

describe('routes of the public API (spec §4)', () => {
  it('knows the list, the sitemap and one blog', () => {
    expect(at('/blogs')).toEqual({ kind: 'list' });
    expect(at('/blogs/sitemap')).toEqual({ kind: 'sitemap' });
    expect(at('/blogs/green-tea')).toEqual({ kind: 'blog', slug: 'green-tea' });
  });

  it('decodes a percent-encoded segment', () => {
    expect(at('/blogs/green%2Dtea')).toEqual({ kind: 'blog', slug: 'green-tea' });
    expect(at('/blogs/%73itemap')).toEqual({ kind: 'sitemap' });
    expect(at('/blogs/a%2Fb')).toEqual({ kind: 'blog', slug: 'a/b' });
    expect(at('/blogs/a%00b')).toEqual({ kind: 'blog', slug: 'a\0b' });
  });

  it('tells bytes that are no text from escapes that are none', () => {
    expect(at('/blogs/%ff%fe')).toEqual({ kind: 'blog', slug: null });
    expect(at('/blogs/100%')).toEqual({ kind: 'malformed' });
    expect(at('/blogs/%zz')).toEqual({ kind: 'malformed' });
  });

  it.each(['', '/', '/blogs/', '/blogs/a/b', '/blogs/a/', '/Blogs', '/posts', '//blogs'])(
    'does not know %j',
    (path) => {
      expect(at(path)).toEqual({ kind: 'unknown' });
    },
  );

  it('answers for its own prefix only', () => {
    expect(isPublicApiTarget('/blog/api/v1/public')).toBe(true);
    expect(isPublicApiTarget('/blog/api/v1/public/x')).toBe(true);
    expect(isPublicApiTarget('/blog/api/v1/public?api_key=x')).toBe(true);
    expect(isPublicApiTarget('/blog/api/v1/publican')).toBe(false);
    expect(isPublicApiTarget('/blog/api/v1/owner/projects')).toBe(false);
  });

  it('names its routes for metrics with a handful of patterns', () => {
    const patterns = ['/blogs?limit=1', '/blogs/sitemap', '/blogs/a', '/blogs/b?x', '/blogs/%zz', '/x', '?y'].map(
      (target) => routePattern(`/blog/api/v1/public${target}`),
    );
    expect(new Set(patterns).size).toBe(4);
  });
});
