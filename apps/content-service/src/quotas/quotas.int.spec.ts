import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { jpeg, upload } from '../../test/images.ts';
import { ownerOfNewProject, startOwner, type Owner } from '../../test/owner.ts';
import { joinProject, newPerson, type Person } from '../../test/people.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';
import { blogsOf, importAll } from '../../test/transfer/imports.ts';

let service: RunningService;
let administrator: Owner;
let person: Person;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  administrator = await startOwner(service);
});
beforeEach(async () => {
  person = await newPerson(service, administrator.token);
  owner = await ownerOfNewProject(service, person.token);
});
afterAll(() => service?.[Symbol.asyncDispose]());

const NONE = { posts: null, publishes_per_day: null, storage_bytes: null };
const put = (path: string, quotas: object, token = administrator.token) =>
  service.call('PUT', path, { token, json: { ...NONE, ...quotas } });
const allowProject = async (quotas: object, of = owner) =>
  expect(await put(`tenants/${of.project}/quotas`, quotas)).toMatchObject({
    status: 200,
    body: { ...NONE, ...quotas },
  });
const allowAccount = async (quotas: object, of = person) =>
  expect(await put(`accounts/${of.id}/quotas`, quotas)).toMatchObject({ status: 200, body: { ...NONE, ...quotas } });
const reached = (detail: string) => ({
  status: 409,
  body: { title: 'Quota reached', status: 409, detail: expect.stringMatching(detail) as string },
});
const times = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).toSorted();
const many = (count: number, status: number) => Array.from({ length: count }, () => status);
const create = (of = owner) => of.post('/blogs', { title: 'Post' });
const makeDue = (blogId: string) =>
  service.query(`update blog set publish_at = now() - interval '1 minute' where id = $1`, [blogId]);
const usesOf = async (of: Owner) => (await of.get('/quotas')).body;
const POSTS_FULL =
  '^This project has 2 of 2 posts allowed. Delete some, or ask the administrator to raise the project’s quota.$';
const DAY_FULL =
  '^This project has used 1 of 1 publishes allowed per day. Publish again after \\d{4}-\\d\\d-\\d\\d 00:00 UTC, or ask the administrator';

describe('a quota of posts', () => {
  it('allows exactly as many as it says, and more when one is deleted or the quota is raised', async () => {
    await allowProject({ posts: 2 });
    const first = await owner.newBlog();
    await owner.newBlog();
    expect(await create()).toMatchObject(reached(POSTS_FULL));
    expect((await owner.remove(`/blogs/${first.id}`)).status).toBe(204);
    await owner.newBlog();
    expect(await create()).toMatchObject(reached(POSTS_FULL));
    await allowProject({ posts: 3 });
    await owner.newBlog();
    expect((await create()).status).toBe(409);
    await allowProject({});
    await owner.newBlog();
    expect((await service.query('select from quota where subject_id = $1', [owner.project])).length).toBe(0);
  });

  it('is never exceeded by requests at the same time', async () => {
    await allowProject({ posts: 5 });
    expect(statuses(await times(20, () => create()))).toEqual([...many(5, 201), ...many(15, 409)]);
    expect(await blogsOf(owner)).toHaveLength(5);
  });

  it('deletes nothing when it is below what there is', async () => {
    await times(3, () => owner.newBlog());
    await allowProject({ posts: 1 });
    expect(await create()).toMatchObject(reached('^This project has 3 of 1 posts allowed'));
    expect(await blogsOf(owner)).toHaveLength(3);
    await allowProject({ posts: 0 });
    expect((await create()).status).toBe(409);
  });

  it('ends a generated post with the reason', async () => {
    await allowProject({ posts: 0 });
    const { body: job } = await owner.post('/blogs/generate', { topic: 'Green tea', length: 200 });
    await eventually(async () =>
      expect((await owner.get(`/generations/${job.id}`)).body).toMatchObject({
        status: 'failed',
        failure: { message: expect.stringContaining('0 of 0 posts allowed') as string },
      }),
    );
  });
});

describe('a quota of publishes', () => {
  it('allows exactly as many a day as it says, and counts those that were made before it was set', async () => {
    const blog = await owner.newBlog();
    expect((await owner.publish(blog)).status).toBe(202);
    await allowProject({ publishes_per_day: 1 });
    expect(await owner.publish(blog)).toMatchObject(reached(DAY_FULL));
    await allowProject({ publishes_per_day: 2 });
    expect((await owner.publish(blog)).status).toBe(202);
    expect((await owner.publish(blog)).status).toBe(409);
    await service.query(`update publish set requested_at = date_trunc('day', now(), 'UTC') - interval '1 ms'`);
    expect(statuses([await owner.publish(blog), await owner.publish(blog), await owner.publish(blog)])).toEqual([
      202, 202, 409,
    ]);
  });

  it('lets posts be unpublished and deleted, as that takes content away', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    await allowProject({ publishes_per_day: 0 });
    expect((await owner.post(`/blogs/${blog.id}/unpublish`)).status).toBeLessThan(300);
    expect((await owner.remove(`/blogs/${blog.id}`)).status).toBe(204);
  });

  it('is never exceeded by requests at the same time, for one post or many', async () => {
    await allowProject({ publishes_per_day: 5 });
    const blogs = await times(10, () => owner.newBlog());
    const answers = await times(20, (index) => owner.publish(blogs[index % 10] ?? { id: '' }));
    expect(statuses(answers)).toEqual([...many(5, 202), ...many(15, 409)]);
    expect((await owner.get('/publishes')).body.items).toHaveLength(5);
  });

  it('refuses the posts of a bulk publish one by one', async () => {
    await allowProject({ publishes_per_day: 1 });
    const blogs = await times(2, () => owner.newBlog());
    const { body } = await owner.post('/blogs/publish', { blog_ids: blogs.map(({ id }) => id) });
    expect(body.results).toMatchObject([{ ok: true }, { ok: false, problem: reached(DAY_FULL).body }]);
  });

  it('tells agents in the tool’s error', async () => {
    await allowProject({ publishes_per_day: 0, posts: 1 });
    const blog = await owner.newBlog();
    const { key } = (await owner.post('/agent-keys', { name: 'Agent' })).body as { key: string };
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }));
    const call = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const isRefused = (text: string) => ({
      isError: true,
      content: [{ text: expect.stringContaining(text) as string }],
    });
    expect(await call('publish_post', { blog_id: blog.id })).toMatchObject(
      isRefused('0 of 0 publishes allowed per day'),
    );
    expect(await call('create_post', { title: 'Post' })).toMatchObject(isRefused('1 of 1 posts allowed'));
    await client.close();
  });

  it('holds schedules until tomorrow, and fires them when the quota is raised', async () => {
    await allowProject({ publishes_per_day: 0 });
    const blog = await owner.newBlog();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await owner.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at: later } })).status).toBe(200);
    await makeDue(blog.id);
    await eventually(async () => expect((await usesOf(owner)).held_publishes).toBe(1));
    expect(await owner.show(blog)).toMatchObject({ state: 'draft' });
    await allowProject({ publishes_per_day: 1 });
    await eventually(async () => expect(await owner.show(blog)).toMatchObject({ state: 'published' }));
    expect(await usesOf(owner)).toMatchObject({ held_publishes: 0 });
  });
});

describe('a quota of storage', () => {
  it('allows exactly as many bytes as it says', async () => {
    const first = await upload(owner, await jpeg(1));
    const { bytes } = (await owner.get('/images/usage')).body as { bytes: { used: number } };
    await allowProject({ storage_bytes: bytes.used });
    expect(await upload(owner, await jpeg(2))).toMatchObject(
      reached('^This project uses [\\d.]+ of [\\d.]+ MB allowed for images, and this one needs [\\d.]+ MB. Delete'),
    );
    expect((await owner.get('/images/usage')).body.bytes).toEqual({ used: bytes.used, allowed: bytes.used });
    // The same bytes need no room.
    expect((await upload(owner, await jpeg(1))).body.id).toBe(first.body.id);
    const [{ size } = { size: 0 }] = await service.query<{ size: number }>(
      'select bytes as size from image where id = $1',
      [(await upload(await administrator.inNewProject(), await jpeg(2))).body.id],
    );
    await allowProject({ storage_bytes: bytes.used + size - 1 });
    expect((await upload(owner, await jpeg(2))).status).toBe(409);
    await allowProject({ storage_bytes: bytes.used + size });
    expect((await upload(owner, await jpeg(2))).status).toBe(201);
  });

  it('is never exceeded by uploads at the same time', async () => {
    const pictures = await times(20, (index) => jpeg(100 + index));
    await upload(owner, await jpeg(3));
    const [{ size } = { size: 0 }] = await service.query<{ size: number }>(
      'select bytes as size from image where project_id = $1',
      [owner.project],
    );
    const most = Math.floor(size * 5.5);
    await allowProject({ storage_bytes: most });
    const answers = await times(20, (index) => upload(owner, pictures[index] ?? Buffer.alloc(0)));
    expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThan(10);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(2);
    const { bytes } = (await owner.get('/images/usage')).body as { bytes: { used: number } };
    expect(bytes.used).toBeLessThanOrEqual(most);
  });
});

describe('an account’s quota', () => {
  it('limits all projects together that the account owns', async () => {
    const second = await ownerOfNewProject(service, person.token);
    await allowAccount({ posts: 2, publishes_per_day: 1 });
    const [one, two] = [await owner.newBlog(), await second.newBlog()];
    for (const project of [owner, second])
      expect(await create(project)).toMatchObject(
        reached('^An owner of this project, with all projects they own, has 2 of 2 posts allowed.*the account’s quota'),
      );
    expect((await owner.publish(one)).status).toBe(202);
    expect((await second.publish(two)).status).toBe(409);
    expect((await create(administrator)).status).toBe(201);
  });

  it('is never exceeded from several projects at the same time', async () => {
    const projects = [owner, await ownerOfNewProject(service, person.token)];
    const [blogs] = [await Promise.all(projects.map((of) => of.newBlog()))];
    await allowAccount({ posts: 7, publishes_per_day: 5 });
    const one = (index: number) => projects[index % 2] ?? owner;
    expect(statuses(await times(20, (index) => create(one(index))))).toEqual([...many(5, 201), ...many(15, 409)]);
    const published = await times(20, (index) => one(index).publish(blogs[index % 2] ?? { id: '' }));
    expect(statuses(published)).toEqual([...many(5, 202), ...many(15, 409)]);
  });

  it('counts for a project from when the account becomes an owner, until it is none any more', async () => {
    const other = await newPerson(service, administrator.token);
    await allowAccount({ posts: 0 }, other);
    await joinProject(service, owner.token, { project_id: owner.project, role: 'editor' }, other);
    expect((await create()).status).toBe(201);
    const role = (name: string) => owner.patch(`/members/${other.id}`, { role: name });
    expect((await role('owner')).status).toBe(200);
    expect(await create()).toMatchObject(reached('^An owner of this project, with all projects they own, has 1 of 0'));
    expect((await role('editor')).status).toBe(200);
    expect((await create()).status).toBe(201);
  });

  it('holds beside the project’s own: the one that is full refuses', async () => {
    await allowAccount({ posts: 1 });
    await allowProject({ posts: 2 });
    await owner.newBlog();
    expect(await create()).toMatchObject(reached('^An owner'));
    await allowAccount({ posts: 5 });
    await owner.newBlog();
    expect(await create()).toMatchObject(reached(POSTS_FULL));
  });
});

describe('an import', () => {
  const post = (name: string) => ({ [`${name}.md`]: `---\ntitle: ${name}\n---\nBody of ${name}.` });

  it('refuses the files beyond the quota of posts, each with the reason, and takes them when it is raised', async () => {
    await allowProject({ posts: 2 });
    const files = { ...post('one'), ...post('two'), ...post('three') };
    const { id, created, failed } = await importAll(owner, files);
    expect({ created, failed }).toEqual({ created: 2, failed: 1 });
    const { items } = (await owner.get(`/imports/${id}/files`)).body as {
      items: { status: string; message: string }[];
    };
    expect(items.find(({ status }) => status === 'failed')?.message).toMatch(new RegExp(POSTS_FULL));
    expect(await blogsOf(owner)).toHaveLength(2);
    await allowProject({});
    await importAll(owner, files, '?existing=update');
    expect(await blogsOf(owner)).toHaveLength(3);
  });

  it('creates the posts that the quota of publishes refuses as drafts, and says so', async () => {
    await allowProject({ publishes_per_day: 1 });
    const { id, created } = await importAll(owner, { ...post('one'), ...post('two') }, '?publish=true');
    expect(created).toBe(2);
    const { items } = (await owner.get(`/imports/${id}/files`)).body as { items: { message: string | null }[] };
    expect(
      items.filter(({ message }) => message?.startsWith('Not published. This project has used 1 of 1')),
    ).toHaveLength(1);
    expect((await blogsOf(owner)).map((blog) => String(blog['state'])).toSorted()).toEqual(['draft', 'published']);
  });

  it('waits for the quota of publishes before it locks a post, as a publish does', async () => {
    await allowProject({ publishes_per_day: 10 });
    await importAll(owner, post('one'), '?publish=true');
    const client = new pg.Client(service.databaseUrl);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select from quota where subject_id = $1 for update', [owner.project]);
      const changed = { 'one.md': '---\ntitle: one\n---\nAnother body.' };
      const importing = importAll(owner, changed, '?publish=true&existing=update');
      await eventually(async () =>
        expect(
          await service.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).not.toHaveLength(0),
      );
      const { rows } = await client.query('select from blog where project_id = $1 for update nowait', [owner.project]);
      expect(rows).toHaveLength(1);
      await client.query('rollback');
      expect(await importing).toMatchObject({ updated: 1, failed: 0 });
    } finally {
      await client.end();
    }
    expect((await owner.get('/publishes')).body.items).toHaveLength(2);
  });
});

describe('quotas', () => {
  it('are seen by members with what is used', async () => {
    await allowProject({ posts: 5 });
    await allowAccount({ publishes_per_day: 10 });
    await owner.publish(await owner.newBlog());
    const body = await usesOf(owner);
    expect(body).toEqual({
      quotas: [
        { name: 'posts', of: 'project', used: 1, allowed: 5 },
        { name: 'publishes_per_day', of: 'project', used: 1, allowed: null },
        { name: 'storage_bytes', of: 'project', used: 0, allowed: null },
        { name: 'publishes_per_day', of: 'account', used: 1, allowed: 10 },
      ],
      resets_at: expect.stringMatching(/T00:00:00.000Z$/) as string,
      held_publishes: 0,
    });
  });

  it('are in the administrator’s lists', async () => {
    await allowProject({ posts: 5 });
    await allowAccount({ storage_bytes: 2 ** 40 });
    const list = async (path: string) => (await service.call('GET', path, { token: administrator.token })).body.items;
    expect(await list(`tenants?ids=${owner.project}`)).toMatchObject([{ quotas: { ...NONE, posts: 5 } }]);
    expect(await list('accounts?limit=100')).toContainEqual(
      expect.objectContaining({ id: person.id, quotas: { ...NONE, storage_bytes: 2 ** 40 } }),
    );
  });

  it('are set by the administrator only, and as a whole', async () => {
    const [project, account] = [`tenants/${owner.project}/quotas`, `accounts/${person.id}/quotas`];
    for (const path of [project, account]) {
      expect((await put(path, { posts: 1 }, person.token)).status).toBe(403);
      expect((await service.call('PUT', path, { json: NONE })).status).toBe(401);
      for (const wrong of [{ posts: -1 }, { posts: 1.5 }, { posts: '1' }, { images: 1 }, { storage_bytes: 2 ** 53 }])
        expect((await put(path, wrong)).status).toBe(422);
      const { posts: _, ...some } = NONE;
      expect((await service.call('PUT', path, { token: administrator.token, json: some })).status).toBe(422);
    }
    const unknown = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
    expect((await put(`tenants/${unknown}/quotas`, {})).status).toBe(404);
    expect((await put(`accounts/${unknown}/quotas`, {})).status).toBe(404);
    expect((await put('accounts/x/quotas', {})).status).toBe(404);
  });

  it('end with their project and their account', async () => {
    await allowProject({ posts: 5 });
    await allowAccount({ posts: 5 });
    const left = () => service.query('select from quota where subject_id in ($1, $2)', [owner.project, person.id]);
    expect(await left()).toHaveLength(2);
    expect((await owner.remove('/')).status).toBe(204);
    expect(await left()).toHaveLength(1);
    const removed = await service.call('DELETE', `accounts/${person.id}`, { token: administrator.token });
    expect(removed.status).toBe(204);
    expect(await left()).toHaveLength(0);
  });
});
