import { redeliverFailedResult } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { testBlog, type TestBlog } from '../../test/events.ts';
import { prepareSecureGround, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls, type WebhookCalls } from '../../test/webhook-calls.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
beforeEach(() => {
  on.receiver.clear();
  works();
});
afterAll(() => on[Symbol.asyncDispose]());

const works = () => on.receiver.respondWith(() => ({ body: { ok: true } }));
const fails = () => on.receiver.respondWith(() => ({ status: 500 }));
const newReceiver = async () => {
  const project = await on.newProject();
  return { project, calls: await webhookCalls(on, project) };
};
/** A publish that fails; its delivery. */
const failed = async (event: Parameters<SecureGround['deliver']>[0]) => {
  fails();
  const [outcome] = await on.deliver(event);
  works();
  expect(outcome?.outcome).toBe('failed');
  return outcome?.delivery_id ?? '';
};
const ended = (calls: WebhookCalls, deliveryId: string) =>
  eventually(async () => {
    const { body } = await calls.detail(deliveryId);
    if (body.finished_at === null) throw new Error('it has not ended yet');
    return body;
  });
const last = (blog: TestBlog) => on.requestsOf(blog.id).at(-1);

describe('a redelivery', () => {
  it('is a new manual delivery of what is published now: 202, with its own log entry', async () => {
    const { project, calls } = await newReceiver();
    const { blog } = project;
    const first = await failed(blog.published({ revision: { title: 'Then' } }));
    const publish = blog.published({ trigger: 'autopilot', revision: { title: 'Now' } });
    fails();
    await on.deliver(publish);
    works();

    const { status, headers, body } = await calls.redeliver(first);
    expect(status).toBe(202);
    expect(headers.get('location')).toContain(`/deliveries/${body.id}`);
    expect(body).toMatchObject({
      kind: 'redelivery',
      trigger: 'manual',
      blog_id: blog.id,
      publish_id: publish.data.publish_id,
    });
    expect(body.id).not.toBe(first);
    const delivery = await ended(calls, body.id);
    expect(delivery).toMatchObject({ status: 'succeeded', event: 'blog.published', attempts: [{ number: 1 }] });
    expect(last(blog)?.json()).toMatchObject({ event: 'blog.published', title: 'Now' });
    expect(last(blog)?.signature).toBe('valid');
    expect((await calls.detail(first)).body).toMatchObject({ status: 'failed' });
  });

  it('carries nothing of the autopilot, even if it published (contract §2.5, §5.2.4)', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published({ trigger: 'autopilot' }));
    expect(last(project.blog)?.json()).toHaveProperty('idempotency_key');
    await ended(calls, (await calls.redeliver(id)).body.id);
    const request = last(project.blog);
    for (const field of ['idempotency_key', 'publish_attempt']) expect(request?.json()).not.toHaveProperty(field);
    expect(request?.headers).not.toHaveProperty('x-legacy-signature');
  });

  it('is finalized when it is requested, so that a receiver’s replay check accepts it (contract §5.2.7)', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published({ published_at: '2026-01-01T00:00:00.000Z' }));
    const { body } = await calls.redeliver(id);
    await ended(calls, body.id);
    expect(last(project.blog)?.json()['published_at']).toBe(body.created_at);
  });

  it('is attempted once, like every manual delivery', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published({ trigger: 'autopilot' }));
    fails();
    on.receiver.clear();
    expect(await ended(calls, (await calls.redeliver(id)).body.id)).toMatchObject({ status: 'failed', attempts: [{}] });
    expect(on.requestsOf(project.blog.id)).toHaveLength(1);
  });

  it('is blog.updated if the receiver has the post', async () => {
    const { project, calls } = await newReceiver();
    await on.deliver(project.blog.published());
    const id = await failed(project.blog.published());
    await ended(calls, (await calls.redeliver(id)).body.id);
    expect(last(project.blog)?.json()['event']).toBe('blog.updated');
  });

  it('announces its outcome with the publish whose content it sent', async () => {
    const { project, calls } = await newReceiver();
    const publish = project.blog.published();
    const id = await failed(publish);
    on.receiver.respondWith(() => ({ body: { url: 'https://site.example/tea' } }));
    const { body } = await calls.redeliver(id);
    await ended(calls, body.id);
    const sent = await eventually(() => {
      const events = on.ground.outcomesOf(publish.id).slice(2);
      if (events.length < 2) throw new Error('not told yet');
      return events;
    });
    const redelivered = { publish_id: null, redelivered_publish_id: publish.data.publish_id };
    expect(sent).toMatchObject([
      { event: 'deliveries.planned', ...redelivered, deliveries: [{ delivery_id: body.id }] },
      { event: 'delivery.finished', ...redelivered, outcome: 'succeeded', live_url: 'https://site.example/tea' },
    ]);
  });

  it('is refused while one is under way: a double click sends once', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published());
    on.receiver.clear();
    const answered = Promise.withResolvers<object>();
    on.receiver.respondWith(() => answered.promise);
    const answers = await Promise.all([calls.redeliver(id), calls.redeliver(id), calls.redeliver(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
    await on.receiver.waitFor(() => true);
    expect(await calls.redeliver(id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('still in progress') as string },
    });
    answered.resolve({});
    await ended(calls, answers.find(({ status }) => status === 202)?.body.id ?? '');
    expect(on.requestsOf(project.blog.id)).toHaveLength(1);
    expect((await calls.redeliver(id)).status).toBe(202);
  });

  it('is sent before later publishes', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published({ revision: { title: 'One' } }));
    on.receiver.clear();
    on.receiver.respondWith(() => ({ delayMs: 200 }));
    await calls.redeliver(id);
    await on.deliver(project.blog.published({ revision: { title: 'Two' } }), 1);
    expect(on.requestsOf(project.blog.id).map((request) => request.json()['title'])).toEqual(['One', 'Two']);
  });

  it('never brings back a post that was unpublished since: 409 says so', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published());
    await on.deliver(project.blog.unpublished());
    on.receiver.clear();
    expect(await calls.redeliver(id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('no longer published') as string },
    });
    expect(on.receiver.requests).toEqual([]);
  });

  it('repeats an unpublish or a delete, as the compact payload', async () => {
    const { project, calls } = await newReceiver();
    await on.deliver(project.blog.published());
    for (const event of [project.blog.unpublished('autopilot'), project.blog.deleted()]) {
      const id = await failed(event);
      expect(await ended(calls, (await calls.redeliver(id)).body.id)).toMatchObject({ publish_id: null });
      const { event: name, title } = event.data as { event: string; title: string };
      expect(last(project.blog)?.json()).toEqual({ event: name, blog_id: project.blog.id, title });
    }
  });

  it('is refused for an inactive receiver, a test, and unknown ids', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published());
    const { delivery_id: test } = (await calls.test()).body;
    expect((await calls.redeliver(test)).status).toBe(409);
    await on.changeIntegration(project, { active: false });
    expect(await calls.redeliver(id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Activate') as string },
    });
    const other = await newReceiver();
    expect((await other.calls.redeliver(id)).status).toBe(404);
    expect((await other.calls.redeliver('x')).status).toBe(404);
  });

  it('is for owners only', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published());
    expect((await calls.redeliver(id, calls.editor)).status).toBe(403);
    expect((await calls.redeliverFailed(new Date(), calls.editor)).status).toBe(403);
  });

  it('still has the content long after the publish', async () => {
    const { project, calls } = await newReceiver();
    const id = await failed(project.blog.published({ revision: { title: 'Kept' } }));
    await on.ground.query(`UPDATE lifecycle_event SET planned_at = now() - interval '20 days'`);
    await ended(calls, (await calls.redeliver(id)).body.id);
    expect(last(project.blog)?.json()['title']).toBe('Kept');
  });
});

describe('redelivering all failures since a time', () => {
  interface Result {
    created: number;
    deliveries: { id: string; blog_id: string }[];
    refused: { blog_id: string; reason: string }[];
    more: boolean;
  }

  it('makes one delivery for each blog whose newest delivery has failed, and says which it refuses', async () => {
    const { project, calls } = await newReceiver();
    const [twice, once, later, gone, early] = [
      project.blog,
      ...[1, 2, 3, 4].map(() => testBlog(project.projectId)),
    ] as [TestBlog, TestBlog, TestBlog, TestBlog, TestBlog];
    await failed(early.published());
    await on.ground.query(
      `UPDATE failed_delivery f SET failed_at = now() - interval '1 hour'
       FROM delivery d WHERE d.id = f.delivery_id AND d.blog_id = $1`,
      [early.id],
    );
    const since = new Date(Date.now() - 60_000);
    await failed(twice.published({ revision: { title: 'First' } }));
    await failed(twice.published({ revision: { title: 'Second' } }));
    await failed(once.published());
    // This one has arrived since.
    await failed(later.published());
    await on.deliver(later.published());
    // And this one was taken down while the receiver was switched off.
    await failed(gone.published());
    await on.changeIntegration(project, { active: false });
    await on.ground.append(gone.unpublished());
    await eventually(() =>
      expect(on.ground.outcomes.filter((event) => 'blog_id' in event && event.blog_id === gone.id)).toHaveLength(3),
    );
    expect((await calls.redeliverFailed(since)).status).toBe(409);
    await on.changeIntegration(project, { active: true });

    on.receiver.clear();
    const { status, body } = await calls.redeliverFailed<Result>(since);
    expect(status).toBe(202);
    expect(redeliverFailedResult.parse(body)).toEqual(body);
    expect(body).toMatchObject({ created: 2, more: false });
    expect(body.deliveries.map(({ blog_id }) => blog_id)).toEqual([twice.id, once.id]);
    expect(body.refused).toMatchObject([{ blog_id: gone.id, reason: 'not_published' }]);
    for (const { id } of body.deliveries) expect(await ended(calls, id)).toMatchObject({ status: 'succeeded' });
    expect(on.receiver.requests).toHaveLength(2);
    expect(last(twice)?.json()['title']).toBe('Second');

    // Nothing is left to do.
    expect((await calls.redeliverFailed<Result>(since)).body).toMatchObject({ created: 0, deliveries: [] });
    expect((await calls.redeliverFailed<Result>(new Date(0))).body).toMatchObject({ created: 1 });
  });

  it.each([{}, { since: 'yesterday' }, { since: null }])('requires a time: %j is refused', async (body) => {
    const { project } = await newReceiver();
    const path = `/projects/${project.projectId}/webhooks/${project.integrationId}/redeliver-failed`;
    expect((await on.dispatcher.call('POST', path, on.owner, body)).status).toBe(422);
  });
});
