import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const newBlogs = (count: number) => Promise.all(Array.from({ length: count }, () => owner.newBlog()));
const idsOf = (blogs: readonly { id: string }[]) => blogs.map(({ id }) => id);

describe('bulk publish', () => {
  it('makes a publish of its own for each blog, answered in the order of the request', async () => {
    const blogs = await newBlogs(5);
    const { status, body } = await owner.post('/blogs/publish', { blog_ids: idsOf(blogs) });
    expect(status).toBe(200);
    expect(body.results.map((result: { blog_id: string }) => result.blog_id)).toEqual(idsOf(blogs));
    expect(new Set(body.results.map((result: { publish: { id: string } }) => result.publish.id)).size).toBe(5);
    for (const blog of blogs) expect(await owner.eventsOf(blog)).toHaveLength(1);
  });

  it('says which blogs were refused and why, and publishes the others', async () => {
    const [first, second] = await newBlogs(2);
    const foreign = await (await owner.inNewProject()).newBlog();
    const { body } = await owner.post('/blogs/publish', {
      blog_ids: [first?.id, foreign.id, randomUUID(), second?.id],
    });
    expect(body.results.map((result: { ok: boolean }) => result.ok)).toEqual([true, false, false, true]);
    expect(body.results[1].problem).toEqual({ title: 'Not Found', status: 404, detail: 'Post not found.' });
    expect(await owner.eventsOf(foreign)).toEqual([]);
  });

  it('takes 100 blogs and refuses 101, none, and one named twice', async () => {
    const blogs = await newBlogs(100);
    const all = await owner.post('/blogs/publish', { blog_ids: idsOf(blogs) });
    expect(all.body.results.every((result: { ok: boolean }) => result.ok)).toBe(true);
    const [one] = blogs;
    for (const blog_ids of [[...idsOf(blogs), randomUUID()], [], [one?.id, one?.id?.toUpperCase()]]) {
      expect((await owner.post('/blogs/publish', { blog_ids })).status).toBe(422);
    }
  });

  it('with an Idempotency-Key goes on where it was cut off, and publishes nothing twice', async () => {
    const blogs = await newBlogs(4);
    const headers = { 'idempotency-key': randomUUID() };
    const request = { blog_ids: idsOf(blogs) };
    const before = await owner.post('/blogs/publish', request, headers);
    await service.query('delete from idempotent_request where key = $1 and item = $2', [
      headers['idempotency-key'],
      blogs[3]?.id,
    ]);
    const after = await owner.post('/blogs/publish', request, headers);
    const publishIds = ({ body }: typeof before) =>
      body.results.map((result: { publish: { id: string } }) => result.publish.id) as string[];
    expect(publishIds(after).slice(0, 3)).toEqual(publishIds(before).slice(0, 3));
    expect(publishIds(after)[3]).not.toBe(publishIds(before)[3]);
    expect(await Promise.all(blogs.map(async (blog) => (await owner.eventsOf(blog)).length))).toEqual([1, 1, 1, 2]);
  });

  it('refuses a key that was used for another request, as a whole', async () => {
    const [first, second] = await newBlogs(2);
    const headers = { 'idempotency-key': randomUUID() };
    await owner.post('/blogs/publish', { blog_ids: [first?.id, second?.id] }, headers);
    expect((await owner.post('/blogs/publish', { blog_ids: [second?.id] }, headers)).status).toBe(422);
  });

  it('does nothing of what comes with a used key: neither for other blogs nor after a single publish', async () => {
    const blogs = await newBlogs(3);
    const [first, second, third] = blogs;
    const headers = { 'idempotency-key': randomUUID() };
    await owner.post('/blogs/publish', { blog_ids: [first?.id] }, headers);
    for (const ids of [[second?.id], [second?.id, first?.id]]) {
      expect((await owner.post('/blogs/publish', { blog_ids: ids }, headers)).status).toBe(422);
    }
    const single = { 'idempotency-key': randomUUID() };
    await owner.post(`/blogs/${third?.id}/publish`, {}, single);
    expect((await owner.post('/blogs/publish', { blog_ids: [second?.id] }, single)).status).toBe(422);
    expect(await Promise.all(blogs.map(async (blog) => (await owner.eventsOf(blog)).length))).toEqual([1, 0, 1]);
  });

  it('from two callers at the same time, in opposite orders, publishes each blog twice and none is lost', async () => {
    const blogs = await newBlogs(20);
    await Promise.all([
      owner.post('/blogs/publish', { blog_ids: idsOf(blogs) }),
      owner.post('/blogs/publish', { blog_ids: idsOf(blogs).reverse() }),
    ]);
    for (const blog of blogs) expect(await owner.eventsOf(blog)).toHaveLength(2);
  });

  it('of other projects do not wait for several that wait for a lock of their project', async () => {
    const blogs = await newBlogs(3);
    const other = await owner.inNewProject();
    const others = await other.newBlog();
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    const waiting = () =>
      service.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
    let asked: ReturnType<typeof owner.post>[];
    try {
      await client.query('begin');
      await client.query('select 1 from project where id = $1 for update', [owner.project]);
      asked = blogs.map(({ id }) => owner.post('/blogs/publish', { blog_ids: [id] }));
      await eventually(async () => expect((await waiting()).length).toBeGreaterThan(0));
      for (let time = 0; time < 3; time += 1) {
        const { body } = await other.post('/blogs/publish', { blog_ids: [others.id] });
        expect(body.results).toMatchObject([{ ok: true }]);
      }
    } finally {
      await client.end();
    }
    for (const { body } of await Promise.all(asked)) expect(body.results).toMatchObject([{ ok: true }]);
  });
});

describe('bulk unpublish', () => {
  it('unpublishes what is published and refuses the rest', async () => {
    const [published, draft] = await newBlogs(2);
    await owner.publish(published ?? { id: '' });
    const { body } = await owner.post('/blogs/unpublish', { blog_ids: [published?.id, draft?.id] });
    expect(body.results).toMatchObject([{ ok: true }, { ok: false, problem: { status: 409 } }]);
    expect((await owner.eventsOf(published ?? { id: '' })).map(({ event }) => event)).toEqual([
      'blog.published',
      'blog.unpublished',
    ]);
  });
});
