import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createSender, type Sender } from '../../test/contract/send.ts';
import { startModelServer } from '../../test/model-server.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

const resources = new AsyncDisposableStack();
let service: RunningService;
let owner: Owner;
let key: string;
let client: Client;
let sender: Sender;
beforeAll(async () => {
  service = resources.use(await startRunningService());
  owner = await startOwner(service);
  sender = resources.use(createSender(service.origin));
  key = (await owner.post('/agent-keys', { name: 'MCP' })).body.key;
  client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }));
  resources.defer(() => client.close());
});
afterAll(() => resources.disposeAsync());

const ajv = new Ajv.Ajv2020({ strict: false });
formats.default(ajv);

async function call(name: string, args: Record<string, unknown>) {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return { isError, text: first?.text ?? '', value: structuredContent as Record<string, string> };
}

describe('an unknown argument of a tool', () => {
  it.each([
    ['create_post', { title: 'Typo', tag: ['x'], body: '<p>lost</p>' }, ['`tag`. Did you mean `tags`?', '- body: ']],
    ['create_post', { title: 'x', sllug: 'x' }, ['Unknown field `sllug`. Did you mean `slug`?']],
    ['create_post', { title: 'x', metaTitle: 'x' }, ['Did you mean `meta_title`?']],
    ['read_post', { blog_id: randomUUID(), id: randomUUID() }, ['Unknown field `id`']],
    ['publish_post', { blog_id: randomUUID(), publish_at: '2030-01-01T00:00:00Z' }, ['Unknown field `publish_at`']],
    [
      'generate_post',
      { topic: 'x', sources: [{ text: 'x', titel: 'x' }] },
      ['`sources.0.titel`. Did you mean `title`?'],
    ],
    ['search_posts', { query: 'x' }, ['Unknown field `query`']],
  ] as const)('of %s %j is an error that names it', async (name, args, texts) => {
    const { isError, text } = await call(name, { ...args });
    expect(isError).toBe(true);
    for (const part of texts) expect(text).toContain(part);
    expect((await owner.get('/blogs')).body.items).toEqual([]);
  });

  it('does not match its schema, because every input is closed', async () => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      expect([name, inputSchema['additionalProperties']]).toEqual([name, false]);
    }
  });
});

describe('the results of tools', () => {
  it('name ids like the inputs of tools, and match the schema', async () => {
    const { tools } = await client.listTools();
    const answers = new Map<string, Record<string, string>>();
    const use = async (name: string, args: Record<string, unknown>) => {
      const { isError, text, value } = await call(name, args);
      expect([name, isError, text]).toEqual([name, false, JSON.stringify(value)]);
      answers.set(name, value);
      return value;
    };
    const { blog_id } = await use('create_post', { title: 'Tea', content: '<p>Tea</p>', language: 'en' });
    const { blog_id: translated } = await use('create_translation', { blog_id, language: 'de' });
    await use('confirm_translation', { blog_id: translated, source_id: blog_id });
    await use('list_translations', { blog_id });
    await use('read_post', { blog_id });
    await use('update_post', { blog_id, title: 'Green tea' });
    const { publish_id } = await use('publish_post', { blog_id });
    await use('publish_status', { publish_id });
    await use('sync_post', { blog_id });
    await use('list_revisions', { blog_id });
    await use('read_revision', { blog_id, number: 1 });
    await use('restore_revision', { blog_id, number: 1 });
    await use('suggest_links', { blog_id });
    await use('list_backlinks', { blog_id });
    await use('preview_rename', { blog_id, slug: 'tea' });
    await use('search_posts', {});
    await use('unpublish_post', { blog_id });
    const { generation_id } = await use('generate_post', { topic: 'Oolong' });
    await use('generation_status', { generation_id });
    const model = resources.use(await startModelServer());
    await owner.call('PUT', '/generation-settings', { json: { base_url: model.url, model: 'test-model' } });
    const translating = await use('propose_translation', { blog_id, language: 'fr' });
    const { proposal_id } = await eventually(async () => {
      const { value } = await call('generation_status', { generation_id: translating['generation_id'] });
      expect(value['status']).toBe('succeeded');
      return value;
    });
    await use('accept_translation', { proposal_id });
    const image = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await use('upload_image', { base64: image });
    await use('get_brand_voice', {});
    await use('list_authors', {});
    expect([...answers.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, outputSchema } of tools) {
      const schema: Record<string, unknown> = { ...outputSchema };
      const validate = ajv.compile(schema);
      expect([name, validate(answers.get(name)), validate.errors]).toEqual([name, true, null]);
      expect([name, JSON.stringify(outputSchema)]).toEqual([
        name,
        expect.not.stringContaining('"additionalProperties":false'),
      ]);
    }
    const found = (answers.get('search_posts') as unknown as { items: object[] }).items;
    expect(found).toContainEqual(expect.objectContaining({ blog_id }));
    // No tool takes the id of an image.
    answers.delete('upload_image');
    for (const answer of [...answers.values(), ...found]) expect(answer).not.toHaveProperty('id');
  });

  it('are annotated as read-only, visible to readers, and idempotent', async () => {
    const { tools } = await client.listTools();
    const named = (is: (hints: Record<string, unknown>) => boolean) =>
      tools.filter(({ annotations }) => is({ ...annotations })).map(({ name }) => name);
    expect(named(({ destructiveHint }) => destructiveHint === true)).toEqual([
      'publish_post',
      'sync_post',
      'unpublish_post',
    ]);
    expect(named(({ idempotentHint }) => idempotentHint === false)).toEqual([
      'create_post',
      'publish_post',
      'sync_post',
      'generate_post',
      'create_translation',
      'propose_translation',
    ]);
    for (const { annotations } of tools) {
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const)
        expect(typeof annotations?.[hint]).toBe('boolean');
    }
  });
});

describe('the Accept header', () => {
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const ask = async (accept: string | null, path = '/mcp', body: object = listTools) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(accept !== null && { accept }),
    };
    const sent = { method: 'POST', target: path, headers, body: Buffer.from(JSON.stringify(body)) };
    const answer = await sender.send(sent);
    return { ...answer, body: answer.body.toString() };
  };

  it.each([
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/*', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['*/*', 'text/event-stream'],
    [null, 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
    ['text/html, */*;q=0.1', 'text/event-stream'],
  ])('%s gets %s', async (accept, type) => {
    const answer = await ask(accept);
    expect([answer.status, String(answer.headers['content-type']).split(';')[0]]).toEqual([200, type]);
    const json = type === 'application/json' ? answer.body : /^data: (.*)$/m.exec(answer.body)?.[1];
    const message = JSON.parse(json ?? '') as { id: number; result: { tools: object[] } };
    expect([message.id, message.result.tools.length > 10]).toEqual([1, true]);
  });

  it('JSON alone is what a call, a refused call and an unknown method are answered as', async () => {
    for (const body of [
      { ...listTools, method: 'tools/call', params: { name: 'search_posts', arguments: {} } },
      { ...listTools, method: 'tools/call', params: { name: 'search_posts', arguments: { x: 1 } } },
      { ...listTools, method: 'tools/call', params: { name: 'no_such_tool' } },
      { ...listTools, method: 'no/such' },
    ]) {
      const answer = await ask('application/json', '/mcp', body);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', id: 1 });
    }
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await ask('application/json', '/mcp', note)).status).toBe(202);
  });

  it('neither of both is 406', async () => {
    expect((await ask('text/html')).status).toBe(406);
  });

  it('the URL also works with a trailing slash', async () => {
    expect((await ask('*/*', '/mcp/')).status).toBe(200);
    expect((await ask('*/*', '/mcp/x')).status).toBe(404);
  });
});
