import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase, type Database } from '../database/open-database.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';
import { createDeliveryLogStore, type DeliveryLogStore } from './delivery-log-store.ts';

let queue: TestQueue;
let database: Database;
beforeAll(async () => {
  queue = await openTestQueue();
  database = openDatabase(queue.databaseUrl, 2, () => undefined);
});
beforeEach(() => queue.clear());
afterAll(async () => {
  await database.$disconnect();
  await queue[Symbol.asyncDispose]();
});

const { plan, claim, claimOne, record, expireLeases, reclaim, makeAllDue } = attemptsOn(() => queue);

/** What the log shows of a delivery: the same in its list and by itself. */
const shown = async ({ projectId, id }: Pick<ClaimedDelivery, 'projectId' | 'id'>, log = queue.log) => {
  const listed = (await log.list(projectId, {}, null, 100)).find(({ delivery }) => delivery.id === id)?.delivery;
  const found = (await log.find(projectId, id))?.delivery;
  expect(listed).toEqual(found);
  return found;
};
const planAutopilot = async () => {
  const blog = testBlog(randomUUID());
  await queue.addIntegration(blog.projectId);
  await plan(blog.published({ trigger: 'autopilot' }));
  return blog;
};
const ENDED = { status_code: 500, reason: 'timeout', detail: 'No answer.' };
const RUNNING = { ended_at: null, status_code: null, reason: null, detail: null };

describe('the next attempt in the log', () => {
  it('has a time while a retry waits, and none before the first attempt, during one, and after the last', async () => {
    await planAutopilot();
    const claimed = await claimOne();
    const next = async () => (await queue.log.find(claimed.projectId, claimed.id))?.nextAttemptAt;
    expect(await next()).toBeNull();
    await queue.deliveries.release(claimed);
    expect(await next()).toBeNull();
    await record(await claimOne(), retryIn(60_000));
    expect(await queue.query('SELECT due_at FROM delivery_queue')).toEqual([{ due_at: await next() }]);
    await makeAllDue();
    const again = await claimOne();
    expect(await next()).toBeNull();
    await record(again, SUCCEEDED);
    expect(await next()).toBeNull();
  });
});

describe('an attempt under way in the log', () => {
  it('is shown with its number and start alone', async () => {
    await planAutopilot();
    const claimed = await claimOne();
    expect(await shown(claimed)).toMatchObject({ status: 'in_flight', finished_at: null });
    expect((await shown(claimed))?.attempts).toEqual([
      { number: 1, started_at: claimed.beganAt.toISOString(), ...RUNNING },
    ]);
  });

  it('has no exchange yet', async () => {
    await planAutopilot();
    const claimed = await claimOne();
    const found = await queue.log.find(claimed.projectId, claimed.id);
    expect(found?.exchanges).toEqual(new Map());
  });

  it('comes after those that have ended', async () => {
    await planAutopilot();
    const first = await claimOne();
    const endedAt = new Date();
    await record(first, retryIn(0), { endedAt });
    const second = await claimOne();
    expect((await shown(second))?.attempts).toEqual([
      { number: 1, started_at: first.beganAt.toISOString(), ended_at: endedAt.toISOString(), ...ENDED },
      { number: 2, started_at: second.beganAt.toISOString(), ...RUNNING },
    ]);
  });

  it.each([
    ['succeeded', SUCCEEDED, { status: 'succeeded' }],
    ['failed', FAILED, { status: 'failed' }],
    ['is followed by a retry', retryIn(60_000), { status: 'pending' }],
  ])('is there once, with the same beginning, when it has ended and %s', async (_how, verdict, state) => {
    await planAutopilot();
    const claimed = await claimOne();
    const before = (await shown(claimed))?.attempts;
    const endedAt = new Date();
    await record(claimed, verdict, { endedAt });
    const after = await shown(claimed);
    expect(after).toMatchObject(state);
    expect(after?.attempts).toMatchObject([
      { number: 1, started_at: before?.[0]?.started_at, ended_at: endedAt.toISOString() },
    ]);
    // Also once its lease has run out.
    await expireLeases();
    expect(await reclaim()).toEqual([]);
    expect((await shown(claimed))?.attempts).toEqual(after?.attempts);
  });

  it('is gone when the claim was given back without an attempt', async () => {
    await planAutopilot();
    const claimed = await claimOne();
    await queue.deliveries.release(claimed);
    expect(await shown(claimed)).toMatchObject({ status: 'pending', attempts: [] });
  });

  it('keeps its start when its process died and another one ended it', async () => {
    await planAutopilot();
    const lost = await claimOne();
    await expireLeases();
    const [taken] = await reclaim();
    const started_at = lost.beganAt.toISOString();
    expect((await shown(lost))?.attempts).toEqual([{ number: 1, started_at, ...RUNNING }]);
    await record({ ...lost, ...taken }, retryIn(0));
    expect((await shown(lost))?.attempts).toMatchObject([{ number: 1, started_at, ...ENDED }]);
    expect((await claimOne()).attempt).toBe(2);
  });

  it('is each delivery’s own, when one claim took many', async () => {
    const blog = await planAutopilot();
    await plan(...Array.from({ length: 4 }, () => testBlog(blog.projectId).published({ trigger: 'autopilot' })));
    const first = await claim({ limit: 2 });
    await Promise.all(first.map((claimed) => record(claimed, retryIn(0))));
    await makeAllDue();
    const all = await claim();
    await record(all[0] as ClaimedDelivery, SUCCEEDED);
    const listed = await queue.log.list(blog.projectId, {}, null, 100);
    expect(listed).toHaveLength(5);
    for (const { delivery } of listed) {
      const claimed = all.find(({ id }) => id === delivery.id);
      const hasEnded = delivery.id === all[0]?.id;
      expect(delivery.attempts.map(({ number }) => number)).toEqual(claimed?.attempt === 2 ? [1, 2] : [1]);
      expect(delivery.attempts.at(-1)?.ended_at === null).toBe(!hasEnded);
    }
  });

  /** The log as somebody reads it while `meanwhile` happens between its looks at the database. */
  const readDuring = (meanwhile: () => Promise<unknown>): DeliveryLogStore =>
    createDeliveryLogStore(
      database.$extends({
        query: {
          deliveryAttempt: {
            async findMany({ args, query }) {
              await meanwhile();
              return query(args);
            },
          },
        },
      }) as unknown as Database,
    );

  it('is not shown twice when it ends while the log is read', async () => {
    await planAutopilot();
    const claimed = await claimOne();
    let isOver = false;
    const during = readDuring(async () => {
      if (!isOver) await record(claimed, SUCCEEDED);
      isOver = true;
    });
    const [listed] = await during.list(claimed.projectId, {}, null, 10);
    expect(listed?.delivery.attempts).toMatchObject([{ number: 1, status_code: 200 }]);

    await plan(testBlog(claimed.projectId).published());
    const next = await claimOne();
    const found = await readDuring(() => record(next, FAILED)).find(next.projectId, next.id);
    expect(found?.delivery.attempts).toMatchObject([{ number: 1, status_code: 500 }]);
  });
});
