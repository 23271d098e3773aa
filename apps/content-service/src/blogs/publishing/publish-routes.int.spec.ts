import { randomUUID } from 'node:crypto';
import { toEnvelope } from '@blog-content/event-log';
import {
  deliveriesTopic,
  servedTopic,
  type DeliveryEvent,
  type PublishedRevision,
} from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type Answer, type RunningService } from '../../../test/running-service.ts';

const unpublish = (blog: { id: string }) => owner.post(`/blogs/${blog.id}/unpublish`);

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

describe('publishing (spec §3, decisions “Lifecycle”)', () => {
  it('answers 202 with a pending manual publish, and the whole revision goes out', async () => {
    const target = await owner.newBlog({ title: 'Target' });
    await owner.publish(target);
    const blog = await owner.newBlog({
      title: 'First',
      content: `<p>See <a href="[INTERNAL:${target.slug}]">it</a> and [INTERNAL:nothing].</p>`,
      tags: ['a'],
      keyword: 'k',
    });
    const answer = await owner.publish(blog);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      ...{ blog_id: blog.id, blog_title: 'First' },
      ...{ trigger: 'manual', status: 'pending', revision: 1 },
    });
    expect((await owner.get(`/publishes/${answer.body.id}`)).body).toEqual(answer.body);
    const [event] = await owner.eventsOf(blog);
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

  it('every field that an author writes goes out', async () => {
    const everything = {
      title: 'Everything',
      content: '<p>one</p>',
      excerpt: 'x',
      meta_title: 'm',
      meta_description: 'd',
      featured_image_url: 'https://cdn.example/a.jpg',
      categories: ['c'],
      tags: ['t'],
      keyword: 'k',
    } satisfies Required<Omit<PublishedRevision, 'number' | 'slug'>>;
    const blog = await owner.newBlog(everything);
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({ revision: everything });
  });

  it('an edit changes the working copy only, until it is published again', async () => {
    const blog = await owner.newBlog({ title: 'Before' });
    await owner.publish(blog);
    await owner.patch(`/blogs/${blog.id}`, { title: 'After' });
    expect(await owner.show(blog)).toMatchObject({ title: 'After', state: 'published', has_unpublished_changes: true });
    expect(await owner.eventsOf(blog)).toHaveLength(1);
    await owner.publish(blog);
    expect(await owner.show(blog)).toMatchObject({ has_unpublished_changes: false });
    expect((await owner.eventsOf(blog))[1]).toMatchObject({
      blog_event_number: 2,
      revision: { number: 2, title: 'After' },
    });
  });

  it('an edit that changes nothing leaves nothing unpublished', async () => {
    const blog = await owner.newBlog({ title: 'Same', tags: ['a'], content: '<p>x</p>' });
    await owner.publish(blog);
    const before = await owner.show(blog);
    for (const same of [{}, { title: 'Same', tags: ['a'], content: '<p>x</p>', slug: blog.slug }]) {
      expect((await owner.patch(`/blogs/${blog.id}`, same)).body).toEqual(before);
    }
  });

  it('the publishes of a blog that does not exist, is deleted, or is another project’s are 404', async () => {
    const [gone, foreign] = [await owner.newBlog(), await (await owner.inNewProject()).newBlog()];
    await owner.publish(gone);
    await owner.remove(`/blogs/${gone.id}`);
    for (const id of [gone.id, foreign.id, randomUUID()]) {
      expect((await owner.get(`/blogs/${id}/publishes`)).status).toBe(404);
    }
  });

  it('a publish again and a sync keep when the publication began; an unpublish ends it', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    const began = (await owner.show(blog)).published_at;
    expect((await owner.post(`/blogs/${blog.id}/sync`)).status).toBe(202);
    expect((await owner.show(blog)).published_at).toBe(began);
    expect((await unpublish(blog)).body).toMatchObject({ state: 'unpublished', published_at: null });
    await owner.publish(blog);
    const events = await owner.eventsOf(blog);
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
    const blog = await owner.newBlog();
    expect((await owner.post(`/blogs/${blog.id}/sync`)).status).toBe(409);
    expect((await unpublish(blog)).status).toBe(409);
    expect(await owner.eventsOf(blog)).toEqual([]);
  });

  it('deleting a draft or an unpublished blog sends nothing, a published one blog.deleted', async () => {
    const [draft, unpublished, published] = [
      await owner.newBlog(),
      await owner.newBlog(),
      await owner.newBlog({ title: 'Gone' }),
    ];
    await owner.publish(unpublished);
    await unpublish(unpublished);
    await owner.publish(published);
    for (const blog of [draft, unpublished, published]) {
      expect((await owner.remove(`/blogs/${blog.id}`)).status).toBe(204);
      expect((await owner.get(`/blogs/${blog.id}`)).status).toBe(404);
      expect((await owner.publish(blog)).status).toBe(404);
      expect((await owner.remove(`/blogs/${blog.id}`)).status).toBe(404);
    }
    expect(await owner.eventsOf(draft)).toEqual([]);
    expect((await owner.eventsOf(unpublished)).map(({ event }) => event)).toEqual([
      'blog.published',
      'blog.unpublished',
    ]);
    expect((await owner.eventsOf(published))[1]).toMatchObject({
      event: 'blog.deleted',
      blog_event_number: 2,
      title: 'Gone',
    });
  });

  it('deletion leaves a tombstone and none of the content', async () => {
    const blog = await owner.newBlog({ content: '<p>secret</p>', tags: ['t'] });
    await owner.publish(blog);
    await owner.remove(`/blogs/${blog.id}`);
    const [row] = await service.query<Record<string, unknown>>('select * from blog where id = $1', [blog.id]);
    expect(row).toMatchObject({ id: blog.id, project_id: owner.project, title: '', content: '', slug: '', tags: [] });
    expect(row?.['deleted_at']).toBeInstanceOf(Date);
    expect(await service.query('select 1 from blog_revision where blog_id = $1', [blog.id])).toEqual([]);
  });

  it('concurrent publishes of one blog are numbered one after the other, one event each', async () => {
    const blog = await owner.newBlog();
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.publish(blog)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(202));
    expect((await owner.eventsOf(blog)).map(({ blog_event_number }) => blog_event_number)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
    const { items } = (await owner.get(`/blogs/${blog.id}/publishes`)).body;
    expect(items).toHaveLength(10);
  });

  it('takes placeholders out of all plain text that goes out, and leaves the working copy as it was written', async () => {
    const text = 'a [INTERNAL:x] %5binternal:y%5d b';
    const fields = { title: text, excerpt: text, meta_description: text, meta_title: '[INTERNAL:x]', keyword: text };
    const blog = await owner.newBlog({ ...fields, categories: [text], tags: ['&#91;INTERNAL:x&#93;', text] });
    await owner.publish(blog);
    await owner.remove(`/blogs/${blog.id}`);
    const [published, deleted] = await owner.eventsOf(blog);
    expect(published).toMatchObject({
      revision: {
        ...{ title: 'a b', excerpt: 'a b', meta_description: 'a b', meta_title: null, keyword: 'a b' },
        ...{ categories: ['a b'], tags: ['a b'] },
      },
    });
    expect(deleted).toMatchObject({ event: 'blog.deleted', title: 'a b' });
  });

  it('publishes no hero whose URL has a placeholder, of a draft from before they were refused', async () => {
    const blog = await owner.newBlog();
    const url = 'https://cdn.example/%5BINTERNAL:tea%5D.png';
    await service.query(`update blog set generated_images = array['${url}'] where id = '${blog.id}'`);
    expect((await owner.show(blog)).hero_image_url).toBeNull();
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({ revision: { featured_image_url: null } });
  });

  it('makes an excerpt without placeholders that tags kept apart', async () => {
    const blog = await owner.newBlog({ content: '<p>a <b>[</b>INTERNAL:missing] b</p><p>[INTER<em>NAL</em>:x] c</p>' });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({ revision: { excerpt: 'a b c' } });
  });

  it('takes the hero’s duplicate out of what is published, not out of the working copy', async () => {
    const hero = 'https://cdn.example/hero.jpg';
    const blog = await owner.newBlog({
      featured_image_url: hero,
      content: `<p><img src="${hero}" alt="" /></p><p>Text</p>`,
    });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({
      revision: { content: '<p>Text</p>', featured_image_url: hero },
    });
    expect((await owner.show(blog)).content).toContain(hero);
  });
});

describe('what became of a publish', () => {
  const ids = { lifecycle_event_id: randomUUID(), integration_id: randomUUID() };
  const tell = (...events: DeliveryEvent[]) =>
    service.eventLog.append(events.map((event) => toEnvelope(deliveriesTopic, event, { source: '/test' })));
  const planned = (publish: Answer['body'], ...deliveryIds: string[]): DeliveryEvent => ({
    event: 'deliveries.planned',
    project_id: owner.project,
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
    project_id: owner.project,
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
      const { body } = await owner.get(`/publishes/${publish.id}`);
      expect(body.status).toBe(status);
      return body;
    });

  it('succeeds at once with no integration', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    await tell(planned(body));
    expect((await shown(body, 'succeeded')).deliveries).toEqual([]);
  });

  it('shows the live URL and external id, or the notice that no public URL was returned', async () => {
    const { body } = await owner.publish(await owner.newBlog());
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
    const { body } = await owner.publish(await owner.newBlog());
    const id = randomUUID();
    const why = { outcome: 'failed' as const, reason: 'interrupted', detail: 'The process ended.', status_code: null };
    await tell(planned(body, id), finished(body, id, why));
    expect((await shown(body, 'failed')).deliveries[0]).toMatchObject({ status: 'failed', reason: 'interrupted' });
  });

  it('ends as its receiver answered when that becomes known after it was interrupted, and stays so', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    const [id, waiting] = [randomUUID(), randomUUID()];
    const interrupted = finished(body, id, { outcome: 'failed' as const, reason: 'interrupted', status_code: null });
    await tell(planned(body, id), interrupted);
    await shown(body, 'failed');
    await tell(finished(body, id, { live_url: 'https://site.example/a' }), interrupted, planned(body, waiting));
    await eventually(async () => {
      const { body: now } = await owner.get(`/publishes/${body.id}`);
      expect(now.deliveries).toHaveLength(2);
      expect(now.deliveries.find(({ delivery_id }: { delivery_id: string }) => delivery_id === id)).toMatchObject({
        status: 'succeeded',
        reason: null,
        live_url: 'https://site.example/a',
      });
    });
  });

  it('stays as it ended whatever becomes of a redelivery, which only tells where the post is now', async () => {
    const blog = await owner.newBlog();
    const [failed, succeeded] = [(await owner.publish(blog)).body, (await owner.publish(await owner.newBlog())).body];
    const why = { outcome: 'failed' as const, reason: 'status', detail: 'The receiver answered 500.' };
    const redelivered = (of: Answer['body'], more: object) =>
      finished(of, randomUUID(), { publish_id: null, redelivered_publish_id: of.id, ...more });
    const [first, second] = [randomUUID(), randomUUID()];
    await tell(
      planned(failed, first),
      finished(failed, first, why),
      planned(succeeded, second),
      finished(succeeded, second),
      { ...planned(failed, randomUUID()), publish_id: null, redelivered_publish_id: failed.id } as DeliveryEvent,
      redelivered(failed, { live_url: 'https://site.example/a', external_id: '7' }),
      redelivered(succeeded, why),
      redelivered({ ...failed, id: randomUUID() }, { live_url: 'https://site.example/unknown' }),
    );
    await eventually(async () =>
      expect((await owner.show(blog)).live_posts).toMatchObject([{ url: 'https://site.example/a', external_id: '7' }]),
    );
    expect((await shown(failed, 'failed')).deliveries).toMatchObject([{ delivery_id: first, status: 'failed' }]);
    expect((await shown(succeeded, 'succeeded')).deliveries).toMatchObject([
      { delivery_id: second, status: 'succeeded' },
    ]);
  });

  it('is not touched by how receivers fare, nor is what comes after held up', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    const receiver = { project_id: owner.project, integration_id: ids.integration_id, receiver: 'receiver.example' };
    const failing_since = '2026-11-21T08:00:00.000Z';
    const why = { reason: 'status', detail: 'The receiver answered 500.' };
    await tell(
      { event: 'integration.failing', ...receiver, failing_since, failed_deliveries: 5, ...why },
      { event: 'integration.recovered', ...receiver, failing_since, recovered_at: '2026-11-21T09:00:00.000Z' },
      planned(body),
    );
    expect((await shown(body, 'succeeded')).deliveries).toEqual([]);
  });

  it('names the receiver also when the outcome came before the plan', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    const id = randomUUID();
    await tell(finished(body, id), planned(body, id));
    expect((await shown(body, 'succeeded')).deliveries).toMatchObject([
      { delivery_id: id, status: 'succeeded', receiver: 'receiver.example' },
    ]);
  });

  it('shows when the next attempt is due, and no longer once it has ended, in whatever order that is told', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    const [waiting, ended] = [randomUUID(), randomUUID()];
    const retry = (delivery_id: string, attempts: number): DeliveryEvent => ({
      event: 'delivery.retry_planned',
      project_id: owner.project,
      blog_id: body.blog_id,
      publish_id: body.id,
      ...ids,
      delivery_id,
      attempts,
      reason: 'status',
      detail: 'The receiver answered 503.',
      status_code: 503,
      next_attempt_at: `2026-11-21T09:0${attempts}:00.000Z`,
    });
    await tell(planned(body, waiting, ended), finished(body, ended, { attempts: 3 }), retry(ended, 2));
    await tell(retry(waiting, 2), retry(waiting, 1), retry(waiting, 2));
    const deliveries = await eventually(async () => {
      const { deliveries } = await shown(body, 'pending');
      expect(deliveries.some(({ attempts }: { attempts: number }) => attempts === 2)).toBe(true);
      return deliveries as { delivery_id: string }[];
    });
    const of = (id: string) => deliveries.find(({ delivery_id }) => delivery_id === id);
    expect(of(waiting)).toMatchObject({
      status: 'pending',
      attempts: 2,
      next_attempt_at: '2026-11-21T09:02:00.000Z',
      status_code: 503,
      reason: 'status',
    });
    expect(of(ended)).toMatchObject({ status: 'succeeded', attempts: 3, next_attempt_at: null });
  });

  it('shows since when the public API serves it, told for it or for something newer of the blog', async () => {
    const blog = await owner.newBlog();
    const [first, second] = [(await owner.publish(blog)).body, (await owner.publish(blog)).body];
    const served = {
      event: 'blog.served' as const,
      project_id: owner.project,
      blog_id: blog.id,
      blog_event_number: 2,
      lifecycle_event_id: randomUUID(),
      served_at: '2026-11-21T09:00:00.000Z',
    };
    expect(second.served_at).toBeNull();
    await service.eventLog.append([toEnvelope(servedTopic, served, { source: '/test' })]);
    for (const { id } of [first, second]) {
      await eventually(async () => {
        expect((await owner.get(`/publishes/${id}`)).body.served_at).toBe(served.served_at);
      });
    }
  });

  it('stores the live URL and external id against the blog, until it is unpublished (spec §4.4)', async () => {
    const blog = await owner.newBlog();
    const { body: first } = await owner.publish(blog);
    const [a, b] = [randomUUID(), randomUUID()];
    await tell(planned(first, a), finished(first, a, { live_url: 'https://site.example/a', external_id: '7' }));
    await shown(first, 'succeeded');
    const { body: second } = await owner.publish(blog);
    await tell(planned(second, b), finished(second, b, { finished_at: '2026-11-21T10:00:00.000Z' }));
    await shown(second, 'succeeded');
    expect((await owner.show(blog)).live_posts).toEqual([
      {
        integration_id: ids.integration_id,
        receiver: 'receiver.example',
        url: 'https://site.example/a',
        external_id: '7',
      },
    ]);
    expect((await unpublish(blog)).body.live_posts).toEqual([]);
  });

  it('lists the publishes of the project, by blog and by trigger, newest first', async () => {
    const other = await owner.inNewProject();
    const [a, b] = [await other.newBlog(), await other.newBlog()];
    const published = [await other.publish(a), await other.publish(b), await other.publish(a)];
    const [first, second, third] = published.map(({ body }) => body.id as string);
    const idsOf = async (query: string) =>
      (await other.get(`/publishes${query}`)).body.items.map((item: { id: string }) => item.id);
    expect(await idsOf('')).toEqual([third, second, first]);
    expect(await idsOf(`?blog_id=${a.id}`)).toEqual([third, first]);
    expect(await idsOf('?trigger=autopilot')).toEqual([]);
    expect((await other.get('/publishes?trigger=magic')).status).toBe(400);
  });

  it('stays the same when events come again or in another order', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    const id = randomUUID();
    await tell(finished(body, id), planned(body, id), finished(body, id), planned(body, id));
    expect((await shown(body, 'succeeded')).deliveries).toHaveLength(1);
  });
});

describe('what an agent generated', () => {
  it('gives the hero when the post has no dedicated one (spec §2.4.2), and leaves the body', async () => {
    const [first, second] = ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'];
    const content = `<p><img src="${first}" alt="" /></p><p><img src="${second}" alt="" /></p>`;
    const blog = await owner.newBlog({ generated_images: [first, second], content });
    expect(await owner.show(blog)).toMatchObject({ featured_image_url: null, hero_image_url: first });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({
      revision: { featured_image_url: first, content: `<p><img src="${second}" alt="" /></p>` },
    });
    await owner.patch(`/blogs/${blog.id}`, { featured_image_url: second });
    expect((await owner.show(blog)).hero_image_url).toBe(second);
  });
});

describe('history', () => {
  it('keeps the newest 1,000 revisions and publishes of a blog', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    await service.query('update blog set revision = 1000 where id = $1', [blog.id]);
    await service.query('update blog_revision set number = 1000 where blog_id = $1', [blog.id]);
    await service.query(
      `insert into blog_revision (blog_id, number, title, slug, content, published_at)
       select $1::uuid, number, 'Old', 'old', '', now() from generate_series(1, 999) as number`,
      [blog.id],
    );
    expect((await owner.publish(blog)).status).toBe(202);
    const [kept] = await service.query<{ count: string; oldest: number }>(
      'select count(*), min(number) as oldest from blog_revision where blog_id = $1',
      [blog.id],
    );
    expect(kept).toEqual({ count: '1000', oldest: 2 });
    expect((await owner.get(`/blogs/${blog.id}/publishes`)).body.items).toHaveLength(1);
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
