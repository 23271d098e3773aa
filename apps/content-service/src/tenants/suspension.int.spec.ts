import { eventually } from '@blog-content/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eachInNewProject, type Owner } from '../../test/owner.ts';
import { newPerson, projectEvents } from '../../test/people.ts';
import { finishedImport, holdSlug, importAll, sendImport } from '../../test/transfer/imports.ts';
import type { RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground), { WORK_POLL_MS: '50' });

const suspension = (of = owner) => `tenants/${of.project}/suspension`;
const suspend = async (json: object = { scope: 'writes' }, of = owner) =>
  service.call('PUT', suspension(of), { token: owner.token, json });
const resume = (of = owner) => service.call('DELETE', suspension(of), { token: owner.token });
const inThePast = new Date(Date.now() - 60_000);
const makeDue = (blogId: string) => service.query('update blog set publish_at = $2 where id = $1', [blogId, inThePast]);
const SUSPENDED = { status: 403, body: { title: 'Project suspended', status: 403 } };

describe('a suspended project', () => {
  it('tells its members why, and is told to the other services with its scope', async () => {
    const answer = await suspend({ scope: 'all', reason: ' Unpaid invoice ' });
    expect(answer).toMatchObject({ status: 200, body: { scope: 'all', reason: 'Unpaid invoice' } });
    expect((await owner.get('/')).body.suspension).toEqual(answer.body);
    const again = await suspend({ scope: 'writes' });
    expect(again.body).toEqual({ scope: 'writes', reason: null, suspended_at: answer.body.suspended_at });
    expect((await suspend({ scope: 'writes' })).status).toBe(200);
    expect((await resume()).status).toBe(204);
    expect((await resume()).status).toBe(204);
    expect((await owner.get('/')).body.suspension).toBeNull();
    expect(await projectEvents(service, owner.project)).toMatchObject(
      [null, 'all', 'writes', null].map((suspended, index) => ({ suspended, project_event_number: index + 1 })),
    );
  });

  it('is read and exported, and refuses every write, until it is resumed', async () => {
    const blog = await owner.newBlog();
    await suspend();
    expect((await owner.get('/blogs')).body.items).toHaveLength(1);
    const writes = [
      owner.post('/blogs', { title: 'New' }),
      owner.patch(`/blogs/${blog.id}`, { title: 'Other' }),
      owner.publish(blog),
      owner.post('/blogs/publish', { blog_ids: [blog.id] }),
      owner.remove(`/blogs/${blog.id}`),
      owner.patch('/', { name: 'Other' }),
      owner.remove('/'),
    ];
    for (const refused of await Promise.all(writes)) expect(refused).toMatchObject(SUSPENDED);
    const exported = await fetch(`${service.origin}/blog/api/v1/owner/projects/${owner.project}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: '{"webhooks":[]}',
    });
    expect([exported.status, (await exported.bytes()).length]).toEqual([200, expect.any(Number)]);
    await resume();
    expect((await owner.publish(blog)).status).toBe(202);
  });

  it('lets access be taken away', async () => {
    const { body: key } = await owner.post('/agent-keys', { name: 'Leaked' });
    await suspend();
    expect((await owner.post('/agent-keys', { name: 'New' })).status).toBe(403);
    expect((await owner.remove(`/agent-keys/${key.id}`)).status).toBe(204);
  });

  it('is read by its agents, which change nothing in it by either way', async () => {
    const blog = await owner.newBlog();
    const { key: token } = (await owner.post('/agent-keys', { name: 'Agent' })).body as { key: string };
    await suspend();
    const agent = (method: 'GET' | 'POST', path: string) =>
      service.call(method, `../agent/${path}`, { token, ...(method === 'POST' && { json: {} }) });
    expect((await agent('GET', 'blogs')).status).toBe(200);
    expect(await agent('POST', `blogs/${blog.id}/publish`)).toMatchObject(SUSPENDED);

    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }));
    const searched = await client.callTool({ name: 'search_posts', arguments: {} });
    expect(searched.isError ?? false).toBe(false);
    const published = await client.callTool({ name: 'publish_post', arguments: { blog_id: blog.id } });
    expect(published).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('suspended') }] });
    await client.close();
  });

  it('publishes nothing that was asked for before, and the overdue schedule when it is resumed', async () => {
    const [held, free] = [await owner.newBlog(), await (await owner.inNewProject()).newBlog()];
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect((await owner.call('PUT', `/blogs/${held.id}/schedule`, { json: { publish_at: soon } })).status).toBe(200);
    await suspend();
    await makeDue(held.id);
    await makeDue(free.id);
    // Due after it, and published: the held one was passed over.
    await eventually(async () =>
      expect(await service.query('select state from blog where id = $1', [free.id])).toEqual([{ state: 'published' }]),
    );
    expect(await owner.show(held)).toMatchObject({ state: 'draft' });
    await resume();
    await eventually(async () => expect(await owner.show(held)).toMatchObject({ state: 'published' }));
    expect((await owner.get('/publishes')).body.items).toHaveLength(1);
  });

  it('generates nothing until it is resumed', async () => {
    const job = await owner.post('/blogs/generate', { topic: 'Green tea', length: 200 });
    expect(job.status).toBe(202);
    await suspend();
    // As if it had not begun when the project was suspended.
    await service.query(
      `update generation_job set status = 'waiting', lease_token = null, lease_expires_at = null, finished_at = null
       where project_id = $1 and status <> 'succeeded'`,
      [owner.project],
    );
    const stood = (await owner.get(`/generations/${job.body.id}`)).body.status as string;
    const other = await owner.inNewProject();
    const free = await other.post('/blogs/generate', { topic: 'Black tea', length: 200 });
    await eventually(async () =>
      expect((await other.get(`/generations/${free.body.id}`)).body.status).toBe('succeeded'),
    );
    expect((await owner.get(`/generations/${job.body.id}`)).body.status).toBe(stood);
    await resume();
    await eventually(async () =>
      expect((await owner.get(`/generations/${job.body.id}`)).body.status).toBe('succeeded'),
    );
  });

  it('takes no topic with its autopilot until it is resumed', async () => {
    const other = await owner.inNewProject();
    for (const each of [owner, other]) {
      await each.post('/autopilot/topics', { topics: [{ topic: 'Green tea' }] });
      const json = { enabled: true, time_zone: 'UTC', days: ['mon'], times: ['09:00'] };
      expect((await each.call('PUT', '/autopilot', { json })).status).toBe(200);
    }
    await suspend();
    await service.query('update autopilot set next_run_at = $2 where project_id = any($1)', [
      [owner.project, other.project],
      inThePast,
    ]);
    const taken = async (by: Owner) => (await by.get('/autopilot/topics')).body.items.length === 0;
    await eventually(async () => expect(await taken(other)).toBe(true));
    expect(await taken(owner)).toBe(false);
    await resume();
    await eventually(async () => expect(await taken(owner)).toBe(true));
  });

  it('imports nothing more until it is resumed', async () => {
    const held = await holdSlug(service, owner, 'first');
    const { body } = await sendImport(owner, { 'first.md': '# First', 'second.md': '# Second' });
    await suspend();
    await held[Symbol.asyncDispose]();
    await importAll(await owner.inNewProject(), { 'other.md': '# Other' });
    const waiting = async () => (await owner.get(`/imports/${body.id}`)).body.waiting as number;
    expect(await waiting()).toBeGreaterThan(0);
    await resume();
    expect(await finishedImport(owner, body.id as string)).toMatchObject({ created: 2, waiting: 0 });
  });

  it('is suspended and resumed by the administrator only', async () => {
    const person = await newPerson(service, owner.token, { project_id: owner.project, role: 'owner' });
    for (const method of ['PUT', 'DELETE'] as const) {
      const json = method === 'PUT' ? { json: { scope: 'all' } } : {};
      expect((await service.call(method, suspension(), { token: person.token, ...json })).status).toBe(403);
      expect((await service.call(method, suspension(), json)).status).toBe(401);
    }
    const unknown = { project: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10' } as Owner;
    expect((await suspend({ scope: 'all' }, unknown)).status).toBe(404);
    expect((await resume(unknown)).status).toBe(404);
    for (const json of [{}, { scope: 'reads' }, { scope: 'all', reason: ' ' }, { scope: 'all', until: 'noon' }]) {
      expect((await suspend(json)).status).toBe(422);
    }
  });

  it('gets no publish that began before and commits after the suspension was answered', async () => {
    for (let round = 0; round < 5; round += 1) {
      const of = await owner.inNewProject();
      const blogs = await Promise.all(Array.from({ length: 4 }, () => of.newBlog()));
      const publishes = blogs.map((blog) => of.publish(blog));
      const suspended = await suspend({ scope: 'writes' }, of);
      const { body } = await of.get('/publishes');
      const accepted = (await Promise.all(publishes)).filter(({ status }) => status === 202);
      expect(suspended.status).toBe(200);
      expect((await of.get('/publishes')).body.items).toHaveLength(accepted.length);
      expect(body.items).toHaveLength(accepted.length);
    }
  });
});
