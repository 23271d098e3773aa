import { parsePublicQuery } from './parse-public-query.ts';

const PUBLIC = '/blog/api/v1/public';
const parse = (target: string, { method = 'GET', authorization }: { method?: string; authorization?: string } = {}) =>
  parsePublicQuery({ method, target: PUBLIC + target, authorization });
const ask = (target: string) => parse(target).query;
const wrong = (detail: string) => ({ kind: 'refusal', status: 400, detail, needsKey: true });

describe('a parsed query', () => {
  it('is normalized', () => {
    const spelled = (query: string) => JSON.stringify(ask(`/blogs?${query}`));
    expect(spelled('include_content=TRUE&limit=050&api_key=x')).toBe(spelled('limit=50&include_content=1'));
    expect(spelled('q=tea%20&tag=a')).toBe(spelled('tag=a&q=TEA'));
    expect(spelled('tag=a')).not.toBe(spelled('category=a'));
    expect(spelled('')).toBe('{"kind":"list","query":{"limit":50,"offset":0,"category":null,"includeContent":false}}');
    expect(JSON.stringify(ask('/blogs/'))).toBe(spelled(''));
  });

  it('has a slug only where a blog can have it', () => {
    expect(ask('/blogs/green-tea')).toEqual({ kind: 'blog', slug: 'green-tea' });
    const impossible = ['Tea', 'a b', 'feed.xml', 'a\0b', '茶', 'a'.repeat(201)].map(encodeURIComponent);
    for (const slug of ['%ff', ...impossible]) {
      expect(ask(`/blogs/${slug}`)).toEqual({ kind: 'blog', slug: null });
      expect(ask(`/blogs/${slug}/related`)).toEqual({ kind: 'related', slug: null, limit: 5 });
    }
  });

  it('has limits of its own for feeds and related blogs, and names them', () => {
    expect(ask('/feed.xml')).toEqual({ kind: 'feed', format: 'rss', limit: 50 });
    expect(ask('/feed.json?limit=100')).toMatchObject({ format: 'json', limit: 100 });
    expect(ask('/feed.xml?limit=101')).toEqual(wrong('`limit` must be between 1 and 100 (got 101).'));
    expect(ask('/blogs/a/related?limit=20')).toMatchObject({ limit: 20 });
    for (const limit of ['0', '21', 'x', '']) {
      expect(ask(`/blogs/a/related?limit=${limit}`)).toEqual(
        wrong(`\`limit\` must be between 1 and 20 (got ${limit || 'nothing'}).`),
      );
    }
    expect(ask('/blogs?limit=0')).toEqual(wrong('`limit` must be between 1 and 100 (got 0).'));
  });

  it('has the named fields in a fixed order, and lists the known ones', () => {
    const spelled = (target: string) => JSON.stringify(ask(target));
    expect(ask('/blogs/a?fields=word_count,%20slug,slug')).toEqual({
      kind: 'blog',
      slug: 'a',
      fields: ['slug', 'word_count'],
    });
    expect(spelled('/blogs?fields=tags,id')).toBe(spelled('/blogs?fields=id,tags,id'));
    expect(ask('/blogs?fields=id,content')).toMatchObject({
      query: { includeContent: true, fields: ['id', 'content'] },
    });
    expect(ask('/blogs?fields=id&include_content=true')).toMatchObject({ query: { includeContent: false } });
    for (const target of ['/blogs?fields=', '/blogs?fields=id,', '/blogs?fields=ID', '/blogs?fields=id,updated_at']) {
      expect(ask(target)).toEqual(
        wrong(expect.stringMatching(/^`fields` must be a comma-separated list of: id, title, .*\.$/)),
      );
    }
    expect(ask('/blogs/a?fields=nothing')).toMatchObject({ status: 400 });
  });

  it('has no parameters in sitemaps', () => {
    expect(ask('/blogs/sitemap?limit=x')).toEqual({ kind: 'sitemap' });
    expect(ask('/sitemap.xml?limit=x')).toEqual({ kind: 'sitemap-file' });
  });

  it('is refused with any key for an unknown path, then for another method, then for a malformed path', () => {
    const refused = (target: string, method: string) => {
      const { query } = parse(target, { method });
      return query.kind === 'refusal' && !query.needsKey ? query.status : null;
    };
    expect(refused('/x', 'POST')).toBe(404);
    expect(refused('/blogs/%zz', 'POST')).toBe(405);
    expect(refused('/blogs?limit=x', 'DELETE')).toBe(405);
    expect(refused('/blogs/%zz', 'HEAD')).toBe(400);
    expect(refused('/blogs', 'HEAD')).toBeNull();
  });
});

describe('a parsed request', () => {
  it('has the key of the header, or of the query without one', () => {
    expect(parse('/blogs?api_key=b').key).toBe('b');
    expect(parse('/blogs?api_key=b', { authorization: 'Bearer a' }).key).toBe('a');
    expect(parse('/blogs').key).toBeNull();
  });

  it('names its route for metrics with one of ten patterns', () => {
    const targets = ['/blogs?limit=1', '/blogs/sitemap', '/blogs/a', '/blogs/b?x', '/blogs/%zz', '/x', '?y'];
    const beyond = [
      '/blogs/a/related',
      '/blogs/b/related?limit=1',
      '/feed.xml',
      '/feed.json',
      '/sitemap.xml',
      '/llms.txt',
      '/blogs/a/json-ld',
    ];
    const patterns = [...targets, ...beyond].map((target) => parse(target).routePattern);
    expect(new Set(patterns).size).toBe(10);
  });
});
