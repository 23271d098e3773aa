import { compileContent } from '@blog-content/link-resolver';
import { createHash } from 'node:crypto';
import { RENDERING } from '../http/entity-tag.ts';
import type { BlogWithContent } from '../queries/published-blog.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';
import { FIND_BLOG, LIST_RELATED, LIST_SITEMAP, listStatement, type ListShape } from '../queries/read-statements.ts';
import type { PublicQuery } from '../request/parse-public-query.ts';
import { runPublicQuery } from './run-public-query.ts';

const NEWEST_FIRST = 'published_at DESC, id DESC';
/** With contents, the titles that links resolve to are looked up, too. */
const TARGETS = ['slug', 'updated_at DESC, id DESC'];
/** The number `RENDERING`, what the statements sort by, and the SHA-256 of the answers below as rendered under it. */
const KNOWN = {
  rendering: 1,
  orders: {
    lists: [NEWEST_FIRST, ...TARGETS],
    blog: TARGETS,
    related: [`shared DESC, ${NEWEST_FIRST}`, 'updated_at DESC, id DESC'],
    sitemap: [NEWEST_FIRST],
  },
  sha256: 'c8b8cfc4bb6348b58e1d494634bbdea42d90352456a3fa6763807b5136b23c93',
};

const tea: BlogWithContent = {
  id: '8f0c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3a',
  slug: 'green-tea',
  title: 'Green <tea> & "more"',
  excerpt: 'About tea & water.',
  metaTitle: 'Green tea',
  metaDescription: 'All about tea.',
  featuredImageUrl: 'https://cdn.example/hero.webp?a=1&b=2',
  categories: ['Tea', 'Hot & new'],
  tags: ['Tea', 'leaf'],
  publishedAt: '2026-01-02T08:00:00.120Z',
  updatedAt: '2026-01-04T08:00:00.000Z',
  segments: compileContent(
    '<h2>Tea</h2><p>See <a href="[INTERNAL:oolong]#how">it</a>, [INTERNAL:oolong], [INTERNAL:none]!</p>',
  ),
};
/** Without all that an author may leave out. */
const oolong: BlogWithContent = {
  id: '1d2c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3a',
  slug: 'oolong',
  title: 'Oolong',
  excerpt: '',
  metaTitle: null,
  metaDescription: null,
  featuredImageUrl: null,
  categories: [],
  tags: [],
  publishedAt: '2026-01-01T08:00:00.000Z',
  updatedAt: '2026-01-01T08:00:00.000Z',
  segments: compileContent('<p>Hot&nbsp;<b>wat</b>er.</p>'),
};
const blogs = [tea, oolong];
const page = {
  version: '1767225600000',
  name: 'Tea & site',
  siteUrl: 'https://tea.example/shop/',
  targets: new Map([['oolong', { title: 'Oolong' }]]),
};
const store: PublicReadStore = {
  findProjects: () => Promise.resolve(new Map()),
  listBlogs: (_projectId, { includeContent }) =>
    Promise.resolve({
      ...page,
      ...{ total: 7, contentBytes: 300, isLarge: false },
      blogs: includeContent ? blogs : blogs.map(({ segments: _segments, ...blog }) => blog),
    }),
  listInChunks: () => Promise.resolve(null),
  findBlog: (_projectId, slug) => Promise.resolve({ ...page, blog: blogs.find((blog) => blog.slug === slug) ?? null }),
  listRelated: () => Promise.resolve({ ...page, related: { blogs, total: 2 } }),
  listSitemap: () => Promise.resolve({ ...page, entries: blogs }),
  listChanges: () => Promise.resolve(null),
};

const list = { limit: 2, offset: 3, category: null };
const queries: PublicQuery[] = [
  { kind: 'list', query: { ...list, includeContent: false } },
  { kind: 'list', query: { ...list, includeContent: true } },
  { kind: 'blog', slug: 'green-tea' },
  { kind: 'blog', slug: 'oolong' },
  { kind: 'related', slug: 'green-tea', limit: 5 },
  { kind: 'sitemap' },
  { kind: 'feed', format: 'rss', limit: 50 },
  { kind: 'feed', format: 'json', limit: 50 },
  { kind: 'sitemap-file' },
];

const bits = [false, true];
const filters = bits.flatMap((category) => bits.flatMap((tag) => bits.map((search) => ({ category, tag, search }))));
const textOf = (shape: ListShape) => listStatement(shape).text;
const lists = (content: boolean) =>
  filters.flatMap((filter) => bits.map((deep) => textOf({ ...filter, deep, content })));

/** The different things that statements sort by. */
function ordersOf(...texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => [...text.matchAll(/ORDER BY ((?:\([^()]*\)|[^()\n])+?)(?= LIMIT|\)|\n|$)/g)]);
  return [...new Set(found.map(([, order = '']) => order))].sort();
}

describe('a page that the store calls large', () => {
  const large = {
    ...store,
    listBlogs: () => Promise.resolve({ ...page, total: 7, contentBytes: 300, isLarge: true, blogs: [] }),
  };

  it.each(queries.filter((query) => query.kind === 'feed' || (query.kind === 'list' && query.query.includeContent)))(
    'is not rendered here, however few bytes it has: %j',
    async (asked) => {
      expect(await runPublicQuery(large, 'project', asked)).toMatchObject({ asked, contentBytes: 300 });
    },
  );
});

describe('the order of lists', () => {
  it('is what walkPages of libs/client goes by, also in versions that others have installed', () => {
    for (const text of lists(false)) expect(ordersOf(text)).toEqual([NEWEST_FIRST]);
  });
});

describe('the bytes of answers', () => {
  it('stay the same as long as RENDERING does: entity tags go by it, not by the bytes', async () => {
    const orders = {
      lists: ordersOf(...lists(false), ...lists(true)),
      blog: ordersOf(FIND_BLOG.text),
      related: ordersOf(LIST_RELATED.text),
      sitemap: ordersOf(LIST_SITEMAP.text),
    };
    const hash = createHash('sha256');
    for (const query of queries) {
      const answer = await runPublicQuery(store, 'project', query);
      if (typeof answer === 'string' || !('text' in answer)) throw new Error(`${query.kind} is not rendered.`);
      hash.update(`${answer.text}\0`);
    }
    const rendered = { rendering: RENDERING, orders, sha256: hash.digest('hex') };
    if (RENDERING === KNOWN.rendering && JSON.stringify(rendered) !== JSON.stringify(KNOWN)) {
      throw new Error(
        'The same blogs are rendered into other bytes, or in another order, under the same entity tags: a 304 would ' +
          `leave the old ones with readers. Raise RENDERING in entity-tag.ts to ${RENDERING + 1}, and set KNOWN of ` +
          `this file to ${JSON.stringify({ ...rendered, rendering: RENDERING + 1 })}.`,
      );
    }
    expect(rendered).toEqual(KNOWN);
  });
});
