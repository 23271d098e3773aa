import { extras } from '@blog-content/payload-schemas';
import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { startTestService, type TestProject, type TestService } from '../../test/test-service.ts';
import { RENDERING, RENDERING_OF_EXTRAS } from '../http/representation.ts';
import { createPublicReadStore } from '../queries/public-read-store.ts';
import { listStatement } from '../queries/read-statements.ts';
import type { PublicQuery } from '../request/parse-public-query.ts';
import { runPublicQuery } from './run-public-query.ts';

/** The number `RENDERING`, and the SHA-256 of the answers below as rendered under it. */
const KNOWN = { rendering: 4, sha256: '26a1f7600189caabd41df9282506445f2ebd0b8476f13c42bcf8a57464b77766' };

/** What has the hour in it, positions RENDERING too. */
const VARYING = /(?<="next_since":)"[^"]*"|(?<=<lastBuildDate>)[^<]*/g;

const idOf = (number: number) => `8f0c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3${number}`;
const [BEGAN, LATER] = ['2026-01-02T08:00:00.120Z', '2026-01-04T08:00:00.000Z'];

let service: TestService;
let project: TestProject;
/** What has changed since is asked from here on. */
let since: string;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject({ siteUrl: 'https://tea.example/shop/' });
  await project.publish(
    {
      slug: 'green-tea',
      title: 'Green <tea> & "more"',
      excerpt: 'About tea & water. '.repeat(15),
      meta_title: 'Green tea',
      meta_description: 'All about tea.',
      featured_image_url: 'https://cdn.example/hero.webp?a=1&b=2',
      categories: ['Tea', 'Hot & new'],
      tags: ['Tea', 'leaf'],
      content: '<h2>Tea</h2><p>See <a href="[INTERNAL:oolong]#how">it</a>, [INTERNAL:oolong], [INTERNAL:none]!</p>',
    },
    { id: idOf(1), began: BEGAN, at: LATER, aliases: ['tea'] },
  );
  // Without all that an author may leave out, and begun in the same millisecond.
  await project.publish(
    { slug: 'pu-erh', title: 'Pu-erh', excerpt: '', content: '' },
    { id: idOf(2), began: BEGAN, at: BEGAN },
  );
  ({ next_since: since } = await project.read<{ next_since: string }>('/blogs?since=0'));
  const related = {
    categories: ['Tea'],
    tags: ['leaf'],
    content: '<p>Hot&nbsp;<b>wat</b>er, [INTERNAL:shu] [INTERNAL:tea].</p>',
  };
  await project.publish(
    { slug: 'oolong', title: 'Oolong', ...related },
    { id: idOf(3), began: '2026-01-01T08:00:00Z', bound: { shu: idOf(2) } },
  );
  // Of two with one slug the newer is found.
  await project.publish(
    { slug: 'oolong', title: 'Oolong again' },
    { id: idOf(4), began: '2026-01-03T08:00:00Z', at: '2026-03-05T08:00:00Z' },
  );
  await project.publish({ slug: 'gone' }, { id: idOf(5) });
  await project.unpublish(idOf(5));
});
afterAll(() => service?.[Symbol.asyncDispose]());

/** Some of each kind: one that is forgotten does not compile. */
const PATHS: { readonly [Kind in PublicQuery['kind']]: readonly string[] } = {
  list: [
    '/blogs',
    '/blogs?include_content=true&limit=2&offset=1',
    '/blogs?category=Tea',
    '/blogs?q=tea&fields=slug,tags',
  ],
  blog: ['/blogs/green-tea', '/blogs/oolong', '/blogs/pu-erh'],
  related: ['/blogs/green-tea/related'],
  redirects: ['/redirects'],
  sitemap: ['/blogs/sitemap'],
  feed: ['/feed.xml', '/feed.json'],
  'sitemap-file': ['/sitemap.xml'],
  'json-ld': ['/blogs/green-tea/json-ld', '/blogs/pu-erh/json-ld'],
  llms: ['/llms.txt'],
  authors: ['/authors'],
  changes: ['/blogs?since=0', '/blogs?include_content=true&since='],
};

const rendering = RENDERING - RENDERING_OF_EXTRAS;
const withoutExtras = (body: string): string =>
  Object.entries(extras.for('public', {})).reduce(
    (text, [name, value]) => text.replaceAll(`,${JSON.stringify(name)}:${JSON.stringify(value)}`, ''),
    body,
  );

describe('the bytes of answers', () => {
  it('stay the same as long as RENDERING does: entity tags go by it, not by the bytes', async () => {
    const hash = createHash('sha256');
    for (const path of Object.values(PATHS).flat()) {
      const { statusCode, body } = await project.get(path.endsWith('since=') ? path + since : path);
      expect([path, statusCode]).toEqual([path, 200]);
      hash.update(`${withoutExtras(body).replace(VARYING, '').replaceAll(project.id, '')}\0`);
    }
    const rendered = { rendering, sha256: hash.digest('hex') };
    if (rendering === KNOWN.rendering && rendered.sha256 !== KNOWN.sha256) {
      throw new Error(
        'The same blogs are rendered into other bytes, or in another order, under the same entity tags: a 304 would ' +
          `leave the old ones with readers. Raise RENDERING in representation.ts to ${rendering + 1}, and set KNOWN of ` +
          `this file to ${JSON.stringify({ ...rendered, rendering: rendering + 1 })}.`,
      );
    }
    expect(rendered).toEqual(KNOWN);
  });
});

describe('the order of lists', () => {
  const bits = [false, true];
  const shapes = bits.flatMap((category) =>
    bits.flatMap((tag) => bits.flatMap((search) => bits.map((deep) => ({ category, tag, search, deep })))),
  );

  it.each(shapes)(
    'is what walkPages of libs/client goes by, also in versions that others have installed: %j',
    (shape) => {
      const { text } = listStatement({
        ...shape,
        author: false,
        language: false,
        indexed: false,
        content: false,
        translations: false,
      });
      const orders = [...text.matchAll(/ORDER BY ((?:\([^()]*\)|[^()\n])+?)(?= LIMIT|\)|\n|$)/g)].map(
        ([, order]) => order,
      );
      expect(new Set(orders)).toEqual(new Set(['published_at DESC, id DESC']));
    },
  );
});

describe('a page that the store calls large', () => {
  const list = { limit: 2, offset: 0, category: null, includeContent: true };
  const pages: readonly PublicQuery[] = [
    { kind: 'list', query: list },
    { kind: 'feed', format: 'rss', limit: 50 },
    { kind: 'feed', format: 'json', limit: 50 },
  ];

  it.each(pages)('is not rendered here, however few bytes it has: %j', async (query) => {
    const pool = new Pool({ connectionString: service.databaseUrl, max: 1 });
    const store = createPublicReadStore(pool, pool);
    const large = {
      ...store,
      listBlogs: async (...parameters: Parameters<typeof store.listBlogs>) => {
        const page = await store.listBlogs(...parameters);
        return page && { ...page, isLarge: true, blogs: [] };
      },
    };
    expect(await runPublicQuery(large, project.id, query)).toMatchObject({
      query,
      contentBytes: expect.any(Number) as number,
    });
    await pool.end();
  });
});
