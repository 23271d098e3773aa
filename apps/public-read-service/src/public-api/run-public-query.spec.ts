import { compileContent } from '@blog-content/link-resolver';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { RENDERING } from '../http/entity-tag.ts';
import { CHANGE } from '../projection/change-log-statements.ts';
import { FIND_VERSIONS, LIST_AFTER, LIST_CHANGES, SIZES_BY_ID } from '../queries/change-statements.ts';
import { createPublicReadStore } from '../queries/public-read-store.ts';
import type { BlogRow, ProjectRow, TargetRow } from '../queries/read-rows.ts';
import { FIND_BLOG, LIST_RELATED, LIST_SITEMAP, listStatement, type ListShape } from '../queries/read-statements.ts';
import type { PublicQuery } from '../request/parse-public-query.ts';
import { positionOf } from '../request/position.ts';
import { runPublicQuery } from './run-public-query.ts';

const NEWEST_FIRST = 'published_at DESC, id DESC';
/** With contents, the titles that links resolve to are looked up, too. */
const TARGETS = ['slug', 'updated_at DESC, id DESC'];
/** The number `RENDERING`, what the statements sort by, and the SHA-256 of the answers below as rendered under it. */
const KNOWN = {
  rendering: 2,
  orders: {
    lists: [NEWEST_FIRST, ...TARGETS],
    blog: TARGETS,
    related: [`shared DESC, ${NEWEST_FIRST}`, 'updated_at DESC, id DESC'],
    sitemap: [NEWEST_FIRST],
  },
  sha256: '46ecad2eccda60b03b9b06eff03f117e773e1d89862d2ca4f31b787d538c5445',
};

const tea: BlogRow = {
  project: null,
  position: '1',
  id: '8f0c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3a',
  slug: 'green-tea',
  title: 'Green <tea> & "more"',
  excerpt: 'About tea & water.',
  meta_title: 'Green tea',
  meta_description: 'All about tea.',
  featured_image_url: 'https://cdn.example/hero.webp?a=1&b=2',
  categories: ['Tea', 'Hot & new'],
  tags: ['Tea', 'leaf'],
  published_at: '"2026-01-02T08:00:00.12"',
  updated_at: '"2026-01-04T08:00:00"',
  segments: JSON.stringify(
    compileContent(
      '<h2>Tea</h2><p>See <a href="[INTERNAL:oolong]#how">it</a>, [INTERNAL:oolong], [INTERNAL:none]!</p>',
    ),
  ),
};
/** Without all that an author may leave out. */
const oolong: BlogRow = {
  project: null,
  position: '2',
  id: '1d2c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3a',
  slug: 'oolong',
  title: 'Oolong',
  excerpt: '',
  meta_title: null,
  meta_description: null,
  featured_image_url: null,
  categories: null,
  tags: null,
  published_at: '"2026-01-01T08:00:00"',
  updated_at: '"2026-01-01T08:00:00"',
  segments: JSON.stringify(compileContent('<p>Hot&nbsp;<b>wat</b>er.</p>')),
};
const blogs = [tea, oolong];
const version = '1767225600000';
const site_url = 'https://tea.example/shop/';
const project: ProjectRow = {
  project: JSON.stringify({ version, name: 'Tea & site', site_url, total: 7, content_bytes: 300 }),
};
const target: TargetRow = { project: null, position: null, slug: 'oolong', title: 'Oolong' };
const left = { version, kind: String(CHANGE.left), slug: 'black-tea', blog_id: tea.id, position: '1' };
const shown = { version, kind: String(CHANGE.shown), slug: 'oolong', blog_id: oolong.id, position: '2' };
const changes = [left, shown].flatMap((change) => ['t', 'f'].map((is_entry) => ({ ...change, is_entry })));

const sitemap = blogs.map(({ slug, published_at, updated_at }) => `${slug} ${published_at} ${updated_at}`);
/** What the database has for each statement; for all others everything. */
const rows = new Map<string, readonly object[]>([
  [FIND_BLOG.name, [project, target]],
  [LIST_SITEMAP.name, [{ version, site_url, entries: sitemap.join(',') }]],
  [FIND_VERSIONS.name, [{ version, oldest: '1' }]],
  [LIST_AFTER.name, blogs],
  [LIST_CHANGES.name, changes],
  [SIZES_BY_ID.name, blogs.map(({ id }) => ({ id, bytes: '150' }))],
]);

function query({ name = '', values = [] }: { readonly name?: string; readonly values?: readonly unknown[] }) {
  const asked = blogs.filter(({ slug }) => slug === values[1]).map((blog) => ({ ...blog, position: '1' }));
  const found = rows.get(name) ?? [...blogs, project, target];
  return Promise.resolve({ rows: name === FIND_BLOG.name ? [...asked, ...found] : found });
}

const connection = { stream: { cork: () => undefined, uncork: () => undefined } };
const pool = {
  query,
  connect: () => Promise.resolve({ query, connection, release: () => undefined }),
} as unknown as Pool;
const store = createPublicReadStore(pool);

const list = { limit: 2, offset: 3, category: null };
/** Some of each kind: one that is forgotten does not compile. */
const QUERIES: { readonly [Kind in PublicQuery['kind']]: readonly Extract<PublicQuery, { kind: Kind }>[] } = {
  list: [
    { kind: 'list', query: { ...list, includeContent: false } },
    { kind: 'list', query: { ...list, includeContent: true } },
  ],
  blog: [
    { kind: 'blog', slug: 'green-tea' },
    { kind: 'blog', slug: 'oolong' },
  ],
  related: [{ kind: 'related', slug: 'green-tea', limit: 5 }],
  sitemap: [{ kind: 'sitemap' }],
  feed: [
    { kind: 'feed', format: 'rss', limit: 50 },
    { kind: 'feed', format: 'json', limit: 50 },
  ],
  'sitemap-file': [{ kind: 'sitemap-file' }],
  'json-ld': [
    { kind: 'json-ld', slug: 'green-tea' },
    { kind: 'json-ld', slug: 'oolong' },
  ],
  llms: [{ kind: 'llms' }],
  changes: [
    { kind: 'changes', query: { since: null, limit: 5, includeContent: false } },
    { kind: 'changes', query: { since: positionOf('project', '1'), limit: 5, includeContent: true } },
  ],
};
const queries: PublicQuery[] = Object.values(QUERIES).flat();

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
    listBlogs: async (...asked: Parameters<typeof store.listBlogs>) => {
      const page = await store.listBlogs(...asked);
      return page && { ...page, isLarge: true, blogs: [] };
    },
  };

  it.each(queries.filter((query) => query.kind === 'feed' || (query.kind === 'list' && query.query.includeContent)))(
    'is not rendered here, however few bytes it has: %j',
    async (asked) => {
      expect(await runPublicQuery(large, 'project', asked)).toMatchObject({
        asked,
        contentBytes: expect.any(Number) as number,
      });
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
      // Positions have RENDERING in them.
      hash.update(`${answer.text.replace(/(?<="next_since":)"[^"]*"/, '')}\0`);
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
