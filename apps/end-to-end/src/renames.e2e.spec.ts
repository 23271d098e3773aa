import { whenProjectIsKnown } from '@blog-content/local-services';
import type { PublicBlog, PublicRedirects } from '@blog-content/payload-schemas';
import { eventually, startCopyingReceivers, type CopyingReceivers } from '@blog-content/testing';
import { createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const SITE_URL = 'https://site.example';
const LINKERS = 10;

interface Post {
  readonly id: string;
  readonly slug: string;
}

describe('links and old addresses of posts that are renamed', () => {
  let stack: Stack;
  let receivers: CopyingReceivers;
  let project: TestProject;

  beforeAll(async () => {
    receivers = await startCopyingReceivers(1);
    stack = await startStack({ environment: { 'webhook-dispatcher': { LINK_HEALING_QUIET_MS: '300' } } });
  });
  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receivers?.close();
  });
  beforeEach(async () => {
    project = await createProject(stack.owner, { siteUrl: SITE_URL });
  });

  async function call(method: string, path: string, body?: object) {
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/owner/projects/${project.id}/${path}`, {
      method,
      headers: { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  }
  async function succeed(method: string, path: string, body?: object) {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  async function read(path: string): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/${path}`, {
      headers: { authorization: `Bearer ${project.publicKey}` },
    });
    return { status: answer.status, body: await answer.json() };
  }

  const draft = async (slug: string, fields: object = {}) =>
    (await succeed('POST', 'blogs', {
      title: `At ${slug}`,
      slug,
      content: '<p>Text.</p>',
      ...fields,
    })) as unknown as Post;
  /** Publishes, and waits until readers see it. */
  async function publish({ id, slug }: Post): Promise<void> {
    await succeed('POST', `blogs/${id}/publish`);
    await eventually(async () => {
      const { status, body } = await read(`blogs/${slug}`);
      expect([status, (body as PublicBlog).id]).toEqual([200, id]);
    });
  }
  async function published(slug: string, fields: object = {}): Promise<Post> {
    const post = await draft(slug, fields);
    await publish(post);
    return post;
  }
  async function rename(post: Post, slug: string, fields: object = {}): Promise<Post> {
    const renamed = (await succeed('PATCH', `blogs/${post.id}`, { slug, ...fields })) as unknown as Post;
    await publish(renamed);
    return renamed;
  }
  const linkTo = (...slugs: string[]) => ({ content: slugs.map((slug) => `<p>[INTERNAL:${slug}]</p>`).join('') });
  const link = (slug: string, title: string) => `<a href="${SITE_URL}/blog/${slug}/">${title}</a>`;
  const contentOf = async (slug: string) => ((await read(`blogs/${slug}`)).body as PublicBlog).content;
  const redirects = async () => ((await read('redirects')).body as PublicRedirects).redirects;

  it('follow the post: ten posts that link to it, at readers and at a receiver; another post never takes them over', async () => {
    const body = { url: receivers.url(0), heal_links: true };
    await whenProjectIsKnown(() => stack.owner.post(`projects/${project.id}/webhooks`, body));
    const target = await published('old-name', { title: 'The target' });
    const content = '<p>See <a href="[INTERNAL:old-name]">the target</a> and [INTERNAL:old-name].</p>';
    const slugs = Array.from({ length: LINKERS }, (_, at) => `linker-${at}`);
    const linkers = await Promise.all(slugs.map((slug) => published(slug, { content })));
    const expected = (slug: string) =>
      `<p>See <a href="${SITE_URL}/blog/${slug}/">the target</a> and ${link(slug, 'The target')}.</p>`;
    for (const slug of slugs) expect(await contentOf(slug)).toBe(expected('old-name'));

    await succeed('PATCH', `blogs/${target.id}`, { slug: 'new-name' });
    await succeed('POST', `blogs/${target.id}/sync`);
    await eventually(async () => expect((await read('blogs/new-name')).status).toBe(200));
    for (const slug of slugs) expect(await contentOf(slug)).toBe(expected('new-name'));
    expect(await read('blogs/old-name')).toEqual({
      status: 404,
      body: { detail: expect.stringContaining('"new-name"') as string },
    });
    expect(await redirects()).toEqual([{ from: 'old-name', to: 'new-name' }]);
    const copiesAreRight = () =>
      eventually(
        () => {
          const copies = receivers.copies(0);
          expect(linkers.map(({ id }) => copies.get(id)?.content)).toEqual(linkers.map(() => expected('new-name')));
        },
        { timeoutMs: 60_000 },
      );
    await copiesAreRight();

    const refused = await call('POST', 'blogs', { title: 'Quite another thing', slug: 'old-name' });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining(target.id)]);
    const other = await published('old-name', { title: 'Quite another thing', release_alias: true });
    for (const slug of slugs) expect(await contentOf(slug)).toBe(expected('new-name'));
    expect(await redirects()).toEqual([]);
    await publish(await draft('late', linkTo('old-name')));
    expect(await contentOf('late')).toBe(`<p>${link('old-name', 'Quite another thing')}</p>`);
    await rename(other, 'another-name');
    expect(await redirects()).toEqual([{ from: 'old-name', to: 'another-name' }]);
    await copiesAreRight();
  });

  it('lead to translations in the language of the post, at readers and at a receiver; other languages stay as they are', async () => {
    const body = { url: receivers.url(0), heal_links: true };
    await whenProjectIsKnown(() => stack.owner.post(`projects/${project.id}/webhooks`, body));
    const tea = await published('tea', { title: 'Tea', language: 'en', translation_key: 'k' });
    const german = await published('german', { ...linkTo('tea'), language: 'de' });
    const english = await published('english', { ...linkTo('tea'), language: 'en' });
    const copies = (...posts: Post[]) => posts.map(({ id }) => receivers.copies(0).get(id)?.content);
    const [toTea, toTee] = [`<p>${link('tea', 'Tea')}</p>`, `<p>${link('tee', 'Tee')}</p>`];
    await eventually(() => expect(copies(german, english)).toEqual([toTea, toTea]));
    const tee = await published('tee', { title: 'Tee', language: 'de', translation_key: 'k', ...linkTo('tea') });
    expect([await contentOf('german'), await contentOf('english')]).toEqual([toTee, toTea]);
    expect([await contentOf('tea'), await contentOf('tee')]).toEqual(['<p>Text.</p>', toTea]);
    await eventually(() => expect(copies(german, english, tee)).toEqual([toTee, toTea, toTea]), { timeoutMs: 60_000 });
    // The first body has it already.
    const late = await published('late-german', { ...linkTo('tea'), language: 'de' });
    await eventually(() => expect(copies(late)).toEqual([toTee]));
    await succeed('POST', `blogs/${tea.id}/unpublish`);
    await eventually(async () => expect(await contentOf('german')).toBe('<p></p>'));
    await publish(tea);
    await succeed('POST', `blogs/${tee.id}/unpublish`);
    await eventually(async () => expect(await contentOf('german')).toBe(toTea));
    await eventually(() => expect(copies(german, late)).toEqual([toTea, toTea]), { timeoutMs: 60_000 });
  });

  it('go with posts that swap their slugs, and with three that pass them on in a circle', async () => {
    let [a, b, c] = [
      await published('a', { title: 'A' }),
      await published('b', { title: 'B' }),
      await published('c', { title: 'C' }),
    ];
    await published('linker', linkTo('a', 'b', 'c'));
    const reuse = { release_alias: true };
    a = await rename(a, 'free');
    b = await rename(b, 'a', reuse);
    a = await rename(a, 'b', reuse);
    expect(await contentOf('linker')).toBe(`<p>${link('b', 'A')}</p><p>${link('a', 'B')}</p><p>${link('c', 'C')}</p>`);
    a = await rename(a, 'free', reuse);
    c = await rename(c, 'b', reuse);
    b = await rename(b, 'c', reuse);
    a = await rename(a, 'a', reuse);
    expect(await contentOf('linker')).toBe(`<p>${link('a', 'A')}</p><p>${link('c', 'B')}</p><p>${link('b', 'C')}</p>`);
    expect([a.slug, b.slug, c.slug]).toEqual(['a', 'c', 'b']);
    const sources = (await redirects()).map(({ from }) => from);
    expect(sources.filter((slug) => ['a', 'b', 'c'].includes(slug))).toEqual([]);
  });

  it('are dropped while the post is hidden, follow it when it comes back, and lead to who has its last slug when it is deleted', async () => {
    const target = await published('one', { title: 'Target' });
    await published('linker', linkTo('one'));
    const renamed = await rename(target, 'two');
    await succeed('POST', `blogs/${target.id}/unpublish`);
    await eventually(async () => expect(await contentOf('linker')).toBe('<p></p>'));
    expect(await redirects()).toEqual([]);
    expect((await read('blogs/one')).body).toEqual({ detail: expect.not.stringContaining('two') as string });
    const hidden = (await succeed('PATCH', `blogs/${target.id}`, { slug: 'three' })) as unknown as Post;
    await publish(hidden);
    expect(await contentOf('linker')).toBe(`<p>${link('three', 'Target')}</p>`);
    expect((await redirects()).map(({ from }) => from)).toEqual(['one', renamed.slug]);
    await succeed('DELETE', `blogs/${target.id}`);
    await eventually(async () => expect(await contentOf('linker')).toBe('<p></p>'));
    expect(await redirects()).toEqual([]);
    await published('one', { title: 'Not the heir' });
    expect(await contentOf('linker')).toBe('<p></p>');
    await published('three', { title: 'Heir' });
    expect(await contentOf('linker')).toBe(`<p>${link('three', 'Heir')}</p>`);
  });
});
