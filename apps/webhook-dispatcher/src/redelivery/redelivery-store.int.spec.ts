import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase, type Database } from '../database/open-database.ts';
import { createRedeliveryStore, type RedeliveryStore } from './redelivery-store.ts';

let queue: TestQueue;
let database: Database;
let redeliveries: RedeliveryStore;
beforeAll(async () => {
  queue = await openTestQueue();
  database = openDatabase(queue.databaseUrl, 5, () => undefined);
  redeliveries = createRedeliveryStore(database);
});
beforeEach(async () => {
  await queue.clear();
});
afterAll(async () => {
  await database.$disconnect();
  await queue[Symbol.asyncDispose]();
});

const { plan, claim, claimOne, record, statuses, expireLeases, reclaim } = attemptsOn(() => queue);
const failAll = async () => {
  // A claim looks at so many deliveries of a receiver and no further.
  for (;;) {
    const claimed = await claim({ limit: 2_000, perIntegration: 2_000, perProject: 2_000 });
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((delivery) => record(delivery, FAILED)));
  }
};

describe('redelivering all failures', () => {
  it('takes on at most 1,000 blogs a call, oldest first, and says that there are more', async () => {
    const projectId = randomUUID();
    const id = await queue.addIntegration(projectId);
    const blogs = Array.from({ length: 1_003 }, () => testBlog(projectId));
    for (let from = 0; from < blogs.length; from += 250) {
      await plan(...blogs.slice(from, from + 250).map((blog) => blog.published()));
    }
    await failAll();
    const all = () => redeliveries.redeliverFailed(projectId, id, new Date(0));
    const first = await all();
    expect(first).toMatchObject({ refused: [], more: true });
    expect(first.created.map(({ blogId }) => blogId)).toEqual(blogs.slice(0, 1_000).map((blog) => blog.id));
    const second = await all();
    expect(second).toMatchObject({ refused: [], more: false });
    expect(second.created).toHaveLength(3);
    expect(await all()).toEqual({ created: [], refused: [], more: false });
  });

  it('continues after any number of blogs that it refuses', async () => {
    const projectId = randomUUID();
    const id = await queue.addIntegration(projectId);
    const gone = Array.from({ length: 401 }, () => testBlog(projectId));
    await plan(...gone.map((blog) => blog.published()));
    await failAll();
    await queue.query('UPDATE integration SET active = false');
    await plan(...gone.map((blog) => blog.unpublished()));
    await queue.query('UPDATE integration SET active = true');
    const blog = testBlog(projectId);
    await plan(blog.published());
    await failAll();
    const { created, refused, more } = await redeliveries.redeliverFailed(projectId, id, new Date(0));
    expect(created.map(({ blogId }) => blogId)).toEqual([blog.id]);
    expect(refused).toHaveLength(401);
    expect(more).toBe(false);
  });

  it('finds failures by their time: attempted, taken over, and ended without an attempt', async () => {
    const projectId = randomUUID();
    const id = await queue.addIntegration(projectId);
    const [attempted, interrupted] = [testBlog(projectId), testBlog(projectId)];
    await plan(attempted.published());
    const endedAt = new Date('2026-11-20T09:00:00.500Z');
    await record(await claimOne(), FAILED, { endedAt });
    await plan(interrupted.published());
    const lost = await claimOne();
    await expireLeases();
    const [taken] = await reclaim();
    const takenAt = new Date('2026-11-20T10:00:00.000Z');
    await record({ ...lost, ...taken }, FAILED, { endedAt: takenAt });
    const since = async (time: Date) => {
      const { created } = await redeliveries.redeliverFailed(projectId, id, time);
      // As if it had not been asked for.
      await queue.query(`DELETE FROM delivery_queue WHERE kind = 'redelivery'`);
      await queue.query(`DELETE FROM delivery WHERE kind = 'redelivery'`);
      return created.map(({ blogId }) => blogId);
    };
    expect(await since(endedAt)).toEqual([attempted.id, interrupted.id]);
    expect(await since(new Date(endedAt.getTime() + 1))).toEqual([interrupted.id]);
    expect(await since(new Date(takenAt.getTime() + 1))).toEqual([]);
    expect(
      await queue.query(
        'SELECT f.failed_at = d.finished_at AS same FROM failed_delivery f JOIN delivery d ON d.id = f.delivery_id',
      ),
    ).toEqual([{ same: true }, { same: true }]);
  });

  it('ignores what succeeded, was superseded, waits, or belongs to another receiver or project', async () => {
    const projectId = randomUUID();
    const id = await queue.addIntegration(projectId);
    const [succeeded, retried, waiting] = [testBlog(projectId), testBlog(projectId), testBlog(projectId)];
    await plan(succeeded.published());
    await record(await claimOne(), SUCCEEDED);
    await plan(retried.published({ trigger: 'autopilot' }));
    await record(await claimOne(), retryIn(60_000));
    await plan(retried.published());
    await plan(waiting.published());
    expect(await statuses()).toEqual(['succeeded', 'superseded', 'pending', 'pending']);
    expect(await queue.query('SELECT 1 FROM failed_delivery')).toEqual([]);
    expect(await redeliveries.redeliverFailed(projectId, id, new Date(0))).toEqual({
      ...{ created: [], refused: [], more: false },
    });
    await failAll();
    const other = await queue.addIntegration(projectId);
    expect((await redeliveries.redeliverFailed(projectId, other, new Date(0))).created).toEqual([]);
    expect((await redeliveries.redeliverFailed(randomUUID(), id, new Date(0))).created).toEqual([]);
    expect((await redeliveries.redeliverFailed(projectId, id, new Date(0))).created).toHaveLength(2);
  });

  it('runs once for concurrent requests', async () => {
    const projectId = randomUUID();
    const id = await queue.addIntegration(projectId);
    await plan(...Array.from({ length: 20 }, () => testBlog(projectId).published()));
    await failAll();
    const answers = await Promise.all([1, 2, 3].map(() => redeliveries.redeliverFailed(projectId, id, new Date(0))));
    expect(answers.flatMap(({ created }) => created)).toHaveLength(20);
    expect((await statuses()).filter((status) => status === 'pending')).toHaveLength(20);
  });
});

describe('a redelivery', () => {
  const redeliver = (projectId: string, id: string) => redeliveries.redeliver(projectId, id);

  it('is refused without today’s content, as for posts from before it was stored', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    const claimed = await claimOne();
    await record(claimed, FAILED);
    await queue.query('UPDATE lifecycle_event SET data = NULL');
    expect(await redeliver(blog.projectId, claimed.id)).toEqual({ kind: 'refused', reason: 'content_unknown' });
  });

  it('survives its process: an attempt under way ends as interrupted, and is not repeated', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published({ trigger: 'autopilot' }));
    const first = await claimOne();
    await record(first, FAILED);
    await redeliver(blog.projectId, first.id);
    const again = await claimOne();
    expect(again).toMatchObject({
      kind: 'redelivery',
      trigger: 'manual',
      attempt: 1,
      lifecycleEventId: first.lifecycleEventId,
    });
    await expireLeases();
    expect(await reclaim()).toMatchObject([{ kind: 'redelivery', trigger: 'manual' }]);
  });

  it('ends with its receiver, when that is deleted', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    const first = await claimOne();
    await record(first, FAILED);
    await redeliver(blog.projectId, first.id);
    await queue.integrations.remove(blog.projectId, id);
    expect(await statuses()).toEqual(['failed', 'failed']);
    expect(await claim()).toEqual([]);
    expect((await queue.outbox()).at(-1)).toMatchObject({
      event: 'delivery.finished',
      publish_id: null,
      redelivered_publish_id: expect.any(String) as string,
      reason: 'integration_deleted',
    });
    expect(await redeliver(blog.projectId, first.id)).toEqual({ kind: 'refused', reason: 'integration_inactive' });
  });
});
