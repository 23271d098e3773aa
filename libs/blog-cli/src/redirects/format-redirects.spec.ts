import { fitsTemplate, formatRedirects, isPathTemplate, toPaths, type RedirectFormat } from './format-redirects.ts';

const SLUGS = [
  { from: 'old', to: 'new' },
  { from: 'tea-1', to: 'tea' },
];
const format = (kind: RedirectFormat, template = '/blog/{slug}/') => formatRedirects(toPaths(SLUGS, template), kind);

describe('redirects', () => {
  it('are lines of a _redirects file, with and without the last slash', () => {
    expect(format('netlify')).toBe(
      '/blog/old/ /blog/new/ 301\n/blog/old /blog/new/ 301\n/blog/tea-1/ /blog/tea/ 301\n/blog/tea-1 /blog/tea/ 301\n',
    );
  });

  it('are redirects of a vercel.json', () => {
    expect(JSON.parse(format('vercel'))).toEqual({
      redirects: ['/blog/old/', '/blog/old', '/blog/tea-1/', '/blog/tea-1'].map((source) => ({
        source,
        destination: source.startsWith('/blog/old') ? '/blog/new/' : '/blog/tea/',
        permanent: true,
      })),
    });
  });

  it('are directives of a Caddyfile', () => {
    expect(format('caddy')).toBe(
      [
        'map {query} {redirected_query} {',
        '\t~.+ "?${0}"',
        '\tdefault ""',
        '}',
        'redir /blog/old/ /blog/new/{redirected_query} 301',
        'redir /blog/old /blog/new/{redirected_query} 301',
        'redir /blog/tea-1/ /blog/tea/{redirected_query} 301',
        'redir /blog/tea-1 /blog/tea/{redirected_query} 301\n',
      ].join('\n'),
    );
  });

  it('are location blocks of nginx', () => {
    expect(format('nginx')).toBe(
      [
        'location = /blog/old/ { absolute_redirect off; return 301 /blog/new/$is_args$args; }',
        'location = /blog/old { absolute_redirect off; return 301 /blog/new/$is_args$args; }',
        'location = /blog/tea-1/ { absolute_redirect off; return 301 /blog/tea/$is_args$args; }',
        'location = /blog/tea-1 { absolute_redirect off; return 301 /blog/tea/$is_args$args; }\n',
      ].join('\n'),
    );
  });

  it('are a list of JSON', () => {
    expect(JSON.parse(format('json'))).toEqual([
      { from: '/blog/old/', to: '/blog/new/' },
      { from: '/blog/tea-1/', to: '/blog/tea/' },
    ]);
  });

  it.each([
    ['/{slug}', '/old /new 301\n/old/ /new 301'],
    ['/a/{slug}.html', '/a/old.html /a/new.html 301'],
    [
      '/en/posts/{slug}/index/',
      '/en/posts/old/index/ /en/posts/new/index/ 301\n/en/posts/old/index /en/posts/new/index/',
    ],
  ])('are under the path of the posts of a site: %s', (template, lines) => {
    expect(format('netlify', template)).toContain(lines);
  });

  it('may be none', () => {
    const none = (['netlify', 'caddy', 'nginx', 'json', 'vercel'] as const).map((kind) => formatRedirects([], kind));
    expect(none).toEqual(['', '', '', '[]\n', '{\n  "redirects": []\n}\n']);
  });

  it.each(['a b', 'a\nb', '*', '../a', 'a;}', '{http.request.uri}', 'A', ''])(
    'without a valid slug in the answer of a service are left out: %j',
    (slug) => {
      expect(
        toPaths(
          [
            { from: slug, to: 'new' },
            { from: 'old', to: slug },
          ],
          '/{slug}',
        ),
      ).toEqual([]);
    },
  );
});

describe('the path of posts', () => {
  it.each(['/blog/{slug}/', '/{slug}', '/a-b/_c/~d/{slug}.html'])('may be %s', (template) => {
    expect(isPathTemplate(template)).toBe(true);
  });

  it.each([
    'blog/{slug}',
    '/blog/',
    '/{slug}/{slug}',
    '//evil.example/{slug}',
    '/a b/{slug}',
    '/{slug}*',
    '/:x/{slug}',
  ])('may not be %s', (template) => {
    expect(isPathTemplate(template)).toBe(false);
  });

  it.each([
    ['/blog/old/', true],
    ['/blog/old', true],
    ['/blog/', false],
    ['/blog/old/more/', false],
    ['/blog/:slug', false],
    ['/news/old/', false],
    [7, false],
  ])('recognizes the path of a post: %s', (path, fits) => {
    expect(fitsTemplate(path, '/blog/{slug}/')).toBe(fits);
  });
});
