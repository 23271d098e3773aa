import { randomUUID } from 'node:crypto';
import { deliveryEvent } from '@blog-content/payload-schemas';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(async () => {
  await queue.clear();
});
afterAll(async () => {
  await queue[Symbol.asyncDispose]();
});

const { plan, claim, claimOne, record, statuses, outcomeEvents, expireLeases, reclaim, makeAllDue } = attemptsOn(
  () => queue,
);
const finished = () => outcomeEvents('delivery.finished');
const planned = () => outcomeEvents('delivery.retry_planned');

describe('retries', () => {
  const planAutopilot = async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published({ trigger: 'autopilot' }));
    return blog;
  };

  it('wait in the table until they are due, and keep counting', async () => {
    await planAutopilot();
    await record(await claimOne(), retryIn(60_000));
    expect(await claim()).toEqual([]);
    await makeAllDue();
    expect((await claimOne()).attempt).toBe(2);
    expect(await finished()).toEqual([]);
  });

  it('are announced with the error and the time of the next attempt, in the attempt’s transaction', async () => {
    const blog = await planAutopilot();
    const claimed = await claimOne();
    await record(claimed, retryIn(60_000), { statusCode: null });
    const [waiting] = await queue.query<{ due_at: Date }>('SELECT due_at FROM delivery_queue');
    expect(await planned()).toEqual([
      {
        event: 'delivery.retry_planned',
        project_id: blog.projectId,
        blog_id: blog.id,
        lifecycle_event_id: claimed.lifecycleEventId,
        publish_id: claimed.publishId,
        delivery_id: claimed.id,
        integration_id: claimed.integrationId,
        attempts: 1,
        reason: 'timeout',
        detail: 'No answer.',
        status_code: null,
        next_attempt_at: waiting?.due_at.toISOString(),
      },
    ]);
    expect(deliveryEvent.parse((await planned())[0])).toEqual((await planned())[0]);
  });

  it('are announced after each attempt, and the final outcome once', async () => {
    await planAutopilot();
    for (const statusCode of [500, 502, 503]) await record(await claimOne(), retryIn(0), { statusCode });
    await record(await claimOne(), SUCCEEDED);
    expect((await planned()).map(({ attempts, status_code }) => [attempts, status_code])).toEqual([
      [1, 500],
      [2, 502],
      [3, 503],
    ]);
    expect(await finished()).toMatchObject([{ outcome: 'succeeded', attempts: 4 }]);
  });

  it('are announced with the trace of the change they go back to', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await plan({ ...blog.published({ trigger: 'autopilot' }), traceparent });
    await record(await claimOne(), retryIn(60_000));
    expect(await queue.query(`SELECT topic, traceparent FROM outbox WHERE type = 'delivery.retry_planned'`)).toEqual([
      { topic: 'blog.deliveries', traceparent },
    ]);
  });

  it('whose lease was lost to a later attempt are not announced, nor is a failure', async () => {
    await planAutopilot();
    const lost = await claimOne();
    await expireLeases();
    const [taken] = await reclaim();
    expect(await record({ ...lost, ...taken }, retryIn(0))).toBe(true);
    expect(await planned()).toHaveLength(1);
    await claimOne();
    expect(await record(lost, retryIn(60_000))).toBe(false);
    expect(await record(lost, FAILED)).toBe(false);
    expect(await planned()).toHaveLength(1);
    expect(await finished()).toEqual([]);
  });

  it('are superseded by a newer event of the blog, which is then due immediately', async () => {
    const blog = await planAutopilot();
    await record(await claimOne(), retryIn(60_000));
    const newer = blog.published({ trigger: 'autopilot' });
    await plan(newer);
    expect(await statuses()).toEqual(['superseded', 'pending']);
    expect(await finished()).toMatchObject([{ outcome: 'superseded', reason: null, attempts: 1 }]);
    expect((await claimOne()).lifecycleEventId).toBe(newer.id);
  });

  it('are superseded also when the newer event came during the attempt', async () => {
    const blog = await planAutopilot();
    const claimed = await claimOne();
    await plan(blog.unpublished());
    expect(await statuses()).toEqual(['in_flight', 'pending']);
    await record(claimed, retryIn(60_000));
    expect(await statuses()).toEqual(['superseded', 'pending']);
    expect(await planned()).toEqual([]);
    expect(await finished()).toMatchObject([{ outcome: 'superseded', attempts: 1 }]);
  });

  it('are superseded also when the newer event came while they were claimed, and the claim is given back', async () => {
    const blog = await planAutopilot();
    await record(await claimOne(), retryIn(0));
    const claimed = await claimOne();
    await plan(blog.unpublished());
    await queue.deliveries.release(claimed);
    expect(await statuses()).toEqual(['superseded', 'pending']);
    expect(await finished()).toMatchObject([{ outcome: 'superseded', attempts: 1 }]);
  });

  it('are superseded in any interleaving of recording and planning', async () => {
    for (let round = 0; round < 15; round += 1) {
      const blog = await planAutopilot();
      const claimed = await claimOne();
      await Promise.all([record(claimed, retryIn(60_000)), plan(blog.unpublished())]);
      await record(await claimOne(), SUCCEEDED);
    }
    expect((await statuses()).filter((status) => status === 'superseded')).toHaveLength(15);
    // Announced exactly where the retry was going to happen: never after its delivery has ended.
    const sent = (await queue.outbox()).filter(({ event }) => event !== 'deliveries.planned');
    for (const [index, { event, delivery_id }] of sent.entries()) {
      if (event !== 'delivery.retry_planned') continue;
      const before = sent.slice(0, index).filter((earlier) => earlier['delivery_id'] === delivery_id);
      expect(before).toEqual([]);
    }
  });

  it('that come together are recorded by one transaction, as silent receivers time out together', async () => {
    for (let receiver = 0; receiver < 20; receiver += 1) await planAutopilot();
    const claimed = await claim();
    const recorded = await Promise.all(claimed.map((delivery) => record(delivery, retryIn(60_000))));
    expect(recorded).toEqual(claimed.map(() => true));
    expect(
      await queue.query('SELECT count(DISTINCT xmin::text)::integer AS transactions FROM delivery_attempt'),
    ).toEqual([{ transactions: 1 }]);
    expect(new Set((await planned()).map(({ delivery_id }) => delivery_id))).toEqual(
      new Set(claimed.map(({ id }) => id)),
    );
  });

  it('that come together are each judged separately', async () => {
    const [waits, overtaken, gone, lost] = [
      await planAutopilot(),
      await planAutopilot(),
      await planAutopilot(),
      await planAutopilot(),
    ];
    const claimed = await claim();
    const of = (blog: typeof waits) => claimed.find(({ blogId }) => blogId === blog.id)!;
    await plan(overtaken.unpublished());
    await queue.integrations.remove(gone.projectId, of(gone).integrationId);
    await queue.query('UPDATE delivery SET lease_token = $1, attempts = 2 WHERE id = $2', [randomUUID(), of(lost).id]);
    const together = [waits, overtaken, gone, lost].map((blog) => record(of(blog), retryIn(60_000)));
    expect(await Promise.all(together)).toEqual([true, true, true, false]);
    expect(await planned()).toMatchObject([{ delivery_id: of(waits).id }]);
    expect(new Map((await finished()).map(({ delivery_id, outcome }) => [delivery_id, outcome]))).toEqual(
      new Map([
        [of(overtaken).id, 'superseded'],
        [of(gone).id, 'failed'],
      ]),
    );
    expect(await statuses()).toEqual(['pending', 'superseded', 'failed', 'in_flight', 'pending']);
  });

  it('are recorded beside one that the database refuses, which is refused alone', async () => {
    for (let receiver = 0; receiver < 3; receiver += 1) await planAutopilot();
    const claimed = await claim();
    const results = await Promise.allSettled(
      claimed.map((delivery, index) => record(delivery, retryIn(60_000), index === 1 ? { event: '\0' } : {})),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await statuses()).toEqual(['pending', 'in_flight', 'pending']);
  });

  it('a delivery that was never attempted is not superseded, but sent first', async () => {
    const blog = await planAutopilot();
    await plan(blog.published({ trigger: 'autopilot' }));
    expect(await statuses()).toEqual(['pending', 'pending']);
  });

  it('a retry of another blog, and at another receiver, stays', async () => {
    const blog = await planAutopilot();
    await record(await claimOne(), retryIn(60_000));
    await plan(testBlog(blog.projectId).published());
    expect(await statuses()).toEqual(['pending', 'pending']);
  });
});
