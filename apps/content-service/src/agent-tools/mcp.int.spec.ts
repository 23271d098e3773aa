import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { jpeg } from '../../test/images.ts';
import { startModelServer } from '../../test/model-server.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let key: string;
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  service = resources.use(await startRunningService({ WORK_POLL_MS: '250' }));
});
beforeEach(async () => {
  owner = owner === undefined ? await startOwner(service) : await owner.inNewProject();
  key = (await owner.post('/agent-keys', { name: 'MCP' })).body.key;
});
afterAll(() => resources.disposeAsync());

/** Clients speak the protocol of 2025 or, where they have found that the server does too, that of 2026. */
type Era = 'legacy' | 'auto';

async function connect(token = key, mode: Era = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  resources.defer(() => client.close());
  return client;
}

interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  // The tests read many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly value: any;
}
async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: first?.text ?? '', value: result.structuredContent };
}
const rpc = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('the tools for agents', () => {
  it.each<Era>(['legacy', 'auto'])('do what the agent API does: each tool once, with its trigger (%s)', async (era) => {
    const client = await connect(key, era);
    const target = await owner.newBlog({ title: 'Green tea', slug: 'green-tea', language: 'en' });
    await owner.publish(target);

    const { tools } = await client.listTools();
    const used = new Set<string>();
    const use = async (name: string, args: Record<string, unknown> = {}) => {
      used.add(name);
      const called = await call(client, name, args);
      expect([name, called.isError, called.text]).toEqual([name, false, JSON.stringify(called.value)]);
      return called.value;
    };

    await owner.call('PUT', '/brand-voice', { json: { voice: 'Calm.' } });
    expect(await use('get_brand_voice')).toMatchObject({ voice: 'Calm.', facts: [] });

    await owner.post('/authors', { name: 'Ada' });
    const { items: authors } = await use('list_authors');
    expect(authors).toMatchObject([{ slug: 'ada' }]);

    const made = await use('create_post', {
      title: 'Water',
      content_markdown: 'Hot **water** for green tea',
      authors: ['ada'],
    });
    expect(made.authors).toEqual(['ada']);
    expect(made).toMatchObject({ state: 'draft', slug: 'water', content_markdown: 'Hot **water** for green tea' });
    const suggested = await use('suggest_links', { blog_id: made.blog_id });
    expect(suggested.items).toMatchObject([{ href: '[INTERNAL:green-tea]', anchor: 'green tea' }]);
    const content = '<p>Hot water for <a href="[INTERNAL:green-tea]">green tea</a>, cold</p>';
    expect(await use('update_post', { blog_id: made.blog_id, content, if_version: made.version })).toMatchObject({
      content,
    });
    expect(await use('list_backlinks', { blog_id: target.id })).toMatchObject({
      items: [{ blog_id: made.blog_id }],
      total: 1,
    });
    expect(await use('preview_rename', { blog_id: target.id, slug: 'tea' })).toMatchObject({
      availability: 'free',
      linking_posts: 1,
      keeps_old_url: true,
    });
    expect(await use('update_post', { blog_id: target.id, slug: 'tea' })).toMatchObject({
      slug: 'tea',
      linking_posts: 1,
    });
    expect((await use('read_post', { blog_id: made.blog_id })).content).toContain('[INTERNAL:tea]');
    await use('update_post', { blog_id: target.id, slug: 'green-tea' });
    expect((await use('search_posts', { q: 'wat', limit: 1 })).items).toMatchObject([{ blog_id: made.blog_id }]);
    const publish = await use('publish_post', { blog_id: made.blog_id });
    expect(publish).toMatchObject({ trigger: 'autopilot', status: 'pending' });
    expect(await use('publish_status', { publish_id: publish.publish_id })).toMatchObject({
      publish_id: publish.publish_id,
    });
    await use('update_post', { blog_id: made.blog_id, title: 'Cold water' });
    expect(await use('sync_post', { blog_id: made.blog_id })).toMatchObject({ trigger: 'autopilot', revision: 2 });
    expect((await use('list_revisions', { blog_id: made.blog_id })).items).toMatchObject([
      { number: 2 },
      { number: 1 },
    ]);
    expect(await use('read_revision', { blog_id: made.blog_id, number: 1 })).toMatchObject({ title: 'Water', content });
    expect(await use('restore_revision', { blog_id: made.blog_id, number: 1 })).toMatchObject({ title: 'Water' });
    expect(await use('unpublish_post', { blog_id: made.blog_id })).toMatchObject({ state: 'unpublished' });
    expect(await use('read_post', { blog_id: made.blog_id })).toMatchObject({ blog_id: made.blog_id, title: 'Water' });

    const german = await use('create_translation', { blog_id: target.id, language: 'de' });
    expect(german).toMatchObject({ title: 'Green tea', language: 'de', state: 'draft' });
    const confirmed = await use('confirm_translation', { blog_id: german.blog_id, source_id: target.id });
    expect(confirmed.items).toMatchObject([
      { blog_id: german.blog_id, translated_from: { blog_id: target.id, revisions_behind: 0 } },
      { blog_id: target.id, translated_from: null },
    ]);
    expect(await use('list_translations', { blog_id: target.id })).toEqual(confirmed);

    const generation = await use('generate_post', { topic: 'Oolong', idempotency_key: randomUUID() });
    await eventually(async () => {
      const job = await use('generation_status', { generation_id: generation.generation_id });
      expect(job).toMatchObject({ status: 'succeeded' });
      expect(await use('read_post', { blog_id: job.blog_id })).toMatchObject({ title: 'Oolong', state: 'draft' });
    });

    const model = resources.use(await startModelServer());
    await owner.call('PUT', '/generation-settings', { json: { base_url: model.url, model: 'test-model' } });
    const translating = await use('propose_translation', { blog_id: target.id, language: 'fr' });
    const { proposal_id } = await eventually(async () => {
      const job = await use('generation_status', { generation_id: translating.generation_id });
      expect(job).toMatchObject({ status: 'succeeded' });
      return job;
    });
    const { new_blog_id: french } = await use('accept_translation', { proposal_id });
    expect(await use('read_post', { blog_id: french })).toMatchObject({ title: 'Green tea (fr)', state: 'draft' });
    expect((await use('list_translations', { blog_id: french })).items).toHaveLength(3);

    const base64 = (await jpeg()).toString('base64');
    const image = await use('upload_image', { base64: `data:image/jpeg;base64,${base64}`, alt: 'Tea' });
    expect(image).toMatchObject({ alt: 'Tea', type: 'image/jpeg', source: 'upload', width: 64 });

    expect([...used].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    const events = await owner.eventsOf({ id: made.blog_id });
    expect(events.map(({ event, trigger }) => `${event} ${trigger}`)).toEqual([
      'blog.published autopilot',
      'blog.published autopilot',
      'blog.unpublished autopilot',
    ]);
  });

  it('date posts: a past date is what readers see, a future one makes a publish a schedule', async () => {
    const client = await connect();
    const blog = await owner.newBlog({ title: 'Dated' });
    const past = '2025-08-08T10:00:00.000Z';
    const updated = await call(client, 'update_post', { blog_id: blog.id, published_at: past });
    expect(updated.value).toMatchObject({ published_at: past, state: 'draft' });
    const publish_at = new Date(Date.now() + 86_400_000).toISOString();
    const scheduled = await call(client, 'publish_post', { blog_id: blog.id, published_at: publish_at });
    expect(scheduled.value).toMatchObject({ status: 'scheduled', publish_at, trigger: 'autopilot' });
    expect(await owner.eventsOf(blog)).toEqual([]);
    await call(client, 'publish_post', { blog_id: blog.id, published_at: past });
    expect(await owner.eventsOf(blog)).toMatchObject([{ trigger: 'autopilot', publication_began_at: past }]);
  });

  it('describe their inputs, and whether they change something', async () => {
    const { tools } = await (await connect()).listTools();
    const create = tools.find(({ name }) => name === 'create_post');
    expect(create?.inputSchema).toMatchObject({ type: 'object', required: ['title'] });
    expect(Object.keys(create?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(['title', 'content', 'content_markdown', 'keyword', 'idempotency_key']),
    );
    for (const { name, description, annotations } of tools) {
      expect([name, typeof description]).toEqual([name, 'string']);
      expect([name, annotations?.readOnlyHint]).toEqual([
        name,
        /^(search|read|get|list|suggest|preview)|_status$/.test(name),
      ]);
    }
  });

  it('happen once for each idempotency key', async () => {
    const client = await connect();
    const args = { title: 'Once', idempotency_key: randomUUID() };
    const first = await call(client, 'create_post', args);
    expect((await call(client, 'create_post', args)).value.blog_id).toBe(first.value.blog_id);
    expect((await call(client, 'create_post', { ...args, title: 'Other' })).text).toContain(
      'was used for a different request',
    );
    const publish = { blog_id: first.value.blog_id, idempotency_key: randomUUID() };
    const published = await call(client, 'publish_post', publish);
    expect((await call(client, 'publish_post', publish)).value.publish_id).toBe(published.value.publish_id);
  });

  it('report the deletion when a key is reused for a deleted post, and create none', async () => {
    const client = await connect();
    const args = { title: 'Gone', idempotency_key: randomUUID() };
    const { blog_id: id } = (await call(client, 'create_post', args)).value;
    const publish = { blog_id: id, idempotency_key: randomUUID() };
    await call(client, 'publish_post', publish);
    await owner.remove(`/blogs/${id}`);
    for (const again of [await call(client, 'create_post', args), await call(client, 'publish_post', publish)]) {
      expect([again.isError, again.text]).toEqual([true, expect.stringContaining('has been deleted')]);
    }
    expect((await owner.get('/blogs')).body.items).toEqual([]);
  });

  it('are called 20 at a time', async () => {
    const client = await connect();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_x, n) => call(client, 'create_post', { title: `Parallel ${n}` })),
    );
    expect(made.filter(({ isError }) => isError)).toEqual([]);
    expect((await call(client, 'search_posts')).value.items).toHaveLength(20);
  });

  it('offer posts as resources, as Markdown and as HTML, and a prompt to write one', async () => {
    const client = await connect();
    const blog = await owner.newBlog({ title: 'Tea', content_markdown: 'Hot *tea*' });
    const { resources: listed } = await client.listResources();
    expect(listed).toMatchObject([{ uri: `post://${blog.id}`, title: 'Tea', mimeType: 'text/markdown' }]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read(`post://${blog.id}`)).toMatchObject([{ text: '# Tea\n\nHot *tea*', mimeType: 'text/markdown' }]);
    expect(await read(`post://${blog.id}/html`)).toMatchObject([{ text: '<p>Hot <em>tea</em></p>\n' }]);
    const prompt = await client.getPrompt({ name: 'write_post', arguments: { topic: 'Oolong', tone: 'dry' } });
    expect(JSON.stringify(prompt.messages)).toContain('Oolong');
  });
});

describe('a refused call suggests a fix', () => {
  it.each([
    ['a field that is missing', 'create_post', {}, /^`title` is required\./],
    ['a field that does not fit', 'create_post', { title: 'x', slug: 'No Slug' }, /`slug` must be lowercase letters/],
    ['both contents', 'create_post', { title: 'x', content: 'x', content_markdown: 'x' }, /^`content_markdown` /],
    ['no arguments', 'read_post', {}, /^`blog_id` /],
    ['no id', 'read_post', { blog_id: 'x' }, /^`blog_id` /],
    ['a blog that is not there', 'publish_post', { blog_id: randomUUID() }, /^Post not found\.$/],
    ['a page that is none', 'search_posts', { cursor: '!' }, /`cursor` must be `next_cursor`/],
    ['a text that is too long', 'suggest_links', { text: 'x'.repeat(500_001) }, /^`text` /],
    ['an image that is none', 'upload_image', { base64: 'bm8gaW1hZ2U=' }, /image/],
    ['neither image nor address', 'upload_image', {}, /^`url` or base64 is required/],
    ['an address within the own network', 'upload_image', { url: 'https://127.0.0.1/x.png' }, /^`url` /],
    ['a topic that is too long', 'generate_post', { topic: 'x'.repeat(301) }, /^`topic` /],
    ['an unknown generation', 'generation_status', { generation_id: randomUUID() }, /^Generation not found\.$/],
    ['no text', 'suggest_links', {}, /^`text` is required unless blog_id is given/],
    [
      'a link placeholder in a URL',
      'create_post',
      { title: 'x', featured_image_url: 'https://x.example/[INTERNAL:x]' },
      /placeholder/,
    ],
  ])('%s', async (_what, name, args, text) => {
    const called = await call(await connect(), name, args);
    expect([called.isError, called.text]).toEqual([true, expect.stringMatching(text)]);
  });

  it('a concurrent change of another person is not overwritten', async () => {
    const client = await connect();
    const blog = await owner.newBlog();
    await owner.patch(`/blogs/${blog.id}`, { title: 'Theirs' });
    const called = await call(client, 'update_post', { blog_id: blog.id, title: 'Mine', if_version: blog.version });
    expect([called.isError, called.text]).toEqual([true, expect.stringContaining('changed since you read it')]);
    expect((await owner.show(blog)).title).toBe('Theirs');
  });

  it('no tool reaches another project', async () => {
    const client = await connect();
    const other = await owner.inNewProject();
    const blog = await other.newBlog({ title: 'Theirs' });
    const { body: publish } = await other.publish(blog);
    for (const [name, args] of [
      ['read_post', {}],
      ['update_post', { title: 'Mine' }],
      ['publish_post', {}],
      ['sync_post', {}],
      ['unpublish_post', {}],
      ['list_revisions', {}],
      ['read_revision', { number: 1 }],
      ['restore_revision', { number: 1 }],
      ['suggest_links', {}],
    ] as const) {
      const called = await call(client, name, { blog_id: blog.id, ...args });
      expect([name, called.isError, called.text]).toEqual([name, true, 'Post not found.']);
    }
    expect((await call(client, 'publish_status', { publish_id: publish.id })).text).toBe('Publish not found.');
    expect((await call(client, 'search_posts')).value.items).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: `post://${blog.id}` })).rejects.toThrow();
    expect(await other.show(blog)).toMatchObject({ title: 'Theirs', state: 'published' });
  });

  it('a tool that does not exist', async () => {
    await expect(call(await connect(), 'delete_everything')).rejects.toThrow(/delete_everything/);
  });
});

describe('the URL of the tools', () => {
  it.each([
    ['no key', undefined],
    ['an unknown key', `Bearer sk_agent_${'x'.repeat(40)}`],
    ['a public key', `Bearer pk_live_${'x'.repeat(32)}`],
  ])('%s is 401 with a suggestion', async (_what, authorization) => {
    const answer = await rpc(listTools, authorization === undefined ? { authorization: '' } : { authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    expect(((await answer.json()) as { detail: string }).detail).toContain('sk_agent_');
  });

  it('an owner session and a revoked key are 401', async () => {
    expect((await rpc(listTools, { authorization: `Bearer ${owner.token}` })).status).toBe(401);
    const { body } = await owner.post('/agent-keys', { name: 'Gone' });
    await owner.remove(`/agent-keys/${body.id}`);
    await expect(connect(body.key)).rejects.toThrow();
  });

  it.each([
    ['too large', JSON.stringify({ ...listTools, pad: 'x'.repeat(4 * 1024 * 1024) }), {}, 413],
    ['no JSON', '{', {}, 400],
    ['another type', 'x', { 'content-type': 'text/plain' }, 415],
    ['compressed', 'x', { 'content-encoding': 'gzip' }, 415],
    ['many messages', JSON.stringify([listTools, { ...listTools, id: 2 }]), {}, 400],
    ['no message', '{}', {}, 400],
    ['deep', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, {}, 400],
  ])('a body that is %s is refused', async (_what, body, headers, status) => {
    expect((await rpc(body, headers)).status).toBe(status);
  });

  it('has no streams and no sessions: other methods are 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${service.origin}/mcp`, { method, headers: { authorization: `Bearer ${key}` } });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    expect(
      (await fetch(`${service.origin}/mcp/x`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(404);
  });

  it('offers no subscriptions, because it sends no notifications', async () => {
    const client = await connect(key, 'auto');
    await expect(client.listen({ toolsListChanged: true, resourcesListChanged: true })).rejects.toThrow(/limit/i);
    // Nothing that waited blocks others.
    expect((await Promise.all(Array.from({ length: 10 }, () => client.listTools()))).length).toBe(10);
  });

  it('counts an agent’s writes together with its other requests', async () => {
    await using limited = await startRunningService({ WRITES_PER_MINUTE: '8' });
    const theirs = await startOwner(limited);
    const { body } = await theirs.post('/agent-keys', { name: 'MCP' });
    const statuses = [];
    for (let n = 0; n < 10; n += 1) {
      const asMcp = n % 2 === 0;
      const answer = await fetch(`${limited.origin}${asMcp ? '/mcp' : '/blog/api/v1/agent/blogs'}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${body.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(asMcp ? listTools : { title: 'x' }),
      });
      statuses.push(answer.status);
      await answer.text();
    }
    expect(statuses.slice(8)).toEqual([429, 429]);
    expect(statuses.slice(0, 8)).toEqual([200, 201, 200, 201, 200, 201, 200, 201]);
  });
});
