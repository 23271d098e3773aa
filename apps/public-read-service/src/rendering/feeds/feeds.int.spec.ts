import { blogPosting, jsonFeed, type JsonFeed } from '@blog-content/payload-schemas';
import fc from 'fast-check';
import { projectSaved } from '../../../test/events.ts';
import { createXmlReader, type XmlReader } from '../../../test/read-xml.ts';
import { renderLlmsTxt } from '../render-llms-txt.ts';
import { PUBLIC, startTestService, type TestProject, type TestService } from '../../../test/test-service.ts';

const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const files = ['/feed.xml', '/feed.json', '/sitemap.xml', '/llms.txt'];

let service: TestService;
let xml: XmlReader;
let project: TestProject;

beforeAll(async () => {
  service = await startTestService();
  xml = await createXmlReader(service.databaseUrl);
});
afterAll(async () => {
  await xml?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  project = await service.createProject({ siteUrl: 'https://tea.example/shop/' });
});

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T08:00:00.120Z`;
const publishTea = () =>
  project.publish(
    {
      title: 'Green <tea> & "more"',
      slug: 'green-tea',
      excerpt: 'About tea & water.',
      content: '<p>See <a href="[INTERNAL:oolong]#how">it</a> &amp; [INTERNAL:none]!</p>',
      featured_image_url: 'https://cdn.example/hero.webp?a=1&b=2',
      categories: ['Tea', 'Hot & new'],
      tags: ['Tea', 'leaf'],
    },
    { began: day(2), at: day(4) },
  );
const publishOolong = () =>
  project.publish({ title: 'Oolong', slug: 'oolong', excerpt: '' }, { began: day(1), at: day(1) });
const CONTENT = '<p>See <a href="https://tea.example/shop/blog/oolong/#how">it</a> &amp; !</p>';

describe('feeds', () => {
  it.each(['feed.xml', 'feed.json'])('are ordered by publication date, not by the last change: %s', async (feed) => {
    await project.publish({ title: 'Second' }, { began: day(2), at: day(2) });
    await project.publish({ title: 'First' }, { began: day(1), at: day(9) });
    await project.publish({ title: 'Third' }, { began: day(3), at: day(3) });
    const { body } = await project.get(`/${feed}`);
    expect(body.match(/First|Second|Third/g)).toEqual(['Third', 'Second', 'First']);
  });
});

describe('feed.xml', () => {
  it('is RSS 2.0 with whole posts, newest first, their links resolved', async () => {
    const [tea, oolong] = [await publishTea(), await publishOolong()];
    const answer = await project.get('/feed.xml');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(await xml.rssItems(answer.body)).toEqual([
      {
        title: 'Green <tea> & "more"',
        link: 'https://tea.example/shop/blog/green-tea/',
        guid: tea,
        is_perma_link: 'false',
        pub_date: 'Fri, 02 Jan 2026 08:00:00 GMT',
        description: 'About tea & water.',
        content: CONTENT,
      },
      {
        title: 'Oolong',
        link: 'https://tea.example/shop/blog/oolong/',
        guid: oolong,
        is_perma_link: 'false',
        pub_date: 'Thu, 01 Jan 2026 08:00:00 GMT',
        description: '',
        content: '<p>Hot water.</p>',
      },
    ]);
    expect(await xml.texts(answer.body, '/rss/channel/item[1]/category')).toEqual(['Tea', 'Hot & new', 'leaf']);
  });

  it('and the JSON Feed have absolute URLs of links and images', async () => {
    const content =
      '<p><a href="/about/">A</a> <a href="../other/">B</a> <a href="#part">C</a> <img src="/uploads/cup.png" srcset="/uploads/cup.png 1x, /uploads/cup2.png 2x" alt="Cup"></p>';
    await project.publish({ slug: 'tea', content });
    const site = 'https://tea.example';
    const whole = `<p><a href="${site}/about/">A</a> <a href="${site}/shop/blog/other/">B</a> <a href="${site}/shop/blog/tea/#part">C</a> <img src="${site}/uploads/cup.png" srcset="${site}/uploads/cup.png 1x, ${site}/uploads/cup2.png 2x" alt="Cup"></p>`;
    const [item] = await xml.rssItems((await project.get('/feed.xml')).body);
    expect(item).toMatchObject({ content: whole });
    const feed = JSON.parse((await project.get('/feed.json')).body) as JsonFeed;
    expect(feed.items).toMatchObject([{ content_html: whole }]);
  });

  it('has a channel with the project’s name and site', async () => {
    const { body } = await project.get('/feed.xml');
    expect(await xml.texts(body, '/rss/channel/title')).toEqual(['Tea site']);
    expect(await xml.texts(body, '/rss/channel/link')).toEqual(['https://tea.example/shop/']);
    expect(await xml.texts(body, '/rss/channel/description')).toEqual(['Tea site']);
    const [built] = await xml.texts(body, '/rss/channel/lastBuildDate');
    expect(new Date(built!).toUTCString()).toBe(built);
  });
});

describe('feed.json', () => {
  it('is a JSON Feed 1.1 with whole posts, newest first, their links resolved', async () => {
    const [tea, oolong] = [await publishTea(), await publishOolong()];
    const answer = await project.get('/feed.json');
    expect(answer.headers['content-type']).toBe('application/feed+json; charset=utf-8');
    const feed = JSON.parse(answer.body) as JsonFeed;
    expect(jsonFeed.strict().parse(feed)).toEqual(feed);
    expect(feed).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Tea site',
      home_page_url: 'https://tea.example/shop/',
      items: [
        {
          id: tea,
          url: 'https://tea.example/shop/blog/green-tea/',
          title: 'Green <tea> & "more"',
          content_html: CONTENT,
          summary: 'About tea & water.',
          image: 'https://cdn.example/hero.webp?a=1&b=2',
          date_published: day(2),
          date_modified: day(4),
          tags: ['Tea', 'Hot & new', 'leaf'],
        },
        {
          id: oolong,
          url: 'https://tea.example/shop/blog/oolong/',
          title: 'Oolong',
          content_html: '<p>Hot water.</p>',
          date_published: day(1),
          date_modified: day(1),
          tags: [],
        },
      ],
    });
  });
});

describe('sitemap.xml', () => {
  it('has the address and the last change of each post, newest first', async () => {
    await publishTea();
    await publishOolong();
    const answer = await project.get('/sitemap.xml');
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
    const urls = await xml.texts(answer.body, '/x:urlset/x:url/x:loc', SITEMAP_NAMESPACE);
    expect(urls).toEqual(['https://tea.example/shop/blog/green-tea/', 'https://tea.example/shop/blog/oolong/']);
    expect(await xml.texts(answer.body, '/x:urlset/x:url/x:lastmod', SITEMAP_NAMESPACE)).toEqual([day(4), day(1)]);
  });

  it('names the site while nothing is published, because the format requires a URL', async () => {
    const { body } = await project.get('/sitemap.xml');
    expect(await xml.texts(body, '/x:urlset/x:url/x:loc', SITEMAP_NAMESPACE)).toEqual(['https://tea.example/shop/']);
  });
});

describe('llms.txt', () => {
  it('names the site, and each post with its address and summary, newest first', async () => {
    await publishTea();
    await project.publish(
      { title: 'A [b](c)\\', slug: 'b', excerpt: '', meta_description: null },
      { began: day(1), at: day(1) },
    );
    const answer = await project.get('/llms.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toBe(
      [
        '# Tea site\n\n> 2 posts of https://tea.example/shop/, newest first.\n\n## Posts\n\n',
        '- [Green <tea> & "more"](https://tea.example/shop/blog/green-tea/): About tea & water.\n',
        '- [A \\[b\\](c)\\\\](https://tea.example/shop/blog/b/)\n',
      ].join(''),
    );
  });

  it('says how many posts there are when it does not name all', () => {
    const post = { id: '', slug: 'a', title: 'A', excerpt: '', metaTitle: null, metaDescription: 'two\nlines' };
    const channel = { title: 'T', siteUrl: 'https://a.example/(x)' };
    const posts = [{ ...post, featuredImageUrl: null, categories: [], tags: [], extra: {}, publishedAt: day(1) }];
    expect(renderLlmsTxt(posts, 7, channel)).toBe(
      '# T\n\n> The newest 1 of 7 posts of https://a.example/(x)/, newest first.\n\n## Posts\n\n' +
        '- [A](https://a.example/%28x%29/blog/a/): two lines\n',
    );
  });
});

describe('the JSON-LD of a post', () => {
  it('is a BlogPosting with the known fields', async () => {
    await publishTea();
    const answer = await project.get('/blogs/green-tea/json-ld');
    expect(answer.headers['content-type']).toBe('application/ld+json; charset=utf-8');
    const posting = JSON.parse(answer.body) as object;
    expect(blogPosting.strict().parse(posting)).toEqual(posting);
    const url = 'https://tea.example/shop/blog/green-tea/';
    expect(posting).toEqual({
      '@context': 'https://schema.org',
      '@type': 'BlogPosting',
      ...{ '@id': url, mainEntityOfPage: url, url },
      headline: 'Green <tea> & "more"',
      description: 'About tea & water.',
      image: ['https://cdn.example/hero.webp?a=1&b=2'],
      datePublished: day(2),
      dateModified: day(4),
      articleSection: ['Tea', 'Hot & new'],
      keywords: ['Tea', 'leaf'],
      wordCount: 4,
      publisher: { '@type': 'Organization', name: 'Tea site', url: 'https://tea.example/shop/' },
    });
    await publishOolong();
    expect(JSON.parse((await project.get('/blogs/oolong/json-ld')).body)).not.toHaveProperty('image');
  });

  it('cannot end the script that contains it, even with </script> in the title', async () => {
    await project.publish({ title: '</script><!-- <script>', slug: 'bad' });
    const { body } = await project.get('/blogs/bad/json-ld');
    expect(body).not.toContain('<');
    expect(JSON.parse(body)).toMatchObject({ headline: '</script><!-- <script>' });
  });

  it('is a 404 without the post, or without a site URL', async () => {
    expect((await project.get('/blogs/none/json-ld')).body).toContain('No published post');
    const homeless = await service.createProject({ siteUrl: null });
    await homeless.publish({ slug: 'a' });
    const answer = await homeless.get('/blogs/a/json-ld');
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('site URL')]);
  });
});

describe('feeds', () => {
  it('have 50 posts unless asked for otherwise, 100 at most', async () => {
    for (let number = 1; number <= 51; number += 1) await project.publish({ slug: `s-${number}`, content: '' });
    const items = async (query = '') => (await project.read<JsonFeed>(`/feed.json${query}`)).items.length;
    expect(await items()).toBe(50);
    expect(await items('?limit=1')).toBe(1);
    expect(await items('?limit=100')).toBe(51);
    expect(await xml.rssItems((await project.get('/feed.xml?limit=7')).body)).toHaveLength(7);
    for (const [path, limit] of Object.entries({ 'feed.json': 101, 'feed.xml': 0 })) {
      const answer = await project.get(`/${path}?limit=${limit}`);
      expect([answer.statusCode, answer.body]).toEqual([
        400,
        `{"detail":"\`limit\` must be between 1 and 100 (got ${limit})."}`,
      ]);
    }
  });

  it.each(files)('have no post that is not published or of another project: %s', async (path) => {
    await (await service.createProject()).publish({ slug: 'theirs' });
    await project.unpublish(await project.publish({ slug: 'gone' }));
    await project.publish({ slug: 'mine' });
    const { body } = await project.get(path);
    expect(body).toContain('/blog/mine/');
    expect(body).not.toMatch(/theirs|gone/);
  });

  it.each(files)('need a key, answer 304, and accept only GET and HEAD: %s', async (path) => {
    expect((await service.request('GET', PUBLIC + path)).statusCode).toBe(401);
    expect((await service.request('GET', `${PUBLIC}${path}?api_key=${project.key}`)).statusCode).toBe(200);
    const { headers } = await project.get(path);
    expect((await project.get(path, { 'if-none-match': headers.etag! })).statusCode).toBe(304);
    const authorization = `Bearer ${project.key}`;
    const head = await service.request('HEAD', PUBLIC + path, { authorization });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', headers['content-length']]);
    expect((await service.request('POST', PUBLIC + path, { authorization })).statusCode).toBe(405);
    await project.publish();
    expect((await project.get(path, { 'if-none-match': headers.etag! })).statusCode).toBe(200);
  });

  it.each(files)('are a 404 that says why while the project has no site address: %s', async (path) => {
    const homeless = await service.createProject({ siteUrl: null });
    await homeless.publish();
    const answer = await homeless.get(path);
    expect(answer.statusCode).toBe(404);
    expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['detail']);
    expect(answer.body).toContain('site URL');
    await service.applyProjects(
      projectSaved({ project_id: homeless.id, project_event_number: 2, site_url: 'https://new.example' }),
    );
    expect((await homeless.get(path)).statusCode).toBe(200);
  });
});

describe('feeds of a project with a link placeholder', () => {
  const save = (number: number, name: string, site_url: string) =>
    service.applyProjects(projectSaved({ project_id: project.id, project_event_number: number, name, site_url }));

  it('in its name have a title without it, or the host of its site where nothing else is left', async () => {
    for (const [index, [name, title]] of [
      ['Tea [INTERNAL:x] site', 'Tea site'],
      ['%5BINTERNAL:x%5D', 'tea1.example'],
    ].entries()) {
      await save(index + 2, name!, `https://tea${index}.example`);
      expect(
        await xml.texts((await project.get('/feed.xml')).body, '/rss/channel/*[self::title or self::description]'),
      ).toEqual([title, title]);
      expect(JSON.parse((await project.get('/feed.json')).body)).toMatchObject({ title });
    }
  });

  it.each(files)('in its site URL, from before such were refused, are a 404: %s', async (path) => {
    await save(2, 'Tea', 'https://tea.example/%5BINTERNAL:a%5D');
    const answer = await project.get(path);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('site URL');
  });
});

/** Pieces of markup, of placeholders and of what XML cannot hold, between any text. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        ']]>',
        '<![CDATA[',
        '&#0;',
        '\u0001',
        '\u000b',
        '\ufffe',
        '\ud800',
        '\udfff',
        '\r\n',
        '"',
      ),
      fc.constantFrom(
        '[INTERNAL:tea]',
        '[INTER',
        'NAL:tea]',
        'INTERNAL:tea]',
        '<a href="[INTERNAL:own]">',
        '</a>',
        '<?xml',
        '<!--',
        '-->',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('any published post', () => {
  it('feeds are well-formed, have the same texts, and no raw placeholder in a content, nor has llms.txt one', async () => {
    const blogs = fc.record({ title: text, excerpt: text, content: text, label: text, name: text });
    let number = 1;
    await fc.assert(
      fc.asyncProperty(blogs, async ({ title, excerpt, content, label, name }) => {
        await service.applyProjects(
          projectSaved({
            project_id: project.id,
            project_event_number: (number += 1),
            name: name.replaceAll('\0', '').toWellFormed(),
            site_url: 'https://tea.example/?a=<b>&c="d"',
          }),
        );
        const id = await project.publish({ slug: 'own', title, excerpt, content, tags: [label], categories: [label] });
        const [rss, feed, sitemap, llms] = await Promise.all(files.map((path) => project.get(path)));
        await project.unpublish(id);
        expect([rss!.statusCode, feed!.statusCode, sitemap!.statusCode]).toEqual([200, 200, 200]);
        expect(await xml.isWellFormed(sitemap!.body)).toBe(true);
        const [item] = await xml.rssItems(rss!.body);
        const [entry] = (JSON.parse(feed!.body) as JsonFeed).items;
        expect(item).toMatchObject({
          title: asXmlHolds(entry!.title),
          description: asXmlHolds(entry!.summary ?? ''),
          content: asXmlHolds(entry!.content_html),
        });
        for (const html of [
          item!.content,
          entry!.content_html,
          rss!.body.replaceAll(/<title>.*?<\/description>/gs, ''),
          llms!.body,
        ]) {
          expect(html).not.toMatch(/\[internal:/i);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function asXmlHolds(text: string): string {
  return text.replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
