import { randomUUID } from 'node:crypto';
import { deliveryEvent } from '@blog-content/payload-schemas';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog, type TestBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import type { Verdict } from '../http/judge.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(async () => {
  await queue.clear();
});
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim, claimOne, record } = attemptsOn(() => queue);
const START = Date.parse('2026-11-21T09:00:00.000Z');
const atMinute = (minute: number) => new Date(START + minute * 60_000);

/** One delivery of a new post that ends like this, at this minute. */
const end = async (blog: TestBlog, verdict: Verdict, minute: number) => {
  await plan(testBlog(blog.projectId).published({ trigger: 'autopilot' }));
  expect(await record(await claimOne(), verdict, { endedAt: atMinute(minute) })).toBe(true);
};
const state = async (id: string) =>
  (
    await queue.query('SELECT failed_in_row, failing_since, failing_reason, active FROM integration WHERE id = $1', [
      id,
    ])
  )[0];
const news = async () => (await queue.outbox()).filter(({ event }) => event.startsWith('integration.'));
const HEALTHY = { failed_in_row: 0, failing_since: null, failing_reason: null, active: true };

describe('a receiver that only fails', () => {
  it('is not failing if it also succeeds: a failure and a later success recorded together count in order', async () => {
    const project = randomUUID();
    const id = await queue.addIntegration(project);
    await plan(...Array.from({ length: 6 }, () => testBlog(project).published({ trigger: 'autopilot' })));
    const [first, ...others] = await claim();
    if (first === undefined) throw new Error('nothing was claimed');
    // While the first is being recorded the others wait, and are recorded by one statement.
    const ends = others.map((held, index) =>
      record(held, index === 4 ? SUCCEEDED : FAILED, { endedAt: atMinute(20 * index) }),
    );
    expect(await Promise.all([record(first, SUCCEEDED, { endedAt: atMinute(0) }), ...ends])).not.toContain(false);
    expect(await state(id)).toEqual(HEALTHY);
  });

  it('is flagged, with one notice, after five failures in a row over an hour, and stays active', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    for (const minute of [0, 10, 20, 30, 59]) await end(blog, FAILED, minute);
    expect(await news()).toEqual([]);
    expect(await state(id)).toEqual({ ...HEALTHY, failed_in_row: 5 });
    expect(await queue.integrations.countFailing(20)).toEqual(new Map());

    await end(blog, FAILED, 60);
    expect(await queue.integrations.countFailing(20)).toEqual(new Map([[blog.projectId, 1]]));
    expect(await state(id)).toEqual({
      failed_in_row: 6,
      failing_since: atMinute(0),
      failing_reason: 'The receiver answered 500.',
      active: true,
    });
    for (const minute of [61, 62]) await end(blog, FAILED, minute);
    const sent = await news();
    expect(sent).toEqual([
      {
        event: 'integration.failing',
        project_id: blog.projectId,
        integration_id: id,
        receiver: 'receiver.example:8443',
        failing_since: '2026-11-21T09:00:00.000Z',
        failed_deliveries: 6,
        reason: 'status',
        detail: 'The receiver answered 500.',
      },
    ]);
    expect(deliveryEvent.parse(sent[0])).toEqual(sent[0]);
    const [row] = await queue.query(
      `SELECT topic, type, source, key, partition_key, time FROM outbox WHERE type = 'integration.failing'`,
    );
    expect(row).toEqual({
      topic: 'blog.deliveries',
      type: 'integration.failing',
      source: '/webhook-dispatcher',
      key: id,
      partition_key: blog.projectId,
      time: atMinute(60),
    });
  });

  it('is not flagged by many failures in a short time, nor by few over a long time', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    for (let count = 0; count < 8; count += 1) await end(blog, FAILED, 0);
    expect(await state(id)).toMatchObject({ failing_since: null });
    await end(blog, SUCCEEDED, 1);
    for (const minute of [2, 200, 400, 600]) await end(blog, FAILED, minute);
    expect(await state(id)).toMatchObject({ failed_in_row: 4, failing_since: null });
    expect(await news()).toEqual([]);
  });

  it('has recovered with its next success, which is announced once and restarts the count', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    for (const minute of [0, 15, 30, 45, 60]) await end(blog, FAILED, minute);
    for (const minute of [70, 71]) await end(blog, SUCCEEDED, minute);
    expect(await state(id)).toEqual(HEALTHY);
    expect((await news()).slice(1)).toEqual([
      {
        event: 'integration.recovered',
        project_id: blog.projectId,
        integration_id: id,
        receiver: 'receiver.example:8443',
        failing_since: '2026-11-21T09:00:00.000Z',
        recovered_at: '2026-11-21T10:10:00.000Z',
      },
    ]);
    for (const minute of [80, 90, 100, 120, 140]) await end(blog, FAILED, minute);
    expect((await news()).map(({ event }) => event)).toEqual([
      'integration.failing',
      'integration.recovered',
      'integration.failing',
    ]);
    expect((await news())[2]).toMatchObject({ failed_deliveries: 5, failing_since: '2026-11-21T10:20:00.000Z' });
  });

  it('is judged by ended deliveries, not by waiting retries or attempts that the service aborted', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    for (const minute of [0, 30, 60, 90, 120, 150]) {
      await end(blog, { kind: 'failed', reason: 'interrupted', detail: 'The service stopped.' }, minute);
    }
    await plan(blog.published({ trigger: 'autopilot' }));
    await record(await claimOne(), retryIn(60_000), { endedAt: atMinute(200) });
    expect(await state(id)).toEqual(HEALTHY);
  });

  it('is announced once when its deliveries end at the same time, without affecting others', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    await end(blog, FAILED, 0);
    const healthy = await queue.addIntegration(blog.projectId);
    await plan(...Array.from({ length: 12 }, () => testBlog(blog.projectId).published()));
    const claimed = await claim();
    expect(claimed).toHaveLength(24);
    await Promise.all(
      claimed.map((delivery) =>
        record(delivery, delivery.integrationId === id ? FAILED : SUCCEEDED, { endedAt: atMinute(90) }),
      ),
    );
    expect(await state(id)).toMatchObject({ failed_in_row: 13, failing_since: atMinute(0) });
    expect(await state(healthy)).toEqual(HEALTHY);
    expect(await news()).toMatchObject([{ event: 'integration.failing', integration_id: id, failed_deliveries: 5 }]);
  });

  it('is not announced by a worker that has lost the delivery to another attempt and records nothing', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    for (const minute of [0, 15, 30, 45]) await end(blog, FAILED, minute);
    await plan(blog.published());
    const claimed = await claimOne();
    const lost = { ...claimed, leaseToken: randomUUID(), attempt: claimed.attempt - 1 };
    expect(await record(lost, FAILED, { endedAt: atMinute(90) })).toBe(false);
    expect(await state(id)).toMatchObject({ failed_in_row: 4 });
    expect(await news()).toEqual([]);
  });
});
