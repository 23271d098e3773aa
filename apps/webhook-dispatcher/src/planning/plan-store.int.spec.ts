import { randomUUID } from 'node:crypto';
import { startSilentRelay } from '@blog-content/testing';
import { UNLIMITED } from '../../test/attempts.ts';
import { projectDeleted, projectSaved, servedEvent, testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase, openQueuePool } from '../database/open-database.ts';
import type { AttemptRecord } from '../queue/result-statements.ts';
import { createEventCache } from '../payload/event-cache.ts';
import { createPlanStore } from './plan-store.ts';

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

const plan = (...events: Parameters<TestQueue['plans']['plan']>[0]) =>
  queue.plans.plan(events, { servedWaitMs: 2_000 });
const serve = (...events: ReturnType<typeof servedEvent>[]) =>
  queue.plans.markServed(events.map((event) => event.data));
const deliveries = () =>
  queue.query<{
    id: string;
    integration_id: string;
    lifecycle_event_id: string;
    status: string;
    wait_ms: number | null;
  }>(
    `SELECT d.*, (extract(epoch FROM s.due_at - now()) * 1000)::float8 AS wait_ms
     FROM delivery d LEFT JOIN delivery_queue s ON s.delivery_id = d.id ORDER BY d.position`,
  );
const RETRY_IN_A_MINUTE: AttemptRecord = {
  verdict: { kind: 'retry', afterMs: 60_000, reason: 'timeout', detail: 'Late.' },
  event: 'blog.published',
  endedAt: new Date(),
  statusCode: null,
  liveUrl: null,
  externalId: null,
  leavesSlug: 'tea-and-coffee',
  exchange: null,
};
const claim = () => queue.deliveries.claim(UNLIMITED);

describe('planning (contract §1.4)', () => {
  it('plans nothing for a project whose deletion came before its posts’ events, or for an unknown one', async () => {
    const blog = testBlog(randomUUID());
    await queue.projects.apply([projectSaved(blog.projectId, [], 1).data]);
    await queue.addIntegration(blog.projectId);
    await queue.projects.apply([projectDeleted(blog.projectId, 2).data]);
    await plan(blog.published(), blog.unpublished());
    const unknown = testBlog(randomUUID());
    await queue.projects.apply([projectDeleted(unknown.projectId, 2).data]);
    await plan(unknown.published(), unknown.unpublished());
    await queue.projects.apply([projectSaved(unknown.projectId, [], 1).data]);
    expect(await deliveries()).toEqual([]);
    await queue.query(`UPDATE lifecycle_event SET planned_at = now() - interval '1 hour'`);
    await queue.purge();
    expect(
      await queue.query(`SELECT data ->> 'event' AS event FROM lifecycle_event WHERE newest OR data IS NOT NULL`),
    ).toEqual([{ event: 'blog.unpublished' }, { event: 'blog.unpublished' }]);
  });

  it('plans one delivery per active integration of the project and announces it', async () => {
    const blog = testBlog(randomUUID());
    const first = await queue.addIntegration(blog.projectId);
    const second = await queue.addIntegration(blog.projectId);
    await queue.addIntegration(blog.projectId, { active: false });
    await queue.addIntegration(randomUUID());
    const event = blog.published();
    await plan(event);

    const planned = await deliveries();
    expect(planned.map((delivery) => delivery.integration_id)).toEqual([first, second]);
    expect(await queue.outbox()).toEqual([
      {
        event: 'deliveries.planned',
        project_id: blog.projectId,
        blog_id: blog.id,
        lifecycle_event_id: event.id,
        publish_id: event.data.publish_id,
        deliveries: planned.map(({ id, integration_id }) => ({
          delivery_id: id,
          integration_id,
          receiver: 'receiver.example:8443',
        })),
      },
    ]);
  });

  it('fixes at the plan whether a delivery is retried: a later change of the setting affects only later ones', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    const [first, second, third] = [blog.published(), blog.published(), blog.unpublished()];
    await plan(first);
    await queue.integrations.update(blog.projectId, id, { retryManual: true });
    await plan(second);
    await queue.integrations.update(blog.projectId, id, { retryManual: false });
    await plan(third);
    expect(await queue.query('SELECT retry_manual FROM delivery ORDER BY position')).toEqual([
      { retry_manual: false },
      { retry_manual: true },
      { retry_manual: false },
    ]);
    // The database itself refuses a second attempt of the others.
    await queue.query('UPDATE delivery SET attempts = 2 WHERE retry_manual');
    await expect(queue.query('UPDATE delivery SET attempts = 2')).rejects.toThrow('delivery_manual_once');
  });

  it('plans a repeated event once: alone, in one batch, and at two consumers at the same time', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await Promise.all([plan(event, event), plan(event), plan(event)]);
    await plan(event);
    expect(await deliveries()).toHaveLength(1);
    expect(await queue.outbox()).toHaveLength(1);
  });

  it('returns the events that have deliveries now, each once', async () => {
    const [blog, nobodys] = [testBlog(randomUUID()), testBlog(randomUUID())];
    await queue.addIntegration(blog.projectId);
    const known = blog.published();
    await plan(known);
    const event = blog.published();
    expect(await plan(known, event, nobodys.published(), event)).toEqual([event.data]);
  });

  it('announces an empty list when no receiver gets the event', async () => {
    const blog = testBlog(randomUUID());
    await plan(blog.published());
    expect(await queue.outbox()).toMatchObject([{ event: 'deliveries.planned', deliveries: [] }]);
  });

  it('keeps the body of each blog’s newest event, for redeliveries, also when no receiver gets it now', async () => {
    const blog = testBlog(randomUUID());
    const [first, second, third, fourth] = [blog.published(), blog.published(), blog.published(), blog.published()];
    const newest = () => queue.query('SELECT id, data IS NOT NULL AS has_body FROM lifecycle_event WHERE newest');
    await plan(first);
    expect(await newest()).toEqual([{ id: first.id, has_body: true }]);
    // In one batch, out of order, and one of them late.
    await plan(third, second);
    expect(await newest()).toEqual([{ id: third.id, has_body: true }]);
    await plan(fourth, fourth);
    expect(await newest()).toEqual([{ id: fourth.id, has_body: true }]);
    await queue.query(`UPDATE lifecycle_event SET planned_at = now() - interval '1 day'`);
    await queue.purge();
    expect(await queue.query('SELECT id FROM lifecycle_event WHERE data IS NOT NULL')).toEqual([{ id: fourth.id }]);
  });

  it('plans for every existing receiver, even if the clock that added it is ahead of the event’s', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await queue.query(`UPDATE integration SET created_at = now() + interval '1 hour'`);
    await plan(blog.published({ time: new Date(Date.now() - 3_600_000) }));
    expect(await deliveries()).toHaveLength(1);
  });

  it('only goes forward in time: a receiver added later gets nothing of what was planned before, also when the log is read again (contract §1.5)', async () => {
    const blog = testBlog(randomUUID());
    const events = [blog.published(), blog.unpublished(), blog.published()];
    await plan(...events);
    await queue.addIntegration(blog.projectId);
    await plan(...events);
    expect(await deliveries()).toEqual([]);
    // Long after: what has been overtaken is forgotten.
    await queue.query(`UPDATE lifecycle_event SET planned_at = now() - interval '30 days'`);
    await queue.purge();
    expect(await queue.query('SELECT id FROM lifecycle_event')).toEqual([{ id: events[2]?.id }]);
    for (const event of events) await plan(event);
    await plan(...events);
    expect(await deliveries()).toEqual([]);
  });

  it('plans nothing for an event older than one already planned', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const [older, newer] = [blog.published(), blog.published()];
    await plan(newer);
    await plan(older);
    expect((await deliveries()).map((delivery) => delivery.lifecycle_event_id)).toEqual([newer.id]);
  });

  it('plans nothing for a repair that is for readers only, which then is the newest event', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const [first, repaired, late] = [blog.published(), blog.published(), blog.published()];
    await plan(first, { ...repaired, data: { ...repaired.data, readers_only: true } });
    expect((await deliveries()).map((delivery) => delivery.lifecycle_event_id)).toEqual([first.id]);
    expect(await queue.outbox()).toMatchObject([{ deliveries: [{}] }, { deliveries: [] }]);
    expect(await queue.query('SELECT id FROM lifecycle_event WHERE newest')).toEqual([{ id: repaired.id }]);
    await plan(late);
    expect((await deliveries()).map((delivery) => delivery.lifecycle_event_id)).toEqual([first.id, late.id]);
  });

  it('continues after its connections fell silent, without reusing one that a transaction timed out on', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await using resources = new AsyncDisposableStack();
    const relay = resources.use(await startSilentRelay(queue.databaseUrl));
    const database = openDatabase(relay.url, 1, () => undefined);
    resources.defer(() => database.$disconnect());
    const pool = openQueuePool(relay.url, () => undefined);
    resources.defer(() => pool.end());
    const plans = createPlanStore(database, pool, createEventCache());
    const [first, second] = [blog.published(), blog.published()];
    await plans.plan([first], { servedWaitMs: 0 });
    relay.silence();
    await expect(plans.plan([second], { servedWaitMs: 0 })).rejects.toThrow();
    await plans.plan([second], { servedWaitMs: 0 });
    expect((await deliveries()).map((delivery) => delivery.lifecycle_event_id)).toEqual([first.id, second.id]);
  });

  it('plans for no integration that is being deleted', async () => {
    const blog = testBlog(randomUUID());
    for (let round = 0; round < 10; round += 1) {
      const id = await queue.addIntegration(blog.projectId);
      await Promise.all([queue.integrations.remove(blog.projectId, id), plan(blog.published())]);
    }
    expect((await deliveries()).filter(({ status }) => status === 'pending')).toEqual([]);
  });
});

describe('waiting for the read service (contract §4.7)', () => {
  it('waits at most the configured time', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    const [delivery] = await deliveries();
    expect(delivery?.wait_ms).toBeGreaterThan(0);
    expect(delivery?.wait_ms).toBeLessThanOrEqual(2_000);
    expect((await claim()).deliveries).toEqual([]);
  });

  it('is due immediately when the acknowledgement comes after the planning', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await plan(event);
    await serve(servedEvent(event));
    expect((await claim()).deliveries).toHaveLength(1);
  });

  it('is due immediately when the acknowledgement came before the planning', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await serve(servedEvent(event), servedEvent(event));
    await plan(event);
    expect((await claim()).deliveries).toHaveLength(1);
    expect(await queue.query('SELECT 1 FROM served_event')).toEqual([]);
  });

  it('never misses the acknowledgement when both are handled at the same time', async () => {
    const project = randomUUID();
    await queue.addIntegration(project);
    const events = Array.from({ length: 40 }, () => testBlog(project).published());
    await Promise.all(events.flatMap((event) => [plan(event), serve(servedEvent(event))]));
    await Promise.all([plan(...events), serve(...events.map(servedEvent))]);
    expect((await claim()).deliveries).toHaveLength(40);
  });

  it('is due immediately where it waits, and stays as it is during a retry’s wait or an attempt', async () => {
    const blog = testBlog(randomUUID());
    const [retried, running, waiting] = [
      await queue.addIntegration(blog.projectId),
      await queue.addIntegration(blog.projectId),
      await queue.addIntegration(blog.projectId),
    ];
    const event = blog.published({ trigger: 'autopilot' });
    await queue.plans.plan([event], { servedWaitMs: 600_000 });
    await queue.query('UPDATE delivery_queue SET due_at = now() WHERE integration_id <> $1', [waiting]);
    const claimed = (await claim()).deliveries;
    const failed = claimed.find(({ integrationId }) => integrationId === retried);
    if (failed === undefined) throw new Error('it was not claimed');
    await queue.deliveries.record(failed, RETRY_IN_A_MINUTE);
    const timeOf = async (integrationId: string) =>
      (await deliveries()).find(({ integration_id }) => integration_id === integrationId)?.wait_ms;
    expect(await timeOf(waiting)).toBeGreaterThan(500_000);
    const [before] = await queue.query('SELECT * FROM delivery_queue WHERE integration_id = $1', [running]);

    await serve(servedEvent(event));
    expect(await timeOf(retried)).toBeGreaterThan(50_000);
    expect((await queue.query('SELECT * FROM delivery_queue WHERE integration_id = $1', [running]))[0]).toEqual(before);
    expect((await claim()).deliveries.map(({ integrationId }) => integrationId)).toEqual([waiting]);
  });

  it('does not touch the time of a retry', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published({ trigger: 'autopilot' });
    await serve(servedEvent(event));
    await plan(event);
    const [claimed] = (await claim()).deliveries;
    if (claimed === undefined) throw new Error('nothing was claimed');
    await queue.deliveries.record(claimed, RETRY_IN_A_MINUTE);
    await serve(servedEvent(event));
    expect((await deliveries())[0]?.wait_ms).toBeGreaterThan(50_000);
  });
});
