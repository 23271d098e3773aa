import { createClient, memoryCache, type BlogClient } from '@blog-content/client';
import { startTestService, type TestProject, type TestService } from '../../test/test-service.ts';

const POSTS = 61;
let service: TestService;
let project: TestProject;
let client: BlogClient;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  // Some of a bulk publish have the same time.
  const began = (number: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 3) * 1000).toISOString();
  for (let number = 0; number < POSTS; number += 1) {
    await project.publish(
      { slug: `post-${number}`, categories: [number % 2 ? 'Odd' : 'Even'], tags: ['tea'] },
      { began: began(number) },
    );
  }
  client = createClient({ baseUrl: service.origin, key: project.key });
});
afterAll(() => service?.[Symbol.asyncDispose]());

/** Reads all posts, and does something after each page. */
async function readAll(meanwhile: (page: number) => Promise<unknown>) {
  const ids: string[] = [];
  let number = 0;
  for await (const page of client.pages({ pageSize: 7 })) {
    ids.push(...page.map(({ id }) => id));
    await meanwhile(number);
    number += 1;
  }
  return ids;
}

async function slugsOf(reader: BlogClient): Promise<string[]> {
  const slugs: string[] = [];
  for await (const { slug } of reader.all()) slugs.push(slug);
  return slugs;
}

describe('the client, on the running service', () => {
  it('has lists, single posts and their JSON-LD, related ones, sitemaps, feeds and llms.txt', async () => {
    expect(await client.list({ limit: 2, category: 'Odd' })).toMatchObject({ total: 30, limit: 2, offset: 0 });
    const { blogs } = await client.list({ limit: 1, includeContent: true });
    expect(blogs[0]?.content).toBe('<p>Hot water.</p>');
    const chosen = await client.list({ limit: 1, fields: ['slug', 'content'] });
    expect(chosen.blogs).toEqual([{ slug: blogs[0]?.slug, content: '<p>Hot water.</p>' }]);
    expect(await client.get('post-7')).toMatchObject({ slug: 'post-7', word_count: 2 });
    expect(await client.get('not-there')).toBeNull();
    expect((await client.related('post-7', { limit: 3 }))?.blogs).toHaveLength(3);
    expect((await client.sitemap()).total).toBe(POSTS);
    expect((await client.jsonFeed({ limit: 2 })).items).toHaveLength(2);
    expect(await client.rssFeed()).toContain('<rss');
    expect(await client.sitemapXml()).toContain('<urlset');
    expect(await client.authors()).toEqual([]);
    expect(await client.llmsTxt()).toContain('/blog/post-7/');
    expect(JSON.parse((await client.jsonLd('post-7')) ?? '')).toMatchObject({ '@type': 'BlogPosting' });
    expect(await client.jsonLd('not-there')).toBeNull();
  });

  it('has all redirects over all pages, and the current slug of a renamed post', async () => {
    const renamed = await service.createProject();
    const reader = createClient({ baseUrl: service.origin, key: renamed.key });
    const pages: string[] = [];
    for await (const page of reader.changes()) pages.push(page.since);
    const aliases = Array.from({ length: 200 }, (_, at) => `old-${at}`);
    const ids: string[] = [];
    for (let at = 0; at < 26; at += 1) {
      const mine = aliases.map((alias) => `${alias}-of-${at}`);
      ids.push(await renamed.publish({ slug: `new-${at}` }, { aliases: mine }));
    }
    const redirects = await reader.redirects();
    expect(redirects).toHaveLength(5_200);
    expect(redirects).toContainEqual({ from: 'old-199-of-25', to: 'new-25' });
    expect(new Set(redirects.map(({ from }) => from)).size).toBe(5_200);
    await renamed.publish({ slug: 'newest' }, { id: ids[0]!, aliases: ['new-0'] });
    const changes = [];
    for await (const page of reader.changes({ since: pages.at(-1)! })) changes.push(...page.changes);
    expect(changes).toContainEqual({ id: ids[0], slug: 'new-0', removed: true, moved_to: 'newest' });
    expect(await client.redirects()).toEqual([]);
  });

  it('says why it is refused', async () => {
    const other = createClient({ baseUrl: service.origin, key: 'pk_live_wrong' });
    await expect(other.list()).rejects.toMatchObject({ status: 401 });
    await expect(client.list({ limit: 101 })).rejects.toThrow(/400 .*limit/);
  });

  it('reads all posts once, of all pages, with their contents', async () => {
    const slugs: string[] = [];
    for await (const { slug, content } of client.all({ pageSize: 10, includeContent: true })) {
      expect(content).toBe('<p>Hot water.</p>');
      slugs.push(slug);
    }
    expect(slugs).toHaveLength(POSTS);
    expect(new Set(slugs).size).toBe(POSTS);
  });

  it('misses no post and gives none twice while posts are published, taken down and published again', async () => {
    const before = (await client.list({ limit: 100 })).blogs;
    const gone: string[] = [];
    const ids = await readAll(async (page) => {
      if (page > 6) return;
      await project.publish({});
      await project.publish({});
      // The newest and the oldest of those that were there, so that pages move both ways.
      const [taken, moved] = [before[page]!, before.at(-1 - page)!];
      await project.unpublish(taken.id);
      gone.push(taken.id);
      await project.unpublish(moved.id);
      await project.publish({ slug: moved.slug }, { id: moved.id, began: new Date().toISOString() });
      if (page === 3) for (const { id } of before.slice(20, 40)) await project.unpublish(id).then(() => gone.push(id));
    });
    expect(new Set(ids).size).toBe(ids.length);
    const stayed = before.filter(({ id }) => !gone.includes(id));
    expect(stayed.filter(({ id }) => !ids.includes(id))).toEqual([]);
    expect((await client.list({ limit: 100 })).blogs.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });

  it('gets unchanged answers as 304, and changed ones in full', async () => {
    const statuses: number[] = [];
    const caching = createClient({
      baseUrl: service.origin,
      key: project.key,
      cache: memoryCache(),
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      },
    });
    const first = await slugsOf(caching);
    expect(await slugsOf(caching)).toEqual(first);
    expect(statuses).toEqual([200, 200, 304, 304]);
    await project.publish({ slug: 'one-more' });
    expect(await slugsOf(caching)).toHaveLength(first.length + 1);
    expect(statuses.slice(4)).toEqual([200, 200]);
  });
});
