import { randomUUID } from 'node:crypto';
import { createMetrics } from '@blog-content/service-runtime';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { registerDeliveryMetrics } from './observe-attempts.ts';
import { startWorker } from './delivery-worker.ts';

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

const { plan, claim, claimOne, record, expireLeases, reclaim } = attemptsOn(() => queue);
const LIMITS = { concurrency: 7, perProject: 6, perIntegration: 3 };

/** The metrics of a dispatcher on the queue, and every value of theirs by its name and labels. */
function observe({
  inFlight = (): number => 0,
  atBusiest = (): number => 0,
  slow = (): number => 0,
  measure = () => queue.deliveries.measure(),
} = {}) {
  const metrics = createMetrics('webhook-dispatcher');
  const registered = registerDeliveryMetrics(metrics, {
    ...LIMITS,
    inFlight,
    atBusiest,
    slow,
    heldBytes: () => 7_000,
    measure,
  });
  const read = async () => {
    const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('webhook_'));
    return Object.fromEntries(
      lines.map((line) => {
        const [, name = '', value] = /^(.*) (\S+)$/.exec(line) ?? [];
        return [name.replace(/,?service="webhook-dispatcher"/, '').replace('{}', ''), Number(value)];
      }),
    );
  };
  return { metrics, registered, read };
}

/** A new post of a project that has so many receivers. */
async function blogWith(receivers: number) {
  const blog = testBlog(randomUUID());
  for (let added = 0; added < receivers; added += 1) await queue.addIntegration(blog.projectId);
  return blog;
}

describe('what waits is measured', () => {
  it('as nothing, and no age, while nothing waits', async () => {
    expect(await observe().read()).toMatchObject({
      webhook_deliveries_due: 0,
      webhook_delivery_oldest_due_seconds: 0,
      webhook_delivery_retries_waiting: 0,
      webhook_deliveries_unserved: 0,
    });
  });

  it('by how much is due and not claimed, and how long the oldest of it has been', async () => {
    const blog = await blogWith(3);
    await plan(blog.published());
    await queue.query(`UPDATE delivery_queue SET due_at = now() - interval '90 s'`);
    const { read } = observe();
    const before = await read();
    expect(before).toMatchObject({ webhook_deliveries_due: 3, webhook_deliveries_unserved: 0 });
    expect(before['webhook_delivery_oldest_due_seconds']).toBeGreaterThanOrEqual(90);

    await claim({ limit: 2 });
    expect(await read()).toMatchObject({ webhook_deliveries_due: 1 });
    await claim();
    expect(await read()).toMatchObject({ webhook_deliveries_due: 0, webhook_delivery_oldest_due_seconds: 0 });
  });

  it('not by what has ended', async () => {
    const blog = await blogWith(2);
    await plan(blog.published());
    const [first, second] = await claim();
    if (first === undefined || second === undefined) throw new Error('two were to be claimed');
    await record(first, SUCCEEDED);
    await record(second, FAILED);
    expect(await observe().read()).toMatchObject({
      webhook_deliveries_due: 0,
      webhook_delivery_retries_waiting: 0,
      webhook_deliveries_unserved: 0,
    });
  });

  it('by what is due again after its process died or gave it back, and not while somebody holds it', async () => {
    const blog = await blogWith(2);
    await plan(blog.published({ trigger: 'autopilot' }));
    const { read } = observe();
    const [lost] = await claim({ limit: 1 });
    const [released] = await claim({ limit: 1 });
    if (lost === undefined || released === undefined) throw new Error('two were to be claimed');
    expect(await read()).toMatchObject({ webhook_deliveries_due: 0 });
    await expireLeases();
    // Nobody has it again before it is taken over.
    expect(await read()).toMatchObject({ webhook_deliveries_due: 0 });
    await queue.deliveries.release(released);
    expect(await read()).toMatchObject({ webhook_deliveries_due: 1, webhook_delivery_retries_waiting: 0 });
    const [taken] = await reclaim();
    expect(await read()).toMatchObject({ webhook_deliveries_due: 1 });
    await record({ ...lost, ...taken }, retryIn(60_000));
    expect(await read()).toMatchObject({ webhook_deliveries_due: 1, webhook_delivery_retries_waiting: 1 });
  });

  it('by the retries, before they are due and after', async () => {
    const blog = await blogWith(1);
    await plan(blog.published({ trigger: 'autopilot' }));
    await record(await claimOne(), retryIn(60_000));
    const { read } = observe();
    expect(await read()).toMatchObject({
      webhook_delivery_retries_waiting: 1,
      webhook_deliveries_due: 0,
      webhook_deliveries_unserved: 0,
    });
    await queue.query(`UPDATE delivery_queue SET due_at = now() - interval '1 ms'`);
    expect(await read()).toMatchObject({ webhook_delivery_retries_waiting: 1, webhook_deliveries_due: 1 });
  });

  it('by what waits for the acknowledgement, until it comes', async () => {
    const blog = await blogWith(2);
    const event = blog.published();
    await queue.plans.plan([event], { servedWaitMs: 60_000 });
    const { read } = observe();
    expect(await read()).toMatchObject({ webhook_deliveries_unserved: 2, webhook_deliveries_due: 0 });
    await queue.plans.markServed([
      {
        event: 'blog.served',
        lifecycle_event_id: event.id,
        project_id: blog.projectId,
        blog_id: blog.id,
        blog_event_number: event.data.blog_event_number,
        served_at: new Date().toISOString(),
      },
    ]);
    await queue.query(`UPDATE delivery_queue SET due_at = due_at - interval '1 ms'`);
    expect(await read()).toMatchObject({ webhook_deliveries_unserved: 0, webhook_deliveries_due: 2 });
  });

  it('up to a number, however long the queue is', async () => {
    await queue.query(`
      INSERT INTO delivery_queue (position, delivery_id, integration_id, blog_id, blog_event_number, kind, due_at)
      SELECT position, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 'lifecycle',
        now() - interval '1 hour'
      FROM generate_series(1, 10001) AS position`);
    const values = await observe().read();
    expect(values).toMatchObject({ webhook_deliveries_due: 10_000 });
    expect(values['webhook_delivery_oldest_due_seconds']).toBeGreaterThanOrEqual(3_600);
  });

  it('with one query to the database per scrape, repeated at the next', async () => {
    let questions = 0;
    const { read } = observe({
      measure: () => {
        questions += 1;
        return queue.deliveries.measure();
      },
    });
    await read();
    expect(questions).toBe(1);
    await Promise.all([read(), read()]);
    expect(questions).toBe(2);
  });

  it('not before the database has answered, and as last seen while it is away', async () => {
    let isAway = true;
    const { read } = observe({
      measure: () => (isAway ? Promise.reject(new Error('away')) : queue.deliveries.measure()),
    });
    const without = await read();
    expect(without).toMatchObject({ webhook_deliveries_in_flight: 0, webhook_delivery_concurrency_limit: 7 });
    expect(without).not.toHaveProperty('webhook_deliveries_due');
    isAway = false;
    expect(await read()).toMatchObject({ webhook_deliveries_due: 0 });
    isAway = true;
    const seen = await read();
    expect(seen).toMatchObject({ webhook_deliveries_due: 0 });
    expect(seen['webhook_queue_read_seconds_ago']).toBeGreaterThan(0);
  });
});

describe('what is under way is measured', () => {
  it('in all and to the busiest receiver, beside the limits of both', async () => {
    const [busy, quiet] = [await blogWith(1), await blogWith(1)];
    const ofBusy = Array.from({ length: 5 }, () => testBlog(busy.projectId).published());
    await plan(...ofBusy, quiet.published());
    const all = Promise.withResolvers<undefined>();
    const claimed = Promise.withResolvers<undefined>();
    let begun = 0;
    const { read } = observe({
      inFlight: () => worker.countRunning(),
      atBusiest: () => worker.countAtBusiest(),
      slow: () => worker.countSlow(),
    });
    const worker = startWorker({
      store: queue.deliveries,
      ...LIMITS,
      deliver: async () => {
        begun += 1;
        if (begun === 4) claimed.resolve(undefined);
        await all.promise;
      },
      endUnsendable: () => Promise.reject(new Error('none is')),
      budget: { freeSlots: () => new Map() },
      leaseMs: 60_000,
      pollIntervalMs: 60_000,
      slowAfterMs: 0,
      logger: recordingLogger().logger,
    });
    await claimed.promise;
    expect(await read()).toMatchObject({
      webhook_deliveries_in_flight: 4,
      webhook_deliveries_in_flight_busiest_receiver: 3,
      webhook_deliveries_slow: 4,
      webhook_delivery_held_bytes: 7_000,
      webhook_delivery_concurrency_limit: 7,
      webhook_delivery_project_concurrency_limit: 6,
      webhook_delivery_receiver_concurrency_limit: 3,
      webhook_deliveries_due: 2,
    });
    all.resolve(undefined);
    worker.stopClaiming();
    await worker.stop(60_000);
    expect(await read()).toMatchObject({
      webhook_deliveries_in_flight: 0,
      webhook_deliveries_in_flight_busiest_receiver: 0,
    });
  });
});

it('attempts are counted by what followed and why, and timed from their event to their first byte', async () => {
  const { registered, read } = observe();
  registered.attempted('succeeded', 'none');
  registered.attempted('retry', 'timeout');
  registered.attempted('retry', 'timeout');
  registered.firstByte(1_500);
  // A clock that is behind that of the service where the event happened.
  registered.firstByte(-20);
  expect(await read()).toMatchObject({
    'webhook_delivery_attempts_total{verdict="succeeded",reason="none"}': 1,
    'webhook_delivery_attempts_total{verdict="retry",reason="timeout"}': 2,
    'webhook_event_to_first_byte_seconds_bucket{le="0.01"}': 1,
    'webhook_event_to_first_byte_seconds_bucket{le="2"}': 2,
    webhook_event_to_first_byte_seconds_count: 2,
  });
});

it('every metric is explained by a sentence', async () => {
  const text = await observe().metrics.registry.metrics();
  const help = text.split('\n').filter((line) => line.startsWith('# HELP webhook_'));
  expect(help).toHaveLength(14);
  for (const line of help) expect(line).toMatch(/^# HELP [a-z_]+ [A-Z].*\.$/);
});
