import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const after = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;
const schedule = (blog: { id: string }, publish_at: string, headers = {}) =>
  owner.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at }, headers });
/** Lets what is scheduled for later be due; resolves to the time that it is due at then. */
const timePasses = async (blog: { id: string }): Promise<string | undefined> => {
  const due = await service.query<{ publish_at: Date }>(
    `update blog set publish_at = date_trunc('milliseconds', now()) - interval '1 second' where id = $1
     returning publish_at`,
    [blog.id],
  );
  return due[0]?.publish_at.toISOString();
};

describe('a scheduled publish', () => {
  it('happens at its time, with what is written by then, as a manual publish', async () => {
    const blog = await owner.newBlog({ title: 'Before', language: 'en' });
    const later = after(HOUR_MS);
    expect((await schedule(blog, later)).body).toEqual({
      blog_id: blog.id,
      title: 'Before',
      language: 'en',
      publish_at: later,
      trigger: 'manual',
    });
    await owner.patch(`/blogs/${blog.id}`, { title: 'After' });
    const publish_at = await timePasses(blog);
    await eventually(async () => expect((await owner.show(blog)).state).toBe('published'));
    const [event] = await owner.eventsOf(blog);
    expect(event).toMatchObject({ trigger: 'manual', revision: { title: 'After' } });
    expect(Date.parse((event as { published_at: string }).published_at)).toBeGreaterThanOrEqual(
      Date.parse(String(publish_at)),
    );
    const { items } = (await owner.get(`/blogs/${blog.id}/publishes`)).body;
    expect(items).toMatchObject([{ scheduled_for: publish_at, trigger: 'manual' }]);
    expect((await owner.show(blog)).publish_at).toBeNull();
  });

  it('publishes again what is published', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    await owner.patch(`/blogs/${blog.id}`, { title: 'Again' });
    await schedule(blog, after(HOUR_MS));
    await timePasses(blog);
    await eventually(async () => expect(await owner.eventsOf(blog)).toHaveLength(2));
  });

  it('can be moved, and taken back', async () => {
    const blog = await owner.newBlog();
    await schedule(blog, after(HOUR_MS));
    const later = after(2 * HOUR_MS);
    await schedule(blog, later);
    expect((await owner.show(blog)).publish_at).toBe(later);
    expect((await owner.remove(`/blogs/${blog.id}/schedule`)).status).toBe(204);
    expect((await owner.show(blog)).publish_at).toBeNull();
    expect((await owner.remove(`/blogs/${blog.id}/schedule`)).status).toBe(204);
  });

  it.each(['publish', 'unpublish'])('ends with a %s before its time', async (command) => {
    const blog = await owner.newBlog();
    if (command === 'unpublish') await owner.publish(blog);
    await schedule(blog, after(HOUR_MS));
    await owner.post(`/blogs/${blog.id}/${command}`);
    expect((await owner.show(blog)).publish_at).toBeNull();
  });

  it('ends with the blog', async () => {
    const blog = await owner.newBlog();
    await schedule(blog, after(HOUR_MS));
    await owner.remove(`/blogs/${blog.id}`);
    const [row] = await service.query<{ publish_at: Date | null }>('select publish_at from blog where id = $1', [
      blog.id,
    ]);
    expect(row?.publish_at).toBeNull();
  });

  it('is listed, the next one first, page by page', async () => {
    const other = await owner.inNewProject();
    const blogs = [await other.newBlog(), await other.newBlog(), await other.newBlog()];
    const same = after(2 * HOUR_MS);
    const times = [same, after(HOUR_MS), same];
    for (const [index, blog] of blogs.entries()) {
      await other.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at: times[index] } });
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { items: { blog_id: string }[]; next_cursor: string | null } = (
        await other.get(`/schedules?limit=1${cursor && `&cursor=${cursor}`}`)
      ).body;
      seen.push(...page.items.map(({ blog_id }) => blog_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([blogs[1]?.id, blogs[0]?.id, blogs[2]?.id]);
    expect((await other.get('/blogs?scheduled=true')).body.items).toHaveLength(3);
  });

  it.each([
    ['has passed', () => after(-1)],
    ['is more than two years ahead', () => after(2 * 366 * 24 * HOUR_MS + 60_000)],
    ['is none', () => 'tomorrow'],
  ])('is 422 when its time %s', async (_case, time) => {
    const refused = await schedule(await owner.newBlog(), time());
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'publish_at']);
  });

  it('is 412 for a version that is not the current one', async () => {
    expect((await schedule(await owner.newBlog(), after(HOUR_MS), { 'if-match': '"2"' })).status).toBe(412);
  });

  it('is not for blogs of others, or none', async () => {
    const foreign = await (await owner.inNewProject()).newBlog();
    for (const id of [foreign.id, randomUUID()]) {
      expect((await schedule({ id }, after(HOUR_MS))).status).toBe(404);
      expect((await owner.remove(`/blogs/${id}/schedule`)).status).toBe(404);
    }
  });

  it('fires once with two replicas', async () => {
    const replica = await service.startReplica();
    const blogs = await Promise.all(Array.from({ length: 30 }, () => owner.newBlog()));
    await service.query(`update blog set publish_at = now() where id = any($1)`, [blogs.map(({ id }) => id)]);
    for (const blog of blogs) await eventually(async () => expect(await owner.eventsOf(blog)).toHaveLength(1));
    await replica.stop();
    for (const blog of blogs) expect(await owner.eventsOf(blog)).toHaveLength(1);
  });

  it('that was due while no replica ran fires with the next start', async () => {
    await using quiet = await startRunningService({ WORK_POLL_MS: '60000' });
    const late = await startOwner(quiet);
    const blog = await late.newBlog();
    await quiet.query(`update blog set publish_at = now() - interval '1 day' where id = $1`, [blog.id]);
    await quiet.startReplica();
    await eventually(async () => expect(await late.eventsOf(blog)).toHaveLength(1));
  });

  it('a project has at most 10,000', async () => {
    const other = await owner.inNewProject();
    await service.query(
      `insert into blog (id, project_id, state, title, slug, content, publish_at)
       select gen_random_uuid(), $1::uuid, 'draft', 'Many', 'many-' || number, '', now() + interval '1 day'
       from generate_series(1, 9999) as number`,
      [other.project],
    );
    const [last, over] = [await other.newBlog(), await other.newBlog()];
    const put = (blog: { id: string }) =>
      other.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at: after(HOUR_MS) } });
    // At the same time, so that each could take the last place.
    const [one, another] = await Promise.all([put(last), put(over)]);
    expect([one.status, another.status].toSorted()).toEqual([200, 409]);
    const [has, hasNot] = one.status === 200 ? [last, over] : [over, last];
    expect((await put(has)).status).toBe(200);
    expect((await put(hasNot)).status).toBe(409);
    await service.query('update blog set publish_at = null where project_id = $1', [other.project]);
  });
});
