import { randomUUID } from 'node:crypto';
import { ownerOfNewProject, startOwner, type Owner } from '../../test/owner.ts';
import { newPerson, projectEvents, type Person } from '../../test/people.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let token: string;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
  token = owner.token;
});
afterAll(() => service[Symbol.asyncDispose]());

const create = (json: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', 'projects', { token, json, headers });
const newProject = async (): Promise<string> => (await create({ name: 'Site' })).body.id;
const show = (id: string, as = token) => service.call('GET', `projects/${id}`, { token: as });
const patch = (id: string, json: unknown, headers: Record<string, string> = {}, as = token) =>
  service.call('PATCH', `projects/${id}`, { token: as, json, headers });
const remove = (id: string, headers: Record<string, string> = {}, as = token) =>
  service.call('DELETE', `projects/${id}`, { token: as, headers });

describe('projects', () => {
  it('are created, listed, shown and changed, each with what the caller is in it', async () => {
    const created = await create({ name: ' Garden ', site_url: 'https://garden.example/' });
    const { id } = created.body;
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(`/blog/api/v1/owner/projects/${id}`);
    expect(created.body).toEqual({
      id,
      name: 'Garden',
      site_url: 'https://garden.example',
      role: 'owner',
      created_at: expect.stringMatching(/Z$/),
      suspension: null,
    });
    expect((await show(id)).body).toEqual(created.body);
    const changed = await patch(id, { site_url: null });
    expect(changed.body).toEqual({ ...created.body, site_url: null });
    const { items } = (await service.call('GET', 'projects?limit=100', { token })).body;
    expect(items).toContainEqual(changed.body);
  });

  it('are told on blog.projects with their members, each event numbered', async () => {
    const { id } = (await create({ name: 'Told' })).body;
    await patch(id, { name: 'Told again' });
    const events = await projectEvents(service, id);
    expect(events).toMatchObject([
      { event: 'project.saved', project_event_number: 1, name: 'Told', members: [{ role: 'owner' }] },
      { event: 'project.saved', project_event_number: 2, name: 'Told again', members: [{ role: 'owner' }] },
    ]);
  });

  it('that are changed to what they are already tell nothing', async () => {
    const id = await newProject();
    for (const json of [{}, { name: 'Site' }, { site_url: null }]) {
      expect((await patch(id, json)).headers['etag']).toBe('"1"');
    }
    expect(await projectEvents(service, id)).toHaveLength(1);
  });

  it('are paged with a cursor', async () => {
    const get = (path: string) => service.call('GET', path, { token });
    await newProject();
    const first = (await get('projects?limit=1')).body;
    const second = (await get(`projects?limit=1&cursor=${first.next_cursor}`)).body;
    expect(first.items[0].id).not.toBe(second.items[0].id);
    expect((await get('projects?cursor=nonsense')).status).toBe(400);
    expect((await get('projects?limit=101')).status).toBe(400);
  });

  it.each(['', '/blogs', '/members', `/publishes/${randomUUID()}`])('of others are not there: %s', async (below) => {
    const [other] = await service.query<{ id: string }>(
      `insert into project (id, name, event_number) values (gen_random_uuid(), 'Foreign', 1) returning id`,
    );
    for (const id of [other?.id, randomUUID(), 'not-a-uuid']) {
      expect((await show(`${id}${below}`)).status).toBe(404);
    }
  });

  it.each(['https://user@site.example', 'https://user:word@site.example/', 'http://:word@site.example'])(
    'refuses the site address %s: a user name or password would be in every link',
    async (address) => {
      const answer = await create({ name: 'Site', site_url: address });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ field: 'site_url', message: 'must not have a user name or password' }],
      ]);
    },
  );

  it.each(['https://x.example/[INTERNAL:a]', 'https://x.example/%5Binternal%3Aa]'])(
    'refuse the site address %s on creation and on change: a placeholder would be in feeds and sitemaps',
    async (address) => {
      const { id } = (await create({ name: 'Site' })).body;
      for (const answer of [
        await create({ name: 'Site', site_url: address }),
        await patch(id, { site_url: address }),
      ]) {
        expect([answer.status, answer.body.errors]).toEqual([
          422,
          [{ field: 'site_url', message: expect.stringContaining('must not contain a link placeholder') }],
        ]);
      }
    },
  );

  it('name every wrong field', async () => {
    const answer = await create({ name: ' ', site_url: 'ftp://x' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(['name', 'site_url']);
  });

  it('have names that PostgreSQL can hold', async () => {
    expect((await create({ name: 'a\0b\ud800' })).body.name).toBe('ab\ufffd');
    const empty = await create({ name: '\0' });
    expect([empty.status, empty.body.errors[0].field]).toEqual([422, 'name']);
    const { id } = (await create({ name: 'Name' })).body;
    expect((await patch(id, { name: '\0' })).status).toBe(422);
  });

  it('are made once for each Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [await create({ name: 'Once' }, headers), await create({ name: 'Once' }, headers)];
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ etag: '"1"', location: first.headers['location'] });
  });

  it('are at most 1,000 that somebody is a member of and makes another', async () => {
    const person = await newPerson(service, token);
    await service.query(
      `with made as (insert into project (id, name, event_number)
         select gen_random_uuid(), 'Many', 1 from generate_series(1, 999) returning id)
       insert into project_member select id, $1, 'editor' from made`,
      [person.id],
    );
    const make = () => service.call('POST', 'projects', { token: person.token, json: { name: 'One more' } });
    const answers = await Promise.all([make(), make(), make()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('two owners of a project', () => {
  it('see its version as ETag; a change of another one than the current is 412 and changes nothing', async () => {
    const created = await create({ name: 'Shared' });
    const { id } = created.body;
    const etag = String(created.headers['etag']);
    expect((await show(id)).headers['etag']).toBe(etag);
    const changed = await patch(id, { name: 'First' }, { 'if-match': etag });
    expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
    const late = await patch(id, { name: 'Second' }, { 'if-match': etag });
    expect([late.status, late.headers['etag']]).toEqual([412, undefined]);
    expect((await remove(id, { 'if-match': etag })).status).toBe(412);
    expect((await show(id)).body.name).toBe('First');
    expect((await patch(id, { name: 'Third' }, { 'if-match': '"2"' })).status).toBe(200);
    expect((await patch(id, { name: 'Fourth' }, { 'if-match': 'nonsense' })).status).toBe(400);
    expect((await remove(id, { 'if-match': '"3"' })).status).toBe(204);
  });

  it('cannot both win', async () => {
    const id = await newProject();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => patch(id, { name: `Name ${index}` }, { 'if-match': '"1"' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
  });
});

describe('an editor', () => {
  let editor: Person;
  let project: string;
  beforeAll(async () => {
    project = await newProject();
    editor = await newPerson(service, token, { project_id: project, role: 'editor' });
  });

  it('sees the project and writes in it', async () => {
    expect((await show(project, editor.token)).body.role).toBe('editor');
    const { items } = (await service.call('GET', 'projects', { token: editor.token })).body;
    expect(items).toMatchObject([{ id: project, role: 'editor' }]);
    const json = { title: 'Written by the editor' };
    const written = await service.call('POST', `projects/${project}/blogs`, { token: editor.token, json });
    expect(written.status).toBe(201);
  });

  it('manages nothing', async () => {
    const answers = [
      await patch(project, { name: 'Mine' }, {}, editor.token),
      await remove(project, {}, editor.token),
      await service.call('GET', `projects/${project}/agent-keys`, { token: editor.token }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.detail]).toEqual([403, 'Only project owners can do this. You are an editor.']);
    }
  });
});

describe('a deleted project', () => {
  it('is not there any more, nor is anything in it, and it is told once', async () => {
    const site = await owner.inNewProject();
    const { project } = site;
    const editor = await newPerson(service, token, { project_id: project, role: 'editor' });
    const json = { email: `${randomUUID()}@example.com`, project_id: project, role: 'editor' };
    const invited = (await service.call('POST', 'invitations', { token, json })).body;
    const agent = (await site.post('/agent-keys', { name: 'Agent', expires_at: null })).body;
    expect((await service.callAgent('GET', 'project', { token: agent.key })).status).toBe(200);

    expect((await remove(project)).status).toBe(204);
    for (const path of ['', '/blogs', '/members', '/agent-keys']) {
      expect((await site.get(path === '' ? `projects/${project}` : path)).status).toBe(404);
    }
    expect((await show(project, editor.token)).status).toBe(404);
    expect((await service.call('GET', 'projects', { token: editor.token })).body.items).toEqual([]);
    expect((await service.callAgent('GET', 'project', { token: agent.key })).status).toBe(401);
    const accept = { json: { token: invited.token, password: 'a password of twelve' } };
    expect((await service.call('POST', 'invitations/accept', accept)).status).toBe(422);
    const toIt = { token, json: { ...json, email: `${randomUUID()}@example.com` } };
    expect((await service.call('POST', 'invitations', toIt)).status).toBe(404);
    for (const answer of [await remove(project), await patch(project, { name: 'Back' })]) {
      expect(answer.status).toBe(404);
    }
    const events = await projectEvents(service, project);
    expect(events.map(({ event }) => event)).toEqual(['project.saved', 'project.saved', 'project.deleted']);
    expect(events.at(-1)).toEqual({ event: 'project.deleted', project_id: project, project_event_number: 3 });
  });

  it('keeps nothing that was written in it', async () => {
    const site = await owner.inNewProject();
    const secret = `written ${randomUUID()}`;
    const blogs = [await site.newBlog({ title: secret, content: `<p>${secret}</p>`, tags: [secret] })];
    blogs.push(await site.newBlog({ title: secret, content_markdown: secret, excerpt: secret }));
    for (const blog of blogs) {
      await site.publish(blog);
      await site.post(`/blogs/${blog.id}/unpublish`);
    }
    await site.post(`/blogs/${blogs[0]?.id}/schedule`, { publish_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await remove(site.project)).status).toBe(204);
    for (const table of ['project', 'blog', 'blog_revision', 'slug_claim']) {
      const rows = await service.query<{ text: string }>(`select t::text as text from ${table} t`);
      expect(rows.filter(({ text }) => text.includes(secret.replace('written ', '')))).toEqual([]);
    }
    const rows = await service.query(
      'select state, deleted_at is null as kept, publish_at, publication_began_at from blog where project_id = $1',
      [site.project],
    );
    const tombstone = { state: 'deleted', kept: false, publish_at: null, publication_began_at: null };
    expect(rows).toEqual([tombstone, tombstone]);
    expect(await site.eventsOf({ id: blogs[0]?.id ?? '' })).toHaveLength(2);
  });

  it('has no published post: one of them, and the deletion is refused and changes nothing', async () => {
    const site = await owner.inNewProject();
    const [one, two] = [await site.newBlog(), await site.newBlog()];
    await site.publish(one);
    expect((await remove(site.project)).body).toMatchObject({
      status: 409,
      detail: '1 post is published. Unpublish or delete them first, so that receivers are notified.',
    });
    await site.publish(two);
    expect((await remove(site.project)).body.detail).toMatch(/^2 posts are published/);
    expect((await site.show(one)).state).toBe('published');
    await site.remove(`/blogs/${one.id}`);
    await site.post(`/blogs/${two.id}/unpublish`);
    expect((await remove(site.project)).status).toBe(204);
  });

  it('never has a published post, when it is deleted while posts are being published', async () => {
    for (let round = 0; round < 5; round += 1) {
      const site = await ownerOfNewProject(service, token);
      const blogs = [await site.newBlog(), await site.newBlog(), await site.newBlog()];
      const [deletion, ...published] = await Promise.all([
        remove(site.project),
        ...blogs.map((blog) => site.publish(blog)),
      ]);
      const accepted = published.filter(({ status }) => status === 202).length;
      expect(deletion.status).toBe(accepted === 0 ? 204 : 409);
      const states = await service.query<{ state: string }>('select state from blog where project_id = $1', [
        site.project,
      ]);
      if (deletion.status === 204) expect(states.every(({ state }) => state === 'deleted')).toBe(true);
      else expect(states.filter(({ state }) => state === 'published')).toHaveLength(accepted);
    }
  });
});
