import { isPublicApiTarget, matchRoute } from './parse-public-query.ts';

const at = (path: string) => matchRoute(`/blog/api/v1/public${path}`);

describe('routes of the public API (contract §4)', () => {
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

  it('distinguishes bytes that are no text from malformed escapes', () => {
    expect(at('/blogs/%ff%fe')).toEqual({ kind: 'blog', slug: null });
    expect(at('/blogs/100%')).toEqual({ kind: 'malformed' });
    expect(at('/blogs/%zz')).toEqual({ kind: 'malformed' });
  });

  it('also knows related blogs, JSON-LD, the feeds, the sitemap file and llms.txt, beyond the specification', () => {
    expect(at('/blogs/green-tea/related')).toEqual({ kind: 'related', slug: 'green-tea' });
    expect(at('/blogs/green%2Dtea/related')).toEqual({ kind: 'related', slug: 'green-tea' });
    expect(at('/blogs/%ff/related')).toEqual({ kind: 'related', slug: null });
    expect(at('/blogs/%zz/related')).toEqual({ kind: 'malformed' });
    expect(at('/feed.xml')).toEqual({ kind: 'feed', format: 'rss' });
    expect(at('/feed.json')).toEqual({ kind: 'feed', format: 'json' });
    expect(at('/sitemap.xml')).toEqual({ kind: 'sitemap-file' });
    expect(at('/authors')).toEqual({ kind: 'authors' });
    expect(at('/blogs/green-tea/json-ld')).toEqual({ kind: 'json-ld', slug: 'green-tea' });
    expect(at('/llms.txt')).toEqual({ kind: 'llms' });
  });

  it('ignores a trailing slash of the list, the sitemap and a blog', () => {
    expect(at('/blogs/')).toEqual({ kind: 'list' });
    expect(at('/blogs/sitemap/')).toEqual({ kind: 'sitemap' });
    expect(at('/blogs/green-tea/')).toEqual({ kind: 'blog', slug: 'green-tea' });
    expect(at('/blogs/green-tea/related/')).toEqual({ kind: 'related', slug: 'green-tea' });
  });

  it('finds a blog whose slug is a name of a route', () => {
    expect(at('/blogs/related')).toEqual({ kind: 'blog', slug: 'related' });
    expect(at('/blogs/feed')).toEqual({ kind: 'blog', slug: 'feed' });
    expect(at('/blogs/related/related')).toEqual({ kind: 'related', slug: 'related' });
  });

  it.each([
    ...[
      '',
      '/',
      '/blogs//',
      '/blogs/a/b',
      '/blogs/a//',
      '/blogs/a/b/',
      '/Blogs',
      '/posts',
      '//blogs',
      '/blogs//related',
    ],
    ...['/blogs/a/related//', '/blogs/a/related/b', '/blogs/a/Related', '/blogs/a/%72elated', '/blogs/../feed.xml'],
    ...[
      '/feed',
      '/feed.xml/',
      '/feed.xml/a',
      '/Feed.xml',
      '/feed%2Exml',
      '/blogs/a/feed.xml',
      '/sitemap',
      '/blogs/a/json-LD',
      '/llms.txt/',
      '/constructor',
    ],
  ])('does not know %j', (path) => {
    expect(at(path)).toEqual({ kind: 'unknown' });
  });

  it('answers for its own prefix only', () => {
    expect(isPublicApiTarget('/blog/api/v1/public')).toBe(true);
    expect(isPublicApiTarget('/blog/api/v1/public/x')).toBe(true);
    expect(isPublicApiTarget('/blog/api/v1/public?api_key=x')).toBe(true);
    expect(isPublicApiTarget('/blog/api/v1/publican')).toBe(false);
    expect(isPublicApiTarget('/blog/api/v1/owner/projects')).toBe(false);
  });
});
