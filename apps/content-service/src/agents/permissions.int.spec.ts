import { randomUUID } from 'node:crypto';
import { httpSurface, permissionOf } from '@blog-content/payload-schemas/http-surface';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { createAnswerCheck } from '../../test/contract/check-answer.ts';
import { readContract } from '../../test/contract/contract.ts';
import { plannedRequests } from '../../test/contract/planned-request.ts';
import { createSender } from '../../test/contract/send.ts';
import { createTrial } from '../../test/contract/try-operation.ts';
import { createWorld, type PreparedProject, type World } from '../../test/contract/world.ts';
import { jpeg } from '../../test/images.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

const DAY_MS = 86_400_000;
const MAY_DRAFT = 'This key can only write drafts. ';
const PUBLISH = `${MAY_DRAFT}Publishing requires the \`publish\` permission.`;
const FULL = `${MAY_DRAFT}Unpublishing and deleting require the \`full\` permission.`;
const SCHEDULED = `${MAY_DRAFT}The post is scheduled. Changing it requires the \`publish\` permission.`;

const contract = readContract();
const resources = new AsyncDisposableStack();
let service: RunningService;
let world: World;
let trial: ReturnType<typeof createTrial>;
let project: PreparedProject;
let scheduledId: string;
let imageId: string;

const ofProject = (path: string) => `projects/${project.projectId}${path}`;
const makeKey = async (permission: string) =>
  (await world.made('POST', ofProject('/agent-keys'), { json: { name: permission, permission } })).body;
const as = (token: string) => (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) =>
  service.callAgent(method, path, { token, ...(json && { json }) });

beforeAll(async () => {
  service = resources.use(await startRunningService({ WORK_POLL_MS: '100' }));
  const sender = resources.use(createSender(service.origin));
  world = await createWorld(service);
  trial = createTrial({ contract, check: createAnswerCheck(contract), sender, world });
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
  project = await world.newProject();
  const body = await jpeg(7);
  const image = await world.made('POST', ofProject('/images?alt=Ours'), {
    body,
    headers: { 'content-type': 'image/jpeg' },
  });
  imageId = image.body.id;
  const json = { title: 'Scheduled', content: `<p>Ours</p><img src="${image.body.url}">` };
  scheduledId = (await world.made('POST', ofProject('/blogs'), { json })).body.id;
  // With a revision that could be restored.
  await world.made('POST', ofProject(`/blogs/${scheduledId}/publish`));
  await world.made('POST', ofProject(`/blogs/${scheduledId}/unpublish`));
  await world.made('PATCH', ofProject(`/blogs/${scheduledId}`), { json: { title: 'Scheduled again' } });
  const publish_at = new Date(Date.now() + DAY_MS).toISOString();
  await world.made('PUT', ofProject(`/blogs/${scheduledId}/schedule`), { json: { publish_at } });
});

/** All that readers, receivers and schedules have, or will have without anybody who looks at it again. */
async function outside() {
  const autopilot = await service.query(
    `select data from outbox where topic = 'blog.lifecycle' and data->>'project_id' = $1 and data->>'trigger' = 'autopilot'`,
    [project.projectId],
  );
  const scheduled = await service.query(
    `select id, version, title, slug, content, publish_at from blog where project_id = $1 and publish_at is not null`,
    [project.projectId],
  );
  const published = await service.query(
    `select id, revision, state from blog where id = $1 or state = 'published' and id = $1`,
    [project.blogId],
  );
  const alt = await service.query(`select alt from image where id = $1`, [imageId]);
  return { autopilot, scheduled, published, alt };
}

describe('a key that may only draft', () => {
  const operations = contract.operations.filter(({ credential }) => credential === 'agentKey');
  const needsOf = (id: string) => permissionOf(httpSurface.filter((one) => one.id === id)[0]!);

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'reaches no readers, receivers or schedules by %s',
    async (id, operation) => {
      const { key } = await makeKey('draft');
      const before = await outside();
      const plans = fc.sample(plannedRequests(operation, contract), { seed: 7, numRuns: 8 });
      for (const plan of plans) {
        for (const blogId of [project.blogId, scheduledId]) {
          const { answer, wrong } = await trial(operation, { ...project, blogId, agentKey: key }, plan);
          const asOwner = wrong.filter((line) => !line.startsWith('it is refused though'));
          expect([asOwner, answer.body.toString()]).toEqual([[], expect.anything()]);
          if (needsOf(id) === 'draft') continue;
          // Some paths of wild requests are of no operation.
          expect([403, 404, 405]).toContain(answer.status);
          if (plan.isTame) expect(answer.status).toBe(403);
        }
      }
      expect(await outside()).toEqual(before);
    },
  );

  it('sees its permission, and the missing one in refusals', async () => {
    const agent = as((await makeKey('draft')).key);
    const { blogId } = project;
    for (const [method, path, detail] of [
      ['POST', `blogs/${blogId}/publish`, PUBLISH],
      ['POST', `BLOGS/${blogId}/Publish/`, PUBLISH],
      ['POST', `blogs/${blogId}/sync`, PUBLISH],
      ['POST', 'blogs/publish', PUBLISH],
      ['POST', `blogs/${blogId}/unpublish`, FULL],
      ['POST', 'blogs/unpublish', FULL],
      ['DELETE', `blogs/${blogId}`, FULL],
      ['DELETE', `images/${imageId}?force=true`, FULL],
      ['PATCH', `images/${imageId}`, SCHEDULED],
      ['PATCH', `blogs/${scheduledId}`, SCHEDULED],
      ['POST', `blogs/${scheduledId}/host-images`, SCHEDULED],
      ['POST', `blogs/${scheduledId}/revisions/1/restore`, SCHEDULED],
    ] as const) {
      const answer = await agent(method, path, path.startsWith('images') && method === 'PATCH' ? { alt: 'x' } : {});
      expect([path, answer.status, answer.body.detail]).toEqual([path, 403, detail]);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    }
  });

  it('reads, creates, edits, proposes, generates and adds images', async () => {
    const agent = as((await makeKey('draft')).key);
    const { status, body } = await agent('POST', 'blogs', { title: 'Mine' });
    expect(status).toBe(201);
    for (const [method, path, json, expected] of [
      ['GET', 'blogs', undefined, 200],
      ['GET', `blogs/${body.id}`, undefined, 200],
      ['PATCH', `blogs/${body.id}`, { content: '<p>Mine</p>' }, 200],
      ['PATCH', `blogs/${project.blogId}`, { title: 'For somebody to publish' }, 200],
      ['POST', `blogs/${project.blogId}/revisions/1/restore`, {}, 200],
      ['POST', `blogs/${body.id}/proposals`, { kind: 'links' }, 202],
      ['POST', 'blogs/generate', { topic: 'Tea' }, 202],
      ['POST', 'blogs/link-suggestions', { text: 'Tea' }, 200],
    ] as const) {
      const answer = await agent(method, path, json);
      expect([path, answer.status]).toEqual([path, expected]);
    }
    const { body: other } = await world.made('POST', ofProject('/images'), {
      body: await jpeg(9),
      headers: { 'content-type': 'image/jpeg' },
    });
    expect((await agent('PATCH', `images/${other.id}`, { alt: 'Mine' })).status).toBe(200);
  });

  it('accepts no proposal for a scheduled post', async () => {
    const target = await world.made('POST', ofProject('/blogs'), { json: { title: 'Ours' } });
    await world.made('POST', ofProject(`/blogs/${target.body.id}/publish`));
    const { body } = await world.made('POST', ofProject(`/blogs/${scheduledId}/proposals`), {
      json: { kind: 'links' },
    });
    let proposalId: string | null = null;
    while (proposalId === null)
      ({ proposal_id: proposalId } = (await world.made('GET', ofProject(`/generations/${body.id}`))).body);
    const before = await outside();
    const accept = async (permission: string) =>
      as((await makeKey(permission)).key)('POST', `proposals/${String(proposalId)}/accept`);
    const refused = await accept('draft');
    expect([refused.status, refused.body.detail]).toEqual([403, SCHEDULED]);
    expect(await outside()).toEqual(before);
    expect((await accept('publish')).status).toBe(200);
  });
});

describe('a key that may publish', () => {
  it('publishes and edits scheduled posts, and unpublishes nothing', async () => {
    const agent = as((await makeKey('publish')).key);
    const { blogId } = project;
    expect((await agent('POST', `blogs/${blogId}/publish`)).status).toBe(202);
    expect((await agent('POST', `blogs/${blogId}/sync`)).status).toBe(202);
    expect((await agent('POST', 'blogs/publish', { blog_ids: [blogId] })).status).toBe(200);
    expect((await agent('PATCH', `blogs/${scheduledId}`, { title: 'Edited' })).status).toBe(200);
    for (const [method, path] of [
      ['POST', `blogs/${blogId}/unpublish`],
      ['DELETE', `blogs/${blogId}`],
    ] as const) {
      const { status, body } = await agent(method, path);
      expect([status, body.detail]).toEqual([
        403,
        'This key can write drafts and publish. Unpublishing and deleting require the `full` permission.',
      ]);
    }
  });
});

describe('the permission of a key', () => {
  it('is full by default, is shown in lists, and a change takes effect immediately', async () => {
    const json = { name: 'Old client' };
    const { body } = await world.made('POST', ofProject('/agent-keys'), { json });
    expect(body.permission).toBe('full');
    const agent = as(body.key);
    expect((await agent('POST', `blogs/${project.blogId}/publish`)).status).toBe(202);
    const path = ofProject(`/agent-keys/${body.id}`);
    expect((await world.made('PATCH', path, { json: { permission: 'draft' } })).body.permission).toBe('draft');
    expect((await agent('POST', `blogs/${project.blogId}/publish`)).status).toBe(403);
    const { items } = (await world.made('GET', ofProject('/agent-keys'))).body;
    expect(items).toContainEqual(expect.objectContaining({ id: body.id, permission: 'draft' }));
    expect((await world.made('PATCH', path, { json: { name: 'Renamed' } })).body.permission).toBe('draft');
  });

  it('is full for keys from before permissions existed', async () => {
    const id = randomUUID();
    await service.query(
      `insert into agent_key (id, project_id, name, key_hash, hint, created_by, created_at)
       select $1::uuid, project_id, 'Old', $1::text, 'hint', created_by, now() from agent_key
       where project_id = $2::uuid limit 1`,
      [id, project.projectId],
    );
    const { items } = (await world.made('GET', ofProject('/agent-keys'))).body;
    expect(items).toContainEqual(expect.objectContaining({ id, permission: 'full' }));
  });

  it.each([
    [{ can_publish: false }, 'can_publish'],
    [{ scopes: ['draft'] }, 'scopes'],
    [{ permissions: 'draft' }, 'permissions'],
    [{ permission: 'admin' }, 'permission'],
    [{ permission: null }, 'permission'],
  ])('is required, so that %j is 422', async (fields, field) => {
    const made = await world.tried('POST', ofProject('/agent-keys'), { json: { name: 'drafts', ...fields } });
    expect([made.status, made.body.errors[0].field]).toEqual([422, field]);
  });
});

describe('the tools of a key', () => {
  async function connect(permission: string) {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const { key } = await makeKey(permission);
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }));
    resources.defer(() => client.close());
    return client;
  }
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  const refusalOf = async (client: Client, name: string, args: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    return isError === true ? (content as { text: string }[])[0]?.text : null;
  };

  it('are those that it may use; the others name the missing permission', async () => {
    const [draft, publish, full] = [await connect('draft'), await connect('publish'), await connect('full')];
    const all = await namesOf(full);
    expect(all).toEqual(expect.arrayContaining(['read_post', 'create_post', 'unpublish_post']));
    expect(await namesOf(publish)).toEqual(all.filter((name) => name !== 'unpublish_post'));
    expect(await namesOf(draft)).toEqual(
      all.filter((name) => !['publish_post', 'sync_post', 'unpublish_post'].includes(name)),
    );
    const args = { blog_id: project.blogId };
    expect(await refusalOf(draft, 'publish_post', args)).toBe(PUBLISH);
    expect(await refusalOf(draft, 'sync_post', args)).toBe(PUBLISH);
    expect(await refusalOf(draft, 'unpublish_post', args)).toBe(FULL);
    expect(await refusalOf(publish, 'unpublish_post', args)).toContain('`full`');
    expect(await refusalOf(publish, 'publish_post', args)).toBeNull();
  });

  it('reach no readers, receivers or schedules while it may only draft', async () => {
    const [draft, all] = [await connect('draft'), await namesOf(await connect('full'))];
    const before = await outside();
    for (const name of all) {
      for (const blog_id of [project.blogId, scheduledId]) {
        const fields = [
          { blog_id, title: 'Theirs', content: '<p>Theirs</p>' },
          { blog_id, number: 1 },
          { blog_id },
          { title: 'Theirs', topic: 'Theirs' },
          {},
        ];
        for (const args of fields) await refusalOf(draft, name, args);
      }
    }
    expect(await refusalOf(draft, 'update_post', { blog_id: scheduledId, title: 'x' })).toBe(SCHEDULED);
    expect(await refusalOf(draft, 'restore_revision', { blog_id: scheduledId, number: 1 })).toBe(SCHEDULED);
    expect(await outside()).toEqual(before);
  });
});
