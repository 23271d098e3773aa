import { randomUUID } from 'node:crypto';
import { toEnvelope } from '@blog-content/event-log';
import { deliveriesTopic, servedTopic, type DeliveryEvent } from '@blog-content/payload-schemas';
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
  const retry = (publish: Answer['body'], delivery_id: string, attempts: number): DeliveryEvent => ({
    event: 'delivery.retry_planned',
    project_id: owner.project,
    blog_id: publish.blog_id,
    publish_id: publish.id,
    ...ids,
    delivery_id,
    attempts,
    reason: 'status',
    detail: 'The receiver answered 503.',
    status_code: 503,
    next_attempt_at: `2026-11-21T09:0${attempts}:00.000Z`,
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
      { live_url: null, notice: 'The endpoint returned no public URL for this post.' },
    ]);
  });

  it('is planned, tried again and ended at a hundred receivers by a few statements: nobody else waits for them', async () => {
    await service.query(`
      CREATE TABLE counted (at timestamptz DEFAULT now());
      CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO counted DEFAULT VALUES; RETURN NULL; END';
      CREATE TRIGGER counted AFTER INSERT OR UPDATE ON publish_delivery
        FOR EACH STATEMENT EXECUTE FUNCTION count_statement()`);
    const { body } = await owner.publish(await owner.newBlog());
    const deliveries = Array.from({ length: 100 }, () => randomUUID());
    await tell(
      planned(body, ...deliveries),
      ...deliveries.map((id) => retry(body, id, 1)),
      ...deliveries.map((id) => finished(body, id, { attempts: 2 })),
    );
    expect((await shown(body, 'succeeded')).deliveries).toHaveLength(100);
    // Each is an insert and an update; what is appended together may come in parts.
    expect((await service.query('SELECT FROM counted')).length).toBeLessThan(60);
    await service.query('DROP TRIGGER counted ON publish_delivery');
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

  it('stays as it ended whatever becomes of a redelivery, which only tells where the post is now, and since when', async () => {
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
    const recovered_at = '2026-11-21T09:00:00.000Z';
    expect((await shown(failed, 'failed')).deliveries).toMatchObject([
      { delivery_id: first, status: 'failed', recovered_at },
    ]);
    expect((await shown(succeeded, 'succeeded')).deliveries).toMatchObject([
      { delivery_id: second, status: 'succeeded', recovered_at: null },
    ]);
  });

  it('has failed deliveries that recover at a receiver which gets a newer publish, and only there', async () => {
    const blog = await owner.newBlog();
    const [older, newer] = [(await owner.publish(blog)).body, (await owner.publish(blog)).body];
    const elsewhere = { integration_id: randomUUID() };
    const failed = { outcome: 'failed' as const, reason: 'status', detail: 'The receiver answered 500.' };
    const [first, second] = [randomUUID(), randomUUID()];
    await tell(
      planned(older, first),
      finished(older, first, failed),
      finished(older, second, { ...failed, ...elsewhere }),
      finished(newer, randomUUID(), { finished_at: '2026-11-21T10:00:00.000Z' }),
      planned(newer),
    );
    await shown(newer, 'succeeded');
    const { deliveries } = await shown(older, 'failed');
    const recovered = deliveries.map((each: Answer['body']) => [each.delivery_id, each.recovered_at]);
    expect(new Map(recovered)).toEqual(
      new Map([
        [first, '2026-11-21T10:00:00.000Z'],
        [second, null],
      ]),
    );
  });

  it('is live while the public API serves it, whatever became of its deliveries', async () => {
    const blog = await owner.newBlog();
    const isLive = async ({ id }: Answer['body']) => (await owner.get(`/publishes/${id}`)).body.live as boolean;
    const { body: first } = await owner.publish(blog);
    const id = randomUUID();
    await tell(planned(first, id), finished(first, id, { outcome: 'failed' as const, reason: 'status' }));
    await shown(first, 'failed');
    expect(await isLive(first)).toBe(false);
    const serve = (number: number) =>
      service.eventLog.append([
        toEnvelope(
          servedTopic,
          {
            event: 'blog.served',
            project_id: owner.project,
            blog_id: blog.id,
            blog_event_number: number,
            lifecycle_event_id: ids.lifecycle_event_id,
            served_at: '2026-11-21T09:00:00.000Z',
          },
          { source: '/test' },
        ),
      ]);
    await serve(1);
    await eventually(async () => expect(await isLive(first)).toBe(true));
    const { body: second } = await owner.publish(blog);
    expect([await isLive(first), await isLive(second)]).toEqual([false, false]);
    await serve(2);
    await eventually(async () => expect(await isLive(second)).toBe(true));
    await unpublish(blog);
    expect(await isLive(second)).toBe(false);
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
    await tell(planned(body, waiting, ended), finished(body, ended, { attempts: 3 }), retry(body, ended, 2));
    await tell(retry(body, waiting, 2), retry(body, waiting, 1), retry(body, waiting, 2));
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

  it('stores the live URL and external id against the blog, until it is unpublished (contract §4.4)', async () => {
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

  it('lists publishes by outcome: a failure counts until the destination has the post', async () => {
    const other = await owner.inNewProject();
    const publishes = [await other.publish(await other.newBlog()), await other.publish(await other.newBlog())];
    const [first, second] = publishes.map(({ body }) => body) as [Answer['body'], Answer['body']];
    const idsOf = async (outcome: string) =>
      (await other.get(`/publishes?outcome=${outcome}`)).body.items.map((item: { id: string }) => item.id);
    const about = (event: DeliveryEvent): DeliveryEvent => ({ ...event, project_id: other.project });
    expect(await idsOf('pending')).toEqual([second.id, first.id]);
    const id = randomUUID();
    await tell(
      about(planned(first, id)),
      about(finished(first, id, { outcome: 'failed', reason: 'status', status_code: 500 })),
      about(planned(second)),
    );
    await eventually(async () => expect(await idsOf('failed')).toEqual([first.id]));
    await eventually(async () => expect(await idsOf('delivered')).toEqual([second.id]));
    expect(await idsOf('pending')).toEqual([]);
    expect((await other.get('/publishes?scheduled=true')).body.items).toEqual([]);
    expect((await other.get('/publishes?scheduled=false')).body.items).toHaveLength(2);
  });

  it('stays the same when events come again or in another order', async () => {
    const { body } = await owner.publish(await owner.newBlog());
    const id = randomUUID();
    await tell(finished(body, id), planned(body, id), finished(body, id), planned(body, id));
    expect((await shown(body, 'succeeded')).deliveries).toHaveLength(1);
  });
});
