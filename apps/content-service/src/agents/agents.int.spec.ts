import { eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type Answer, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const newKey = async (fields: object = {}, of = owner): Promise<Answer['body']> =>
  (await of.post('/agent-keys', { name: 'Writer', ...fields })).body;
const asAgent = (key: string) => ({
  get: (path: string) => service.callAgent('GET', path, { token: key }),
  post: (path: string, json: unknown = {}) => service.callAgent('POST', path, { token: key, json }),
  patch: (path: string, json: unknown) => service.callAgent('PATCH', path, { token: key, json }),
  remove: (path: string) => service.callAgent('DELETE', path, { token: key }),
});

describe('agent keys (contract §5.1.7, §5.3)', () => {
  it('are sk_agent_ and 40 characters, shown once, stored as a digest', async () => {
    const made = await owner.post('/agent-keys', { name: ' Writer ' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'Writer', expires_at: null, last_used_at: null });
    expect(made.body.key).toMatch(/^sk_agent_[0-9A-Za-z]{40}$/);
    expect(made.body.hint).toBe(made.body.key.slice(-4));
    const { items } = (await owner.get('/agent-keys?limit=100')).body;
    expect(items.find(({ id }: { id: string }) => id === made.body.id)).not.toHaveProperty('key');
    const rows = await service.query('select * from agent_key');
    expect(JSON.stringify(rows)).not.toContain(made.body.key);
  });

  it('can be several per project, renamed, and given an expiry', async () => {
    const other = await owner.inNewProject();
    const [first] = [await newKey({ name: 'A' }, other), await newKey({ name: 'B' }, other)];
    const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
    const path = `/agent-keys/${first.id}`;
    expect((await other.patch(path, { name: 'C', expires_at })).body).toMatchObject({ name: 'C', expires_at });
    expect((await other.get('/agent-keys')).body.items.map(({ name }: { name: string }) => name)).toEqual(['C', 'B']);
    expect((await other.patch(path, { expires_at: new Date(Date.now() - 1).toISOString() })).status).toBe(422);
  });

  it('show their last use', async () => {
    const { id, key } = await newKey();
    await asAgent(key).get('project');
    const { items } = (await owner.get('/agent-keys?limit=100')).body;
    const { last_used_at } = items.find((item: { id: string }) => item.id === id);
    expect(Date.now() - Date.parse(last_used_at)).toBeLessThan(2 * 60_000);
  });

  it('stop working immediately when they are revoked', async () => {
    const { id, key } = await newKey();
    expect((await asAgent(key).get('project')).status).toBe(200);
    expect((await owner.remove(`/agent-keys/${id}`)).status).toBe(204);
    expect((await asAgent(key).get('project')).status).toBe(401);
    expect((await owner.remove(`/agent-keys/${id}`)).status).toBe(404);
  });

  it('stop working when they expire', async () => {
    const { key } = await newKey({ expires_at: new Date(Date.now() + 400).toISOString() });
    expect((await asAgent(key).get('project')).status).toBe(200);
    await eventually(async () => expect((await asAgent(key).get('project')).status).toBe(401));
  });

  it('are at most 50 per project, also with concurrent requests', async () => {
    const other = await owner.inNewProject();
    const made = await Promise.all(
      Array.from({ length: 52 }, () => other.post('/agent-keys', { name: 'One of many' })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  it.each([
    ['nothing', undefined],
    ['an unknown key', `sk_agent_${'x'.repeat(40)}`],
    ['a public key', `pk_live_${'x'.repeat(32)}`],
    ['a key cut short', 'sk_agent_x'],
  ])('%s is 401 with WWW-Authenticate', async (_case, token) => {
    const answer = await service.callAgent('GET', 'blogs', token === undefined ? {} : { token });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('Bearer');
  });

  it('are no owner session, and an owner session is no agent key', async () => {
    const { key } = await newKey();
    expect((await service.call('GET', 'projects', { token: key })).status).toBe(401);
    expect((await service.callAgent('GET', 'blogs', { token: owner.token })).status).toBe(401);
  });
});

describe('an agent', () => {
  let agent: ReturnType<typeof asAgent>;
  beforeAll(async () => {
    agent = asAgent((await newKey()).key);
  });

  it('sees its one project', async () => {
    expect((await agent.get('project')).body).toMatchObject({ id: owner.project, site_url: 'https://site.example' });
  });

  it('writes, edits, publishes, syncs, unpublishes and deletes posts; all of it is autopilot', async () => {
    const created = await agent.post('blogs', { title: 'By an agent', content: '<p>Hi</p>' });
    expect(created.status).toBe(201);
    const { id } = created.body;
    await agent.patch(`blogs/${id}`, { title: 'Edited by an agent' });
    const published = await agent.post(`blogs/${id}/publish`);
    expect([published.status, published.body.trigger]).toEqual([202, 'autopilot']);
    expect(published.headers['location']).toBe(`/blog/api/v1/agent/publishes/${published.body.id}`);
    expect((await agent.get(`publishes/${published.body.id}`)).status).toBe(200);
    expect((await agent.post(`blogs/${id}/sync`)).body.trigger).toBe('autopilot');
    expect((await agent.post(`blogs/${id}/unpublish`)).status).toBe(200);
    await agent.post(`blogs/${id}/publish`);
    expect((await agent.remove(`blogs/${id}`)).status).toBe(204);
    const events = await owner.eventsOf({ id });
    expect(events.map(({ event, trigger }) => `${event} ${trigger}`)).toEqual([
      'blog.published autopilot',
      'blog.published autopilot',
      'blog.unpublished autopilot',
      'blog.published autopilot',
      'blog.deleted autopilot',
    ]);
  });

  it('cannot publish as manual, because the trigger comes from the credential, never from the body', async () => {
    expect((await agent.post('blogs', { title: 'T', trigger: 'manual' })).status).toBe(422);
    const { id } = (await agent.post('blogs', { title: 'T' })).body;
    const refused = await agent.post(`blogs/${id}/publish`, { trigger: 'manual' });
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'trigger']);
    expect((await agent.post(`blogs/${id}/publish`)).body.trigger).toBe('autopilot');
    expect((await owner.post(`/blogs/${id}/publish`)).body.trigger).toBe('manual');
  });

  it('publishes in bulk', async () => {
    const { id } = (await agent.post('blogs', { title: 'Bulk' })).body;
    const { body } = await agent.post('blogs/publish', { blog_ids: [id] });
    expect(body.results).toMatchObject([{ ok: true, publish: { trigger: 'autopilot' } }]);
  });

  it('has no schedules, members, keys, imports or projects', async () => {
    const { id } = (await agent.post('blogs', { title: 'T' })).body;
    for (const [method, path] of [
      ['PUT', `blogs/${id}/schedule`],
      ['GET', 'agent-keys'],
      ['POST', 'agent-keys'],
      ['GET', 'members'],
      ['POST', 'imports'],
      ['DELETE', 'project'],
      ['PATCH', 'project'],
    ] as const) {
      const token = (await newKey()).key;
      expect([404, 405]).toContain((await service.callAgent(method, path, { token })).status);
    }
  });

  it('reads and changes nothing of another project', async () => {
    const other = await owner.inNewProject();
    const blog = await other.newBlog();
    const { body: publish } = await other.publish(blog);
    for (const answer of [
      await agent.get(`blogs/${blog.id}`),
      await agent.patch(`blogs/${blog.id}`, { title: 'Mine' }),
      await agent.remove(`blogs/${blog.id}`),
      await agent.post(`blogs/${blog.id}/publish`),
      await agent.post(`blogs/${blog.id}/unpublish`),
      await agent.get(`blogs/${blog.id}/revisions/1`),
      await agent.get(`publishes/${publish.id}`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await agent.get('blogs?limit=100')).body.items.map(({ id }: { id: string }) => id)).not.toContain(blog.id);
    expect((await agent.post('blogs/publish', { blog_ids: [blog.id] })).body.results[0].ok).toBe(false);
    expect((await other.show(blog)).title).not.toBe('Mine');
  });
});
