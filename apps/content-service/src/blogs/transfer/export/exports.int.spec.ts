import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { ownerOfNewProject, startOwner, type Owner } from '../../../../test/owner.ts';
import { newPerson } from '../../../../test/people.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import { blogBySlug, finishedImport, importAll, ZIP, type Files } from '../../../../test/transfer/imports.ts';
import { siteFiles } from '../portable/site/site-files.ts';
import { addLongDrafts, exportOf, fetchExport, unpackExport } from '../../../../test/transfer/exports.ts';

/** Files beside those of posts: the README, the sites, and the project's data. */
const OTHERS = siteFiles('Site', null).length + 4;

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

describe('an export', () => {
  const written: Files = {
    'green.md':
      '---\ntitle: "Green: tea"\ndate: 2024-01-31T10:20:30.123Z\ntags: [a, "b, c"]\nexcerpt: x\n---\n# One\r\n\r\n[black](black.html)',
    'black.html':
      '---\ntitle: Black tea\nimage: https://x.example/a.png\ngenerated_images: [https://x.example/b.png]\n---\n<p>a</p>\n',
    'draft.md': '---\ndraft: true\nkeyword: "007"\nmeta_title: ""\n---\n',
  };

  it('imported into an empty project gives the same posts', async () => {
    const from = await owner.inNewProject();
    await importAll(from, written, '?publish=true');
    const first = await exportOf(service, from);
    const to = await owner.inNewProject();
    const answer = await to.call('POST', '/imports?publish=true', { body: first.bytes, headers: ZIP });
    await finishedImport(to, answer.body.id as string);
    const again = await exportOf(service, to);
    const posts = ({ files }: typeof first) =>
      Object.entries(files)
        .filter(([path]) => path.startsWith('posts/'))
        .map(([path, bytes]) => [path, String(bytes).replaceAll(/^(?:lastmod|updatedDate|pubDate): .*$/gm, '')]);
    expect(posts(first).map(([path]) => path)).toEqual(['posts/green.md', 'posts/black.md', 'posts/draft.md']);
    expect(posts(again)).toEqual(posts(first));
    expect((await blogBySlug(to, 'green')).published_at).toBe('2024-01-31T10:20:30.123Z');
    expect((await blogBySlug(to, 'draft')).state).toBe('draft');
  });

  it('has all data as JSON: revisions, and publishes with their deliveries', async () => {
    const from = await owner.inNewProject();
    const blog = await from.newBlog({ slug: 'tea', content: '<p>1</p>' });
    const publishes = [(await from.publish(blog)).body.id, null];
    await from.patch(`/blogs/${blog.id}`, { content_markdown: '2' });
    publishes[1] = (await from.publish(blog)).body.id;
    const deleted = await from.newBlog();
    await from.remove(`/blogs/${deleted.id}`);
    const { files } = await exportOf(service, from);
    const paths = Object.keys(files).filter((path) => !path.startsWith('sites/'));
    expect(paths).toEqual([
      ...['README.md', 'posts/tea.md', 'data/posts/tea.json', 'data/project.json', 'data/settings.json'],
      ...['data/redirects.json', 'data/blogs.jsonl'],
    ]);
    expect(JSON.parse(String(files['data/project.json']))).toMatchObject({ id: from.project, name: 'Site' });
    const lines = String(files['data/blogs.jsonl']).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        id: blog.id,
        slug: 'tea',
        state: 'published',
        excerpt: null,
        content_markdown: '2',
        published_revision: 2,
        revisions: [
          expect.objectContaining({ number: 1, content: '<p>1</p>', content_markdown: null }),
          expect.objectContaining({ number: 2, content_markdown: '2' }),
        ],
        publishes: publishes.map((id, index) => expect.objectContaining({ id, revision: index + 1, deliveries: [] })),
      }),
    ]);
  });

  it('links a post to translations in its own language, as readers get it, and keeps the links as written', async () => {
    const from = await owner.inNewProject();
    const post = async (slug: string, language: string, translation_key: string | null, fields: object = {}) =>
      from.publish(await from.newBlog({ title: `Title ${slug}`, slug, language, translation_key, ...fields }));
    await post('tea', 'en', 'k', { content: '<p><a href="[INTERNAL:tee]">German</a></p>' });
    await post('tee', 'de', 'k', { content: '<p><a href="[INTERNAL:tea]">English</a></p>' });
    await post('html', 'de', null, { content: '<p>[INTERNAL:tea]</p>' });
    await post('markdown', 'de', null, { content_markdown: '[it](<[INTERNAL:tea]>) [INTERNAL:tea]' });
    await post('french', 'fr', null, { content: '<p>[INTERNAL:tea]</p>' });
    const { files } = await exportOf(service, from);
    // Without the front matter.
    const bodyOf = (slug: string) => String(files[`posts/${slug}.md`]).split('\n---\n').at(1) ?? '';
    const pathsIn = (slug: string) => bodyOf(slug).match(/\/blog\/[a-z-]+\//g);
    expect(
      Object.fromEntries(['tea', 'tee', 'html', 'markdown', 'french'].map((slug) => [slug, pathsIn(slug)])),
    ).toEqual({
      tea: ['/blog/tee/'],
      tee: ['/blog/tea/'],
      html: ['/blog/tee/'],
      markdown: ['/blog/tee/', '/blog/tee/'],
      french: ['/blog/tea/'],
    });
    expect(bodyOf('markdown')).toContain('[Title tee](/blog/tee/)');
    expect(String(files['data/posts/html.json'])).toContain('[INTERNAL:tea]');
  });

  it('is a file with a name of letters, digits and hyphens, whatever the project is called', async () => {
    const { body } = await owner.call('POST', 'projects', { json: { name: 'Tea "&\r\nSet-Cookie: a=b; Café/../' } });
    const answer = await fetchExport(service, { project: body.id as string, token: owner.token });
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="tea-set-cookie-a-b-cafe-\d{4}-\d\d-\d\d\.zip"$/,
    );
    await answer.body?.cancel();
  });

  it('has the webhooks that come with its request, and takes no values of headers', async () => {
    const from = await owner.inNewProject();
    await from.newBlog({ slug: 'tea' });
    const ask = (webhooks: unknown) => from.call('POST', '/export?format=html', { json: { webhooks } });
    const webhook = {
      id: from.project,
      kind: 'webhook',
      name: 'Site',
      url: `https://site.example/${'x'.repeat(2_000)}`,
      has_secret: true,
      headers: ['Authorization'],
      active: true,
      heal_links: false,
      retry_manual: true,
      standard_webhooks: false,
      settings: { links: 'live' },
      created_at: '2026-01-31T10:20:30.123Z',
    };
    const webhooks = Array.from({ length: 100 }, () => webhook);
    // Clients of before don't know the setting.
    const { retry_manual: _retries, ...fromBefore } = webhook;
    const answer = await fetch(`${service.origin}/blog/api/v1/owner/projects/${from.project}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${from.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ webhooks: [fromBefore, ...webhooks.slice(1)] }),
    });
    const { bytes, files } = await unpackExport(answer);
    expect(JSON.parse(String(files['data/webhooks.json']))).toEqual([
      { ...webhook, retry_manual: false },
      ...webhooks.slice(1),
    ]);
    expect((await exportOf(service, from)).files).not.toHaveProperty('data/webhooks.json');
    const to = await owner.inNewProject();
    const imported = await to.call('POST', '/imports/plan', { body: bytes, headers: ZIP });
    expect(imported.body.items).toMatchObject([{ path: 'posts/tea.md' }]);

    for (const wrong of [{ headers: { Authorization: 'Bearer x' } }, { secret: 'a-secret-of-sixteen' }]) {
      const refused = await ask([{ ...webhook, ...wrong }]);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('webhooks')]);
    }
    expect((await ask([...webhooks, webhook])).status).toBe(422);
  });

  it('of a large project is made while it is read, one at a time, and ends when the client leaves', async () => {
    const from = await owner.inNewProject();
    await addLongDrafts(service, from, 40);
    // Held until it is given up: the body of an answer that nobody holds is cancelled by the garbage collector.
    const open = await fetchExport(service, from);
    expect(open.status).toBe(200);
    const refused = await fetchExport(service, from);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    // Neither the project nor its owner has more than one, and so there is room for others.
    const another = await ownerOfNewProject(service, (await newPerson(service, owner.token)).token);
    expect((await fetchExport(service, owner)).status).toBe(429);
    expect((await fetchExport(service, another)).status).toBe(200);
    const inTransaction = `select 1 from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
    // It stands still, because nobody reads: between two files, or within one.
    await eventually(async () =>
      expect(await service.query(`${inTransaction} and state_change < now() - interval '1 s'`)).toHaveLength(1),
    );
    await open.body?.cancel();
    // Sooner than the minute after which a client that reads nothing is given up.
    await eventually(async () => expect(await service.query(inTransaction)).toEqual([]), { timeoutMs: 40_000 });
    expect(Object.keys((await exportOf(service, from)).files)).toHaveLength(2 * 41 + OTHERS);
  });

  it('goes on when its client has read nothing for longer than other transactions may stand idle', async () => {
    const from = await owner.inNewProject();
    await addLongDrafts(service, from, 30);
    const answer = await fetchExport(service, from);
    await sleep(12_000);
    expect(Object.keys((await unpackExport(answer)).files)).toHaveLength(2 * 31 + OTHERS);
  });

  it('is answered to HEAD without being made', async () => {
    const answer = await fetchExport(service, owner, 'HEAD');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  });
});
