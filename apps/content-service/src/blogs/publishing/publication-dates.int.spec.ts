import { eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

const PAST = '2025-08-08T10:00:00.000Z';
const DAY_MS = 86_400_000;
const after = (ms: number) => new Date(Date.now() + ms).toISOString();

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

type Blog = { readonly id: string };
/** What readers see as published_at after the blog's last publish. */
async function publicDateOf(blog: Blog): Promise<string> {
  const event = (await owner.eventsOf(blog)).at(-1);
  return event?.event === 'blog.published' ? event.publication_began_at : `none after ${String(event?.event)}`;
}
const unpublish = (blog: Blog) => owner.post(`/blogs/${blog.id}/unpublish`);
const publish = (blog: Blog, body: object) => owner.post(`/blogs/${blog.id}/publish`, body);

describe('the publication date of a blog', () => {
  it('is set by create and edit, shown in UTC, and cleared with null', async () => {
    const blog = await owner.newBlog({ published_at: '2025-08-08T12:00:00+02:00' });
    expect(await owner.show(blog)).toMatchObject({ state: 'draft', published_at: PAST, previous_published_at: null });
    const edited = await owner.patch(`/blogs/${blog.id}`, { published_at: '2024-02-29T00:00:00Z' });
    expect(edited.body).toMatchObject({ published_at: '2024-02-29T00:00:00.000Z', version: blog.version + 1 });
    expect((await owner.patch(`/blogs/${blog.id}`, { title: 'Kept' })).body.published_at).toBe(
      '2024-02-29T00:00:00.000Z',
    );
    expect((await owner.patch(`/blogs/${blog.id}`, { published_at: null })).body.published_at).toBeNull();
  });

  it('is what readers see as published_at, while the webhook has the time of the publish', async () => {
    const blog = await owner.newBlog({ published_at: PAST });
    const { status, body } = await publish(blog, {});
    expect([status, body.status]).toEqual([202, 'pending']);
    const [event] = await owner.eventsOf(blog);
    expect(event).toMatchObject({ publication_began_at: PAST, published_at: body.requested_at });
    expect(await owner.show(blog)).toMatchObject({ state: 'published', published_at: PAST });
  });

  it('changes for readers with the next publish or sync, and goes back to the beginning of the publication', async () => {
    const blog = await owner.newBlog();
    await publish(blog, {});
    const began = await publicDateOf(blog);
    const edited = await owner.patch(`/blogs/${blog.id}`, { published_at: PAST });
    expect(edited.body).toMatchObject({ has_unpublished_changes: true, published_at: PAST });
    expect(await publicDateOf(blog)).toBe(began);
    await owner.post(`/blogs/${blog.id}/sync`);
    expect(await publicDateOf(blog)).toBe(PAST);
    expect((await owner.show(blog)).has_unpublished_changes).toBe(false);
    expect((await owner.post(`/blogs/${blog.id}/sync`, { published_at: null })).status).toBe(202);
    expect(await publicDateOf(blog)).toBe(began);
  });

  it('is remembered by an unpublish, and offered; without it the next publication begins now', async () => {
    const blog = await owner.newBlog();
    await publish(blog, { published_at: PAST });
    expect((await unpublish(blog)).body).toMatchObject({ published_at: null, previous_published_at: PAST });
    const before = Date.now();
    await publish(blog, {});
    expect(Date.parse(await publicDateOf(blog))).toBeGreaterThanOrEqual(before);
    expect((await owner.show(blog)).previous_published_at).toBeNull();

    const began = await publicDateOf(blog);
    const { previous_published_at } = (await unpublish(blog)).body;
    expect(previous_published_at).toBe(began);
    await publish(blog, { published_at: previous_published_at });
    expect(await publicDateOf(blog)).toBe(began);
  });

  it.each([
    ['without a time zone', '2025-08-08T10:00:00'],
    ['without a time', '2025-08-08'],
    ['that does not exist', '2025-02-30T10:00:00Z'],
    ['before 1970', '1969-12-31T23:59:59Z'],
    ['more than ten years ahead', after(11 * 366 * DAY_MS)],
    ['as a number', 1_754_647_200],
  ])('is refused with 422 %s', async (_what, published_at) => {
    const blog = await owner.newBlog();
    for (const answer of [
      await owner.post('/blogs', { title: 'T', published_at }),
      await owner.patch(`/blogs/${blog.id}`, { published_at }),
      await publish(blog, { published_at }),
    ]) {
      expect([answer.status, answer.body.errors[0]]).toEqual([
        422,
        { field: 'published_at', message: expect.stringMatching(/^must be /) },
      ]);
    }
    expect(await owner.show(blog)).toMatchObject({ state: 'draft', published_at: null });
  });
});

describe('a post that is dated in the future', () => {
  it('is scheduled by a publish, whose answer says so, and is public with that date', async () => {
    const published_at = after(DAY_MS);
    const blog = await owner.newBlog({ title: 'Later' });
    const { status, body } = await publish(blog, { published_at });
    expect([status, body]).toEqual([
      202,
      {
        status: 'scheduled',
        blog_id: blog.id,
        title: 'Later',
        language: null,
        publish_at: published_at,
        trigger: 'manual',
      },
    ]);
    expect(await owner.show(blog)).toMatchObject({ state: 'draft', published_at, publish_at: published_at });
    expect(await owner.eventsOf(blog)).toEqual([]);

    const due = await service.query<{ publication_date: Date }>(
      `update blog set publication_date = date_trunc('milliseconds', now()) - interval '1 second',
         publish_at = date_trunc('milliseconds', now()) - interval '1 second' where id = $1 returning publication_date`,
      [blog.id],
    );
    await eventually(async () => expect((await owner.show(blog)).state).toBe('published'));
    expect(await publicDateOf(blog)).toBe(due[0]?.publication_date.toISOString());
  });

  it('is scheduled by a bulk publish', async () => {
    const publishAt = after(DAY_MS);
    const [now, later] = [await owner.newBlog(), await owner.newBlog({ published_at: publishAt })];
    const { body } = await owner.post(
      '/blogs/publish',
      { blog_ids: [now.id, later.id] },
      { 'idempotency-key': 'bulk' },
    );
    expect(body.results).toMatchObject([
      { ok: true, publish: { status: 'pending' } },
      { ok: true, publish: { status: 'scheduled', publish_at: publishAt } },
    ]);
    const again = await owner.post('/blogs/publish', { blog_ids: [now.id, later.id] }, { 'idempotency-key': 'bulk' });
    expect(again.body).toEqual(body);
    expect(await owner.eventsOf(later)).toEqual([]);
  });

  it('is refused with 409 while it is published, and stays as it is', async () => {
    const blog = await owner.newBlog();
    await publish(blog, {});
    const shown = await owner.show(blog);
    for (const command of ['publish', 'sync']) {
      const { status, body } = await owner.post(`/blogs/${blog.id}/${command}`, { published_at: after(DAY_MS) });
      expect([status, body.detail]).toEqual([409, expect.stringMatching(/date is in the future/)]);
    }
    expect(await owner.show(blog)).toEqual(shown);
    expect(await owner.eventsOf(blog)).toHaveLength(1);
  });

  it('is refused with 422 when it is further ahead than a schedule may be', async () => {
    const blog = await owner.newBlog();
    const { status, body } = await publish(blog, { published_at: after(3 * 366 * DAY_MS) });
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'published_at', message: expect.stringContaining('two years ahead') }],
    ]);
    expect(await owner.show(blog)).toMatchObject({ published_at: null, publish_at: null });
  });

  it('is not published by an earlier schedule that was set before the date', async () => {
    const blog = await owner.newBlog();
    await owner.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at: after(DAY_MS) } });
    const published_at = after(2 * DAY_MS);
    await owner.patch(`/blogs/${blog.id}`, { published_at });
    await service.query(`update blog set publish_at = now() - interval '1 second' where id = $1`, [blog.id]);
    await eventually(async () => expect((await owner.show(blog)).publish_at).toBe(published_at));
    expect((await owner.show(blog)).state).toBe('draft');
  });

  it('gives its date up to a schedule that is set after it', async () => {
    const blog = await owner.newBlog({ published_at: after(2 * DAY_MS) });
    const publish_at = after(DAY_MS);
    await owner.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at } });
    expect(await owner.show(blog)).toMatchObject({ published_at: null, publish_at });
  });
});
