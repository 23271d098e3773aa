import { eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../test/owner.ts';
import { startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '250' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const TOPIC = {
  topic: 'Green tea at home',
  sources: [{ title: 'Notes', text: 'Green tea likes water of 80 degrees.' }],
};

async function ended(to: Owner, id: string) {
  return eventually(async () => {
    const { body } = await to.get(`/generations/${id}`);
    expect(['succeeded', 'failed', 'cancelled']).toContain(body.status);
    return body;
  });
}

async function generate(to: Owner, request: object = TOPIC) {
  const answer = await to.post('/blogs/generate', request);
  expect(answer.status).toBe(202);
  return ended(to, answer.body.id as string);
}

describe('a generation without a model', () => {
  it('makes a draft that says at the top that it is an outline, with quotes of the sources', async () => {
    const to = await owner.inNewProject();
    const made = await generate(to);
    expect(made).toMatchObject({ status: 'succeeded', writer: 'offline', failure: null, cost: 0 });
    expect(made.steps_done).toBe(made.steps);
    const blog = await to.show({ id: made.blog_id });
    expect(blog).toMatchObject({ state: 'draft', title: 'Green tea at home', slug: 'green-tea-at-home' });
    expect(blog.content).toMatch(/^<blockquote><strong>Outline\. Made without an AI model/);
    expect(blog.content).toContain('<h2>Overview</h2>');
    expect(blog).toMatchObject({ meta_title: null, meta_description: null, keyword: null });
    expect(blog.excerpt).not.toMatch(/outline/i);
    expect(blog.content).toContain('<blockquote><p>Green tea likes water of 80 degrees.</p></blockquote>');
    expect(made.report).toMatchObject({ unsupported: [], readability: { sentences: 0 } });
    expect(made.report.sources).toEqual([
      expect.objectContaining({ number: 1, title: 'Notes', status: 'used', sections: ['From the sources'] }),
    ]);
  });

  it('links to published posts of the project, never to drafts or to another project', async () => {
    const to = await owner.inNewProject();
    const other = await owner.inNewProject();
    const published = await to.newBlog({ title: 'Green tea for beginners', content: '<p>Hot water.</p>' });
    await to.publish(published);
    await to.newBlog({ title: 'Green tea drafts' });
    await other.publish(await other.newBlog({ title: 'Green tea secrets' }));
    const made = await generate(to);
    const { content } = await to.show({ id: made.blog_id });
    expect(content).toContain('<a href="[INTERNAL:green-tea-for-beginners]">Green tea for beginners</a>');
    expect(content).not.toMatch(/drafts|secrets/);
    expect(made.report.links).toEqual([
      { slug: 'green-tea-for-beginners', title: 'Green tea for beginners', anchor: 'Green tea for beginners' },
    ]);
  });

  it('warns of a post with nearly the same title', async () => {
    const to = await owner.inNewProject();
    const there = await to.newBlog({ title: 'Green tea, at home' });
    const { report } = await generate(to);
    expect(report.similar).toEqual([expect.objectContaining({ blog_id: there.id })]);
  });

  it('is made once for one Idempotency-Key', async () => {
    const to = await owner.inNewProject();
    const headers = { 'idempotency-key': 'once' };
    const [one, other] = [
      await to.post('/blogs/generate', TOPIC, headers),
      await to.post('/blogs/generate', TOPIC, headers),
    ];
    expect(other.body.id).toBe(one.body.id);
    expect(other.headers['idempotency-replayed']).toBe('true');
    await ended(to, one.body.id);
    expect((await to.get('/blogs')).body.items).toHaveLength(1);
  });

  it('is of its project: another one gets 404', async () => {
    const made = await generate(await owner.inNewProject());
    const other = await owner.inNewProject();
    for (const path of ['', '/events']) expect((await other.get(`/generations/${made.id}${path}`)).status).toBe(404);
    expect((await other.post(`/generations/${made.id}/cancel`)).status).toBe(404);
  });

  it('keeps no report, which quotes its draft, once that is deleted', async () => {
    const to = await owner.inNewProject();
    const made = await generate(to);
    expect(made.report).not.toBeNull();
    expect((await to.remove(`/blogs/${made.blog_id}`)).status).toBe(204);
    expect((await to.get(`/generations/${made.id}`)).body).toMatchObject({ status: 'succeeded', report: null });
  });

  it('goes with its project', async () => {
    const to = await owner.inNewProject();
    await generate(to);
    expect((await to.remove(`projects/${to.project}`)).status).toBe(204);
    const rows = await service.query('select from generation_job where project_id = $1', [to.project]);
    expect(rows).toHaveLength(0);
  });
});

describe('events of a generation', () => {
  async function eventsOf(to: Owner, id: string, headers = {}): Promise<string> {
    const url = `${service.origin}/blog/api/v1/owner/projects/${to.project}/generations/${id}/events`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${to.token}`, ...headers } });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    return answer.text();
  }

  it('are sent from the beginning to the end, and go on behind Last-Event-ID', async () => {
    const to = await owner.inNewProject();
    const { body } = await to.post('/blogs/generate', TOPIC);
    const all = await eventsOf(to, body.id);
    const ids = [...all.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(ids.map((_id, index) => index + 1));
    expect(all).toMatch(/event: waiting\n/);
    expect(all).toMatch(/event: succeeded\ndata: .*\n\n$/);
    const rest = await eventsOf(to, body.id, { 'last-event-id': '2' });
    expect(rest).toMatch(/^retry: 2000\n\nid: 3\n/);
  });
});

describe('cancelling', () => {
  it('ends a generation that waits, for good, and makes no draft', async () => {
    await using idle = await startRunningService({ GENERATION_SLOTS: '0' });
    const to = await startOwner(idle);
    const { body } = await to.post('/blogs/generate', TOPIC);
    const cancelled = await to.post(`/generations/${body.id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect((await to.post(`/generations/${body.id}/cancel`)).status).toBe(200);
    await idle.startReplica({ GENERATION_SLOTS: '1', WORK_POLL_MS: '50' });
    const later = await to.post('/blogs/generate', TOPIC);
    expect((await ended(to, later.body.id)).status).toBe('succeeded');
    expect((await to.get('/blogs')).body.items).toHaveLength(1);
  });

  it('is refused once it has succeeded', async () => {
    const to = await owner.inNewProject();
    const made = await generate(to);
    expect((await to.post(`/generations/${made.id}/cancel`)).status).toBe(409);
  });
});
