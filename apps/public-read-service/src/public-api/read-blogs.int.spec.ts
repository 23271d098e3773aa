import {
  extras,
  postImages,
  publicBlog,
  publicBlogList,
  publicBlogListItem,
  publicSitemap,
  type PublicBlog,
  type PublicBlogList,
  type PublishedRevision,
  type PublicSitemap,
} from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { blogPublished } from '../../test/events.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T08:00:00.000Z`;
const list = (query = '') => project.read<PublicBlogList>(`/blogs${query}`);
const slugs = (answer: { blogs: readonly { slug: string }[] }) => answer.blogs.map((blog) => blog.slug);

describe('listing published blogs (contract §4.1)', () => {
  it('answers an empty project with no blogs, total 0 and the defaults', async () => {
    const answer = await project.get('/blogs');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(answer.body)).toEqual({ blogs: [], total: 0, limit: 50, offset: 0 });
  });

  it('has no placeholder in any text', async () => {
    const text = 'One [INTERNAL:x] two';
    await project.publish({
      ...{ slug: 'tea', title: text, excerpt: text, meta_title: text, meta_description: text, categories: [text] },
      ...{ tags: [text, '[INTERNAL:x]'], featured_image_url: 'https://cdn.example/[INTERNAL:x].png' },
    });
    const clean = 'One two';
    const texts = {
      title: clean,
      excerpt: clean,
      meta_title: clean,
      meta_description: clean,
      featured_image_url: null,
    };
    const labels = { categories: [clean], tags: [clean] };
    expect((await list('?limit=7')).blogs).toMatchObject([{ ...texts, ...labels }]);
    expect(await project.read('/blogs/tea')).toMatchObject({ ...texts, ...labels });
    for (const feed of ['/feed.xml?limit=7', '/feed.json?limit=7'])
      expect((await project.get(feed)).body).not.toContain('INTERNAL');
  });

  it('gives each item exactly the fields of §2.1, without content', async () => {
    const id = await project.publish(
      {
        content: '<p>Tea.</p>',
        title: 'Green <tea> & "more"',
        slug: 'green-tea',
        excerpt: 'About tea.',
        meta_title: 'SEO title',
        meta_description: 'SEO description',
        featured_image_url: 'https://cdn.example/hero.webp',
        categories: ['Tea', 'Grün'],
        tags: ['hot'],
        keyword: 'not public',
        ...extras.examples,
      } satisfies Required<Omit<PublishedRevision, 'number' | 'library_images'>>,
      { began: '2026-03-01T10:00:00.120Z', at: '2026-03-02T10:00:00Z' },
    );
    expect((await list()).blogs).toEqual([
      {
        id,
        title: 'Green <tea> & "more"',
        slug: 'green-tea',
        excerpt: 'About tea.',
        meta_title: 'SEO title',
        meta_description: 'SEO description',
        featured_image_url: 'https://cdn.example/hero.webp',
        categories: ['Tea', 'Grün'],
        tags: ['hot'],
        published_at: '2026-03-01T10:00:00.120Z',
        ...extras.for('public', extras.examples),
      },
    ]);
  });

  it('matches the published contract', async () => {
    await project.publish();
    for (const query of ['', '?include_content=true']) publicBlogList.parse(await list(query));
    expect(Object.keys((await list('?include_content=true')).blogs[0]!).sort()).toEqual(
      Object.keys(publicBlogListItem.shape)
        .filter(
          (field) => ![...extras.namesOnRequest('public'), ...Object.keys(postImages), 'translations'].includes(field),
        )
        .sort(),
    );
  });

  it('falls back to title, excerpt and null where the author left fields empty (contract §2.1)', async () => {
    await project.publish({ title: 'Title', excerpt: 'Excerpt' });
    expect((await list()).blogs[0]).toMatchObject({
      meta_title: 'Title',
      meta_description: 'Excerpt',
      featured_image_url: null,
      categories: [],
      tags: [],
    });
    const empty = await service.createProject();
    await empty.publish({ excerpt: '' });
    expect((await empty.read<PublicBlogList>('/blogs')).blogs[0]).toMatchObject({ excerpt: '', meta_description: '' });
  });

  it.each(['true', 'TRUE', '1'])('adds content to every item with include_content=%s', async (value) => {
    await project.publish({ content: '<p>one</p>' });
    await project.publish({ content: '' });
    const { blogs } = await list(`?include_content=${value}`);
    expect(blogs.map((blog) => blog.content).sort()).toEqual(['', '<p>one</p>']);
  });

  it.each(['false', '0', 'False'])('adds none with include_content=%s', async (value) => {
    await project.publish();
    expect((await list(`?include_content=${value}`)).blogs[0]).not.toHaveProperty('content');
  });

  it('orders by published_at, newest first, then by id, descending', async () => {
    const [low, high] = [randomUUID(), randomUUID()].sort();
    await project.publish({ slug: 'low' }, { id: low!, began: day(2) });
    await project.publish({ slug: 'old' }, { began: day(1), at: day(9) });
    await project.publish({ slug: 'high' }, { id: high!, began: day(2) });
    await project.publish({ slug: 'new' }, { began: day(3) });
    expect(slugs(await list())).toEqual(['new', 'high', 'low', 'old']);
  });

  it('pages through everything once with limit and offset, total staying the same', async () => {
    for (let number = 1; number <= 7; number += 1)
      await project.publish({ slug: `s-${number}` }, { began: day(number) });
    const seen: string[] = [];
    for (let offset = 0; offset < 7; offset += 3) {
      const page = await list(`?limit=3&offset=${offset}`);
      expect(page).toMatchObject({ total: 7, limit: 3, offset });
      seen.push(...slugs(page));
    }
    expect(seen).toEqual(['s-7', 's-6', 's-5', 's-4', 's-3', 's-2', 's-1']);
  });

  it('has one order and each blog once on pages however deep, filtered or not, with content or without', async () => {
    const ids = Array.from({ length: 620 }, () => randomUUID());
    const events = ids.map((id, index) =>
      blogPublished({
        ...{ project_id: project.id, blog_id: id },
        // Two begin at the same time each.
        publication_began_at: day(1 + (Math.floor(index / 2) % 28)),
        revision: { slug: `s-${index}`, categories: ['Tea'] },
      }),
    );
    await service.apply(...events);
    const began = new Map(events.map((event) => [event.blog_id, event.publication_began_at]));
    const order = (id: string) => `${began.get(id)} ${id}`;
    const newestFirst = ids.sort((one, other) => (order(one) < order(other) ? 1 : -1));
    for (const query of ['', '&include_content=true', '&category=Tea']) {
      const seen: string[] = [];
      for (let offset = 0; offset < ids.length; offset += 100) {
        seen.push(...(await list(`?limit=100&offset=${offset}${query}`)).blogs.map(({ id }) => id));
      }
      expect(seen).toEqual(newestFirst);
    }
  });

  it('answers an offset past the end with no blogs and the total', async () => {
    await project.publish();
    expect(await list('?offset=5')).toMatchObject({ blogs: [], total: 1, offset: 5 });
    expect(await list('?offset=9007199254740991')).toMatchObject({ blogs: [], total: 1 });
  });

  it('returns at most 50 by default and at most 100 when asked', async () => {
    const events = Array.from({ length: 101 }, (_, index) =>
      blogPublished({ project_id: project.id, revision: { slug: `s-${index}` } }),
    );
    await service.apply(...events);
    expect((await list()).blogs).toHaveLength(50);
    expect(await list('?limit=100')).toMatchObject({ total: 101, limit: 100 });
    expect((await list('?limit=100')).blogs).toHaveLength(100);
    expect((await list('?limit=100&offset=100')).blogs).toHaveLength(1);
    expect((await list('?limit=1')).blogs).toHaveLength(1);
  });

  it('filters by the whole category name, case-sensitively, and counts after the filter', async () => {
    await project.publish({ slug: 'a', categories: ['Green Tea', 'News'] }, { began: day(1) });
    await project.publish({ slug: 'b', categories: ['News'] }, { began: day(2) });
    await project.publish({ slug: 'c', categories: ['Tea & "Cake", {x}'] }, { began: day(3) });
    const filtered = (category: string, more = '') => list(`?category=${encodeURIComponent(category)}${more}`);
    expect(slugs(await filtered('News'))).toEqual(['b', 'a']);
    expect(await filtered('News', '&limit=1')).toMatchObject({ total: 2, blogs: [{ slug: 'b' }] });
    expect(slugs(await filtered('Tea & "Cake", {x}'))).toEqual(['c']);
    for (const other of ['news', 'Green', 'Green Tea ', '%', '', 'Néws', "'; --"]) {
      expect(await filtered(other)).toMatchObject({ blogs: [], total: 0 });
    }
  });

  it.each([
    ['limit=0', '`limit` must be between 1 and 100 (got 0).'],
    ['limit=101', '`limit` must be between 1 and 100 (got 101).'],
    ['limit=ten', '`limit` must be between 1 and 100 (got ten).'],
    ['limit=', '`limit` must be between 1 and 100 (got nothing).'],
    ['offset=-1', '`offset` must be between 0 and 9007199254740991 (got -1).'],
    ['include_content=maybe', '`include_content` must be true, false, 1 or 0.'],
    ['category=a%00b', '`category` must not contain NUL characters.'],
  ])('refuses %s with 400 and says why', async (query, detail) => {
    const answer = await project.get(`/blogs?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ detail });
  });

  it('ignores unknown parameters and lets the last of two count', async () => {
    await project.publish();
    expect(await list('?page=2&sort=title&limit=1000&limit=5&offset=7&offset=0')).toMatchObject({
      limit: 5,
      offset: 0,
    });
  });

  it('accepts any text in a query without failing', async () => {
    for (const query of [
      '?',
      '?&&&',
      '?category=%ff%fe',
      '?category=%zz',
      '?=x',
      '?a=b?c=d',
      '?category=%F0%9F%8D%B5',
    ]) {
      expect((await project.get(`/blogs${query}`)).statusCode).toBe(200);
    }
  });
});

describe('getting one blog (contract §4.2)', () => {
  it('has the fields of §2.2, content always', async () => {
    const id = await project.publish(
      { title: 'Tea', slug: 'tea', excerpt: 'About.', content: '<h2>Tea</h2><p>un<b>real</b> &amp; hot</p>' },
      { began: day(1), at: day(4) },
    );
    const blog = await project.read<PublicBlog>('/blogs/tea');
    expect(blog).toEqual({
      id,
      title: 'Tea',
      slug: 'tea',
      excerpt: 'About.',
      meta_title: 'Tea',
      meta_description: 'About.',
      featured_image_url: null,
      categories: [],
      tags: [],
      published_at: day(1),
      content: '<h2>Tea</h2><p>un<b>real</b> &amp; hot</p>',
      updated_at: day(4),
      word_count: 4,
      ...extras.for('public', {}),
    });
    publicBlog.parse(blog);
  });

  it('serves the newest revision after a re-publish, published_at kept', async () => {
    const id = await project.publish({ slug: 'tea', title: 'One' }, { began: day(1), at: day(1) });
    await project.publish({ slug: 'green-tea', title: 'Two' }, { id, began: day(1), at: day(5) });
    expect(await project.read('/blogs/green-tea')).toMatchObject({
      id,
      title: 'Two',
      published_at: day(1),
      updated_at: day(5),
    });
    expect((await project.get('/blogs/tea')).statusCode).toBe(404);
  });

  it('is 404 when the slug is not in the project or the blog is not published', async () => {
    const id = await project.publish({ slug: 'tea' });
    expect((await project.get('/blogs/tea')).statusCode).toBe(200);
    await project.unpublish(id);
    for (const slug of ['tea', 'never-there']) {
      const answer = await project.get(`/blogs/${slug}`);
      expect(answer.statusCode).toBe(404);
      expect(JSON.parse(answer.body)).toEqual({ detail: 'No published post has this slug.' });
    }
  });

  it.each([
    ['NUL', '/blogs/te%00a'],
    ['bytes that are no UTF-8', '/blogs/%ff%fe'],
    ['half a surrogate pair', '/blogs/%ED%A0%80'],
    ['capitals', '/blogs/TEA'],
    ['a space', '/blogs/tea%20'],
    ['an encoded slash', '/blogs/tea%2Ftea'],
    ['another script', '/blogs/%E8%8C%B6'],
    ['5,000 characters', `/blogs/${'a'.repeat(5_000)}`],
    ['SQL', "/blogs/'%20OR%201=1--"],
  ])('is 404 for a slug with %s', async (_name, path) => {
    await project.publish({ slug: 'tea' });
    const answer = await project.get(path);
    expect(answer.statusCode).toBe(404);
    expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['detail']);
  });

  it('finds a slug that is percent-encoded', async () => {
    await project.publish({ slug: 'green-tea' });
    expect((await project.get('/blogs/green%2Dtea')).statusCode).toBe(200);
  });

  it('is 400 for a malformed percent-encoding', async () => {
    for (const path of ['/blogs/tea%', '/blogs/%zz', '/blogs/%e']) {
      const answer = await project.get(path);
      expect(answer.statusCode).toBe(400);
      expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['detail']);
    }
  });
});

describe('sitemap data (contract §4.3)', () => {
  it('lists slug, published_at and updated_at of published blogs only, newest first', async () => {
    await project.publish({ slug: 'old' }, { began: day(1), at: day(8) });
    await project.publish({ slug: 'new' }, { began: day(2), at: day(2) });
    await project.unpublish(await project.publish({ slug: 'gone' }, { began: day(3) }));
    const sitemap = await project.read<PublicSitemap>('/blogs/sitemap');
    expect(sitemap).toEqual({
      blogs: [
        { slug: 'new', published_at: day(2), updated_at: day(2) },
        { slug: 'old', published_at: day(1), updated_at: day(8) },
      ],
      total: 2,
    });
    publicSitemap.parse(sitemap);
  });

  it('has no pagination', async () => {
    await project.publish();
    await project.publish();
    expect((await project.read<PublicSitemap>('/blogs/sitemap?limit=1&offset=1')).blogs).toHaveLength(2);
  });

  it('returns the newest 5,000 of more, and total counts what it returns', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    for (let from = 0; from < 5_001; from += 500) {
      const events = Array.from({ length: Math.min(500, 5_001 - from) }, (_, index) =>
        blogPublished({
          project_id: project.id,
          publication_began_at: new Date(start + (from + index) * 1_000).toISOString(),
          revision: { slug: `s-${from + index}`, content: '' },
        }),
      );
      await service.apply(...events);
    }
    const sitemap = await project.read<PublicSitemap>('/blogs/sitemap');
    expect(sitemap.total).toBe(5_000);
    expect(slugs(sitemap)).toEqual(Array.from({ length: 5_000 }, (_, index) => `s-${5_000 - index}`));
  });
});

describe('what a key can see (contract §5.1.3)', () => {
  it('is its own project and nothing of another', async () => {
    const other = await service.createProject();
    await other.publish({ slug: 'theirs', categories: ['Shared'] });
    await project.publish({ slug: 'mine', categories: ['Shared'], content: '<a href="[INTERNAL:theirs]">t</a>' });
    expect(slugs(await list('?category=Shared'))).toEqual(['mine']);
    expect(slugs(await project.read<PublicSitemap>('/blogs/sitemap'))).toEqual(['mine']);
    expect((await project.get('/blogs/theirs')).statusCode).toBe(404);
    expect(await project.read('/blogs/mine')).toMatchObject({ content: 't' });
  });

  it('is nothing of an unpublished or deleted blog', async () => {
    const id = await project.publish({ slug: 'tea', categories: ['Tea'] });
    await project.unpublish(id);
    expect(await list('?category=Tea')).toMatchObject({ blogs: [], total: 0 });
    expect((await project.read<PublicSitemap>('/blogs/sitemap')).total).toBe(0);
  });
});
