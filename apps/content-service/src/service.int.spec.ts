import { randomUUID } from 'node:crypto';
import { toEnvelope } from '@blog-content/event-log';
import { deliveriesTopic, type DeliveryEvent, type LifecycleEvent } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { OWNER, startRunningService, type Answer, type RunningService } from '../test/running-service.ts';

let service: RunningService;
let token: string;
let project: string;

beforeAll(async () => {
  service = await startRunningService();
  token = await service.signIn();
  project = await newProject();
});
afterAll(() => service[Symbol.asyncDispose]());

const post = (path: string, json: unknown = {}) => service.call('POST', path, { token, json });
const get = (path: string) => service.call('GET', path, { token });
const patch = (path: string, json: unknown) => service.call('PATCH', path, { token, json });
const remove = (path: string) => service.call('DELETE', path, { token });

async function newProject(site_url: string | null = 'https://site.example'): Promise<string> {
  return ((await post('projects', { name: 'Site', site_url })).body as { id: string }).id;
}
async function newBlog(json: object = {}, of = project): Promise<{ id: string; slug: string }> {
  const answer = await post(`projects/${of}/blogs`, { title: `Post ${randomUUID()}`, ...json });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; slug: string };
}
const publish = (blog: { id: string }, of = project) => post(`projects/${of}/blogs/${blog.id}/publish`);
const unpublish = (blog: { id: string }) => post(`projects/${project}/blogs/${blog.id}/unpublish`);
const show = async (blog: { id: string }) => (await get(`projects/${project}/blogs/${blog.id}`)).body;

/** The lifecycle events of a blog, as they stand in the outbox. */
async function eventsOf(blog: { id: string }): Promise<LifecycleEvent[]> {
  const rows = await service.query<{ data: LifecycleEvent }>(
    `select data from outbox where topic = 'blog.lifecycle' and key = $1 order by position`,
    [blog.id],
  );
  return rows.map(({ data }) => data);
}

describe('owner sessions', () => {
  it('begin with the right email, in any case, and password', async () => {
    const answer = await service.call('POST', 'session', { json: { ...OWNER, email: 'Owner@Example.com' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ account: { email: OWNER.email } });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await service.call('GET', 'session', { token: answer.body.token })).body).toMatchObject({
      expires_at: expect.stringMatching(/Z$/),
      account: { email: OWNER.email },
    });
  });

  it.each([
    ['a wrong password', { ...OWNER, password: 'wrong' }],
    ['an unknown email', { ...OWNER, email: 'nobody@example.com' }],
  ])('do not begin with %s, and the answer does not tell which', async (_case, json) => {
    const answer = await service.call('POST', 'session', { json });
    expect(answer.status).toBe(401);
    expect(answer.body.detail).toBe('The email or the password is wrong.');
  });

  it('are slowed down after repeated failures', async () => {
    const json = { email: 'guessed@example.com', password: 'wrong' };
    await Promise.all(Array.from({ length: 6 }, () => service.call('POST', 'session', { json })));
    const answer = await service.call('POST', 'session', { json });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each(['projects', `projects/${randomUUID()}`, `projects/${randomUUID()}/blogs`])(
    'are needed for %s',
    async (path) => {
      const answer = await service.call('GET', path);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
      expect(answer.headers['content-type']).toContain('application/problem+json');
    },
  );

  it('can be checked by others with the public keys', async () => {
    const { keys } = (await service.call('GET', 'jwks.json')).body;
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('keep the password hashed only', async () => {
    const [account] = await service.query<{ password_hash: string }>('select password_hash from account');
    expect(account?.password_hash).toMatch(/^\$argon2id\$/);
  });
});

describe('projects', () => {
  it('are created, listed, shown and changed', async () => {
    const { id } = (await post('projects', { name: ' Garden ', site_url: 'https://garden.example/' })).body;
    expect((await get(`projects/${id}`)).body).toMatchObject({ name: 'Garden', site_url: 'https://garden.example' });
    const changed = await patch(`projects/${id}`, { site_url: null });
    expect(changed.body).toMatchObject({ name: 'Garden', site_url: null });
    const { items } = (await get('projects?limit=100')).body;
    expect(items.map((item: { id: string }) => item.id)).toContain(id);
  });

  it('are told on blog.projects with their members, each event numbered', async () => {
    const { id } = (await post('projects', { name: 'Told' })).body;
    await patch(`projects/${id}`, { name: 'Told again' });
    const rows = await service.query<{ data: { project_event_number: number; name: string; members: unknown[] } }>(
      `select data from outbox where topic = 'blog.projects' and key = $1 order by position`,
      [id],
    );
    expect(rows.map(({ data }) => [data.project_event_number, data.name, data.members.length])).toEqual([
      [1, 'Told', 1],
      [2, 'Told again', 1],
    ]);
  });

  it('are paged with a cursor', async () => {
    const first = (await get('projects?limit=1')).body;
    const second = (await get(`projects?limit=1&cursor=${first.next_cursor}`)).body;
    expect(first.items[0].id).not.toBe(second.items[0].id);
    expect((await get('projects?cursor=nonsense')).status).toBe(400);
    expect((await get('projects?limit=101')).status).toBe(400);
  });

  it.each(['', '/blogs', `/publishes/${randomUUID()}`])('of others are not there: %s', async (below) => {
    const [other] = await service.query<{ id: string }>(
      `insert into project (id, name, event_number) values (gen_random_uuid(), 'Foreign', 1) returning id`,
    );
    for (const id of [other?.id, randomUUID(), 'not-a-uuid']) {
      expect((await get(`projects/${id}${below}`)).status).toBe(404);
    }
  });

  it('name every wrong field', async () => {
    const answer = await post('projects', { name: ' ', site_url: 'ftp://x' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(['name', 'site_url']);
  });
});

describe('writing', () => {
  it('begins with a draft that has a slug from its title, and an excerpt from its content', async () => {
    const { body } = await post(`projects/${project}/blogs`, { title: 'Crème brûlée', content: '<p>Burn it.</p>' });
    expect(body).toMatchObject({
      state: 'draft',
      slug: 'creme-brulee',
      excerpt: 'Burn it.',
      published_at: null,
      has_unpublished_changes: false,
    });
    expect(await show(body)).toEqual(body);
  });

  it('cleans the HTML on save', async () => {
    const blog = await newBlog({ content: '<p onclick="x">a</p><script>b</script>' });
    expect((await show(blog)).content).toBe('<p>a</p>');
  });

  it('refuses a body that is not JSON with 400, and one over 4 MiB with 413', async () => {
    const path = `projects/${project}/blogs`;
    expect((await service.call('POST', path, { token, body: '{"title":' })).status).toBe(400);
    const big = JSON.stringify({ title: 'Big', content: 'x'.repeat(4 * 1024 * 1024) });
    expect((await service.call('POST', path, { token, body: big })).status).toBe(413);
  });

  it('takes 500,000 characters of content and refuses one more', async () => {
    const path = `projects/${project}/blogs`;
    expect((await post(path, { title: 'Long', content: 'x'.repeat(500_000) })).status).toBe(201);
    expect((await post(path, { title: 'Long', content: 'x'.repeat(500_001) })).status).toBe(422);
    expect((await post(path, { title: 'Long', content: '<'.repeat(400_000) })).status).toBe(422);
    expect((await post(path, { title: 'Long', content: '語'.repeat(500_000) })).status).toBe(201);
  });

  it('keeps text that PostgreSQL could not', async () => {
    const blog = await newBlog({ title: 'a\u0000b\ud800', tags: ['x\u0000'] });
    expect(await show(blog)).toMatchObject({ title: 'ab\ufffd', tags: ['x'] });
  });

  it('lists newest first, by state, without deleted ones', async () => {
    const of = await newProject();
    const [a, b, c] = [await newBlog({}, of), await newBlog({}, of), await newBlog({}, of)];
    await publish(b, of);
    await remove(`projects/${of}/blogs/${a.id}`);
    const ids = async (query: string) =>
      (await get(`projects/${of}/blogs${query}`)).body.items.map((item: { id: string }) => item.id);
    expect(await ids('')).toEqual([c.id, b.id]);
    expect(await ids('?state=published')).toEqual([b.id]);
    expect((await get(`projects/${of}/blogs?state=gone`)).status).toBe(400);
  });
});

describe('slugs (decisions “Slugs”)', () => {
  it('a given slug that is taken is 409, a reserved one 422, a malformed one 422', async () => {
    const blog = await newBlog({ slug: 'taken' });
    const path = `projects/${project}/blogs`;
    expect((await post(path, { title: 'T', slug: 'taken' })).status).toBe(409);
    expect((await post(path, { title: 'T', slug: 'sitemap' })).status).toBe(422);
    expect((await post(path, { title: 'T', slug: 'Bad Slug' })).status).toBe(422);
    const other = await newBlog();
    expect((await patch(`${path}/${other.id}`, { slug: 'taken' })).status).toBe(409);
    expect((await patch(`${path}/${blog.id}`, { slug: 'taken' })).status).toBe(200);
  });

  it('a title “Sitemap” becomes sitemap-2', async () => {
    expect((await newBlog({ title: 'Sitemap' })).slug).toBe('sitemap-2');
  });

  it('20 concurrent posts of one title get 20 slugs', async () => {
    const blogs = await Promise.all(Array.from({ length: 20 }, () => newBlog({ title: 'Same title' })));
    expect(blogs.map(({ slug }) => slug).sort()).toEqual(
      ['same-title', ...Array.from({ length: 19 }, (_, index) => `same-title-${index + 2}`)].sort(),
    );
  });

  it('the slug that a published revision is served under stays taken until it is published under another', async () => {
    const path = `projects/${project}/blogs`;
    const blog = await newBlog({ slug: 'served-here' });
    await publish(blog);
    await patch(`${path}/${blog.id}`, { slug: 'moved-there' });
    expect((await post(path, { title: 'T', slug: 'served-here' })).status).toBe(409);
    await publish(blog);
    expect((await post(path, { title: 'T', slug: 'served-here' })).status).toBe(201);
  });

  it('the slug of a deleted blog is free again', async () => {
    const blog = await newBlog({ slug: 'short-lived' });
    await remove(`projects/${project}/blogs/${blog.id}`);
    expect((await newBlog({ slug: 'short-lived' })).slug).toBe('short-lived');
  });
});

describe('publishing (spec §3, decisions “Lifecycle”)', () => {
  it('answers 202 with a pending manual publish, and the whole revision goes out', async () => {
    const target = await newBlog({ title: 'Target' });
    await publish(target);
    const blog = await newBlog({
      title: 'First',
      content: `<p>See <a href="[INTERNAL:${target.slug}]">it</a> and [INTERNAL:nothing].</p>`,
      tags: ['a'],
      keyword: 'k',
    });
    const answer = await publish(blog);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ blog_id: blog.id, trigger: 'manual', status: 'pending', revision: 1 });
    expect((await get(`projects/${project}/publishes/${answer.body.id}`)).body).toEqual(answer.body);
    const [event] = await eventsOf(blog);
    expect(event).toMatchObject({
      event: 'blog.published',
      blog_event_number: 1,
      trigger: 'manual',
      publish_id: answer.body.id,
      site_url: 'https://site.example',
      revision: { number: 1, title: 'First', slug: 'first', tags: ['a'], keyword: 'k', excerpt: 'See it and .' },
      published_link_targets: [{ slug: target.slug, title: 'Target' }],
    });
    expect(event).toHaveProperty('revision.content', expect.stringContaining(`[INTERNAL:${target.slug}]`));
  });

  it('an edit changes the working copy only, until it is published again', async () => {
    const blog = await newBlog({ title: 'Before' });
    await publish(blog);
    await patch(`projects/${project}/blogs/${blog.id}`, { title: 'After' });
    expect(await show(blog)).toMatchObject({ title: 'After', state: 'published', has_unpublished_changes: true });
    expect(await eventsOf(blog)).toHaveLength(1);
    await publish(blog);
    expect(await show(blog)).toMatchObject({ has_unpublished_changes: false });
    expect((await eventsOf(blog))[1]).toMatchObject({ blog_event_number: 2, revision: { number: 2, title: 'After' } });
  });

  it('an edit that changes nothing leaves nothing unpublished', async () => {
    const blog = await newBlog({ title: 'Same', tags: ['a'], content: '<p>x</p>' });
    await publish(blog);
    const before = await show(blog);
    for (const same of [{}, { title: 'Same', tags: ['a'], content: '<p>x</p>', slug: blog.slug }]) {
      expect((await patch(`projects/${project}/blogs/${blog.id}`, same)).body).toEqual(before);
    }
  });

  it('the publishes of a blog that does not exist, is deleted, or is another project’s are 404', async () => {
    const [gone, foreign] = [await newBlog(), await newBlog({}, await newProject())];
    await publish(gone);
    await remove(`projects/${project}/blogs/${gone.id}`);
    for (const id of [gone.id, foreign.id, randomUUID()]) {
      expect((await get(`projects/${project}/blogs/${id}/publishes`)).status).toBe(404);
    }
  });

  it('a publish again and a sync keep when the publication began; an unpublish ends it', async () => {
    const blog = await newBlog();
    await publish(blog);
    const began = (await show(blog)).published_at;
    expect((await post(`projects/${project}/blogs/${blog.id}/sync`)).status).toBe(202);
    expect((await show(blog)).published_at).toBe(began);
    expect((await unpublish(blog)).body).toMatchObject({ state: 'unpublished', published_at: null });
    await publish(blog);
    const events = await eventsOf(blog);
    expect(events.map(({ event, blog_event_number }) => [event, blog_event_number])).toEqual([
      ['blog.published', 1],
      ['blog.published', 2],
      ['blog.unpublished', 3],
      ['blog.published', 4],
    ]);
    const [first, synced, , again] = events as { publication_began_at: string; published_at: string }[];
    expect(synced?.publication_began_at).toBe(first?.publication_began_at);
    expect(again?.publication_began_at).toBe(again?.published_at);
  });

  it('a sync or an unpublish of what is not published is 409 and sends nothing', async () => {
    const blog = await newBlog();
    expect((await post(`projects/${project}/blogs/${blog.id}/sync`)).status).toBe(409);
    expect((await unpublish(blog)).status).toBe(409);
    expect(await eventsOf(blog)).toEqual([]);
  });

  it('deleting a draft or an unpublished blog sends nothing, a published one blog.deleted', async () => {
    const [draft, unpublished, published] = [await newBlog(), await newBlog(), await newBlog({ title: 'Gone' })];
    await publish(unpublished);
    await unpublish(unpublished);
    await publish(published);
    for (const blog of [draft, unpublished, published]) {
      expect((await remove(`projects/${project}/blogs/${blog.id}`)).status).toBe(204);
      expect((await get(`projects/${project}/blogs/${blog.id}`)).status).toBe(404);
      expect((await publish(blog)).status).toBe(404);
      expect((await remove(`projects/${project}/blogs/${blog.id}`)).status).toBe(404);
    }
    expect(await eventsOf(draft)).toEqual([]);
    expect((await eventsOf(unpublished)).map(({ event }) => event)).toEqual(['blog.published', 'blog.unpublished']);
    expect((await eventsOf(published))[1]).toMatchObject({
      event: 'blog.deleted',
      blog_event_number: 2,
      title: 'Gone',
    });
  });

  it('deletion leaves a tombstone and none of the content', async () => {
    const blog = await newBlog({ content: '<p>secret</p>', tags: ['t'] });
    await publish(blog);
    await remove(`projects/${project}/blogs/${blog.id}`);
    const [row] = await service.query<Record<string, unknown>>('select * from blog where id = $1', [blog.id]);
    expect(row).toMatchObject({ id: blog.id, project_id: project, title: '', content: '', slug: '', tags: [] });
    expect(row?.['deleted_at']).toBeInstanceOf(Date);
    expect(await service.query('select 1 from blog_revision where blog_id = $1', [blog.id])).toEqual([]);
  });

  it('concurrent publishes of one blog are numbered one after the other, one event each', async () => {
    const blog = await newBlog();
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(blog)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(202));
    expect((await eventsOf(blog)).map(({ blog_event_number }) => blog_event_number)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
    const { items } = (await get(`projects/${project}/blogs/${blog.id}/publishes`)).body;
    expect(items).toHaveLength(10);
  });

  it('takes the hero’s duplicate out of what is published, not out of the working copy', async () => {
    const hero = 'https://cdn.example/hero.jpg';
    const blog = await newBlog({ featured_image_url: hero, content: `<p><img src="${hero}" alt="" /></p><p>Text</p>` });
    await publish(blog);
    expect((await eventsOf(blog))[0]).toMatchObject({ revision: { content: '<p>Text</p>', featured_image_url: hero } });
    expect((await show(blog)).content).toContain(hero);
  });
});

describe('what became of a publish', () => {
  const ids = { lifecycle_event_id: randomUUID(), integration_id: randomUUID() };
  const tell = (...events: DeliveryEvent[]) =>
    service.eventLog.append(events.map((event) => toEnvelope(deliveriesTopic, event, { source: '/test' })));
  const planned = (publish: Answer['body'], ...deliveryIds: string[]): DeliveryEvent => ({
    event: 'deliveries.planned',
    project_id: project,
    blog_id: publish.blog_id,
    publish_id: publish.id,
    lifecycle_event_id: ids.lifecycle_event_id,
    deliveries: deliveryIds.map((delivery_id) => ({
      delivery_id,
      integration_id: ids.integration_id,
      receiver: 'receiver.example',
    })),
  });
  const finished = (publish: Answer['body'], delivery_id: string, more: object = {}): DeliveryEvent => ({
    event: 'delivery.finished',
    project_id: project,
    blog_id: publish.blog_id,
    publish_id: publish.id,
    ...ids,
    delivery_id,
    outcome: 'succeeded',
    reason: null,
    detail: null,
    attempts: 1,
    status_code: 200,
    live_url: null,
    external_id: null,
    finished_at: '2026-11-21T09:00:00.000Z',
    ...more,
  });
  const shown = async (publish: Answer['body'], status: string) =>
    eventually(async () => {
      const { body } = await get(`projects/${project}/publishes/${publish.id}`);
      expect(body.status).toBe(status);
      return body;
    });

  it('succeeds at once with no integration', async () => {
    const { body } = await publish(await newBlog());
    await tell(planned(body));
    expect((await shown(body, 'succeeded')).deliveries).toEqual([]);
  });

  it('shows the live URL and external id, or the notice that no public URL was returned', async () => {
    const { body } = await publish(await newBlog());
    const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    await tell(
      planned(body, first, second),
      finished(body, first, { live_url: 'https://site.example/a', external_id: '7' }),
      finished(body, second),
    );
    const { deliveries } = await shown(body, 'succeeded');
    expect(deliveries).toMatchObject([
      { live_url: 'https://site.example/a', external_id: '7', notice: null, receiver: 'receiver.example' },
      { live_url: null, notice: 'The receiver returned no public URL for this post.' },
    ]);
  });

  it('fails when one delivery failed, and says why', async () => {
    const { body } = await publish(await newBlog());
    const id = randomUUID();
    const why = { outcome: 'failed' as const, reason: 'interrupted', detail: 'The process ended.', status_code: null };
    await tell(planned(body, id), finished(body, id, why));
    expect((await shown(body, 'failed')).deliveries[0]).toMatchObject({ status: 'failed', reason: 'interrupted' });
  });

  it('names the receiver also when the outcome came before the plan', async () => {
    const { body } = await publish(await newBlog());
    const id = randomUUID();
    await tell(finished(body, id), planned(body, id));
    expect((await shown(body, 'succeeded')).deliveries).toMatchObject([
      { delivery_id: id, status: 'succeeded', receiver: 'receiver.example' },
    ]);
  });

  it('stays the same when events come again or in another order', async () => {
    const { body } = await publish(await newBlog());
    const id = randomUUID();
    await tell(finished(body, id), planned(body, id), finished(body, id), planned(body, id));
    expect((await shown(body, 'succeeded')).deliveries).toHaveLength(1);
  });
});

describe('the event log', () => {
  it('gets every outbox row', async () => {
    await eventually(async () => {
      const [row] = await service.query<{ waiting: string }>(
        'select count(*) as waiting from outbox where published_at is null',
      );
      expect(Number(row?.waiting)).toBe(0);
    });
  });
});
