import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { projectDeleted, projectSaved, testBlog, type TestBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase } from '../database/open-database.ts';
import { clearRetiredIntegrations } from './waiting-store.ts';

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

const { plan, claim, claimOne, record, statuses, outcomeEvents } = attemptsOn(() => queue);
const finished = () => outcomeEvents('delivery.finished');
const newBlog = async () => {
  const blog = testBlog(randomUUID());
  await queue.projects.apply([projectSaved(blog.projectId, [randomUUID()]).data]);
  return { blog, integrationId: await queue.addIntegration(blog.projectId, SEALED) };
};
const SEALED = { sealedUrl: 'sealed', sealedSecret: 'sealed', sealedHeaders: 'sealed too' };

/** The two ways in which a receiver goes. */
const ways = [
  {
    way: 'its integration',
    reason: 'integration_deleted',
    remove: (blog: TestBlog, id: string) => queue.integrations.remove(blog.projectId, id),
  },
  {
    way: 'its project',
    reason: 'project_deleted',
    remove: async (blog: TestBlog) => {
      await queue.projects.apply([projectDeleted(blog.projectId, 2).data]);
      await queue.clearRetired();
    },
  },
] as const;

describe.each(ways)('a receiver that is removed with $way', ({ reason, remove }) => {
  it('loses its secrets, and its waiting deliveries end as failed, with an outcome event', async () => {
    const { blog, integrationId } = await newBlog();
    const events = [blog.published(), blog.published(), blog.unpublished()];
    await plan(...events);
    await remove(blog, integrationId);
    expect(await queue.query('SELECT active, sealed_url, sealed_secret, sealed_headers FROM integration')).toEqual([
      { active: false, sealed_url: null, sealed_secret: null, sealed_headers: null },
    ]);
    expect(await statuses()).toEqual(['failed', 'failed', 'failed']);
    expect(await queue.query('SELECT 1 FROM delivery_queue')).toEqual([]);
    expect(await queue.query('SELECT 1 FROM failed_delivery')).toHaveLength(3);
    expect(await finished()).toMatchObject(
      events.map(({ id }) => ({
        lifecycle_event_id: id,
        outcome: 'failed',
        reason,
        detail: expect.stringMatching(/ was deleted before the delivery succeeded\.$/) as string,
        attempts: 0,
      })),
    );
    expect(await claim()).toEqual([]);
  });

  it('gets no more deliveries planned', async () => {
    const { blog, integrationId } = await newBlog();
    await remove(blog, integrationId);
    await plan(blog.published());
    expect(await statuses()).toEqual([]);
    expect(await queue.outbox()).toMatchObject([{ event: 'deliveries.planned', deliveries: [] }]);
  });

  it('lets attempts under way end', async () => {
    const { blog, integrationId } = await newBlog();
    const other = testBlog(blog.projectId);
    await plan(blog.published(), other.published());
    const [first, second] = await claim();
    if (first === undefined || second === undefined) throw new Error('too little was claimed');
    await remove(blog, integrationId);
    expect(await statuses()).toEqual(['in_flight', 'in_flight']);
    expect(await record(first, SUCCEEDED)).toBe(true);
    expect(await record(second, FAILED)).toBe(true);
    expect(await finished()).toMatchObject([
      { outcome: 'succeeded', reason: null },
      { outcome: 'failed', reason: 'status' },
    ]);
  });

  it('ends the delivery under way without a retry, and announces none', async () => {
    const { blog, integrationId } = await newBlog();
    await plan(blog.published({ trigger: 'autopilot' }));
    const claimed = await claimOne();
    await remove(blog, integrationId);
    expect(await record(claimed, retryIn(0))).toBe(true);
    const detail = expect.stringMatching(/ was deleted before the delivery succeeded\.$/) as string;
    expect(await finished()).toMatchObject([{ outcome: 'failed', reason, detail, attempts: 1, status_code: 500 }]);
    expect(await outcomeEvents('delivery.retry_planned')).toEqual([]);
    expect(await claim()).toEqual([]);
  });

  it('makes no attempt after a claim is given back, so that nothing is sent unsigned', async () => {
    const { blog, integrationId } = await newBlog();
    await plan(blog.published());
    const claimed = await claimOne();
    await remove(blog, integrationId);
    await queue.deliveries.release(claimed);
    expect(await finished()).toMatchObject([{ outcome: 'failed', reason, attempts: 0 }]);
    expect(await claim()).toEqual([]);
  });

  it('leaves nothing waiting in any interleaving of its removal and a retry', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { blog, integrationId } = await newBlog();
      await plan(blog.published({ trigger: 'autopilot' }));
      const claimed = await claimOne();
      await Promise.all([record(claimed, retryIn(0)), remove(blog, integrationId)]);
    }
    expect(await statuses()).toEqual(Array.from({ length: 15 }, () => 'failed'));
    expect(await finished()).toHaveLength(15);
  });

  it('leaves nothing waiting in any interleaving of its removal and planning', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { blog, integrationId } = await newBlog();
      await Promise.all([plan(blog.published()), remove(blog, integrationId)]);
    }
    expect(new Set(await statuses())).not.toContain('pending');
  });
});

const planMany = async (projectId: string, count: number) => {
  const blogs = Array.from({ length: count }, () => testBlog(projectId));
  await plan(...blogs.map((each) => each.published()));
};

describe('an integration that is deleted', () => {
  it('ends 500 of its deliveries with it, and the others later in batches, with the data of its posts', async () => {
    const { blog, integrationId } = await newBlog();
    await planMany(blog.projectId, 1_100);
    await queue.query(
      `INSERT INTO destination_post (integration_id, blog_id, slug, title)
       SELECT $1, gen_random_uuid(), number::text, 'A' FROM generate_series(1, 2500) AS of (number)`,
      [integrationId],
    );
    const kept = () => queue.query('SELECT FROM destination_post');
    expect(await queue.integrations.remove(blog.projectId, integrationId)).toBe(true);
    expect(await finished()).toHaveLength(500);
    expect(await kept()).toHaveLength(2_500);
    expect(await claim()).toEqual([]);
    await queue.clearRetired();
    expect(await finished()).toHaveLength(1_100);
    expect(new Set(await statuses())).toEqual(new Set(['failed']));
    expect(await kept()).toEqual([]);
  });
});

describe('integrations that were deleted', () => {
  it('are cleaned up until attempts under way have left nothing, and then ignored, however many they are', async () => {
    const { blog, integrationId } = await newBlog();
    await plan(blog.published());
    const underWay = await claimOne();
    expect(await queue.integrations.remove(blog.projectId, integrationId)).toBe(true);
    await queue.query(
      `INSERT INTO integration (id, project_id, name, shown_url, active, deleted_at)
       SELECT gen_random_uuid(), gen_random_uuid(), '', 'https://receiver.example/', false, now()
       FROM generate_series(1, 2000)`,
    );
    await queue.clearRetired();
    await queue.query(
      `INSERT INTO destination_post (integration_id, blog_id, slug, title) VALUES ($1, gen_random_uuid(), 'a', 'A')`,
      [integrationId],
    );
    expect(await record(underWay, SUCCEEDED)).toBe(true);
    await queue.clearRetired();
    expect(await queue.query('SELECT FROM destination_post')).toEqual([]);

    await queue.query('VACUUM ANALYZE integration');
    const database = openDatabase(queue.databaseUrl, 1, () => undefined);
    const looks = async () => {
      // Of the one connection that all of it went through.
      await database.$executeRaw`SELECT pg_stat_force_next_flush()`;
      const [row] = await queue.query<{ count: number }>(
        `SELECT (sum(idx_scan + idx_tup_read) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables))::integer AS count
         FROM pg_stat_user_indexes`,
      );
      return row?.count ?? Number.NaN;
    };
    const before = await looks();
    await clearRetiredIntegrations(database);
    const after = await looks();
    await database.$disconnect();
    expect(after - before).toBeLessThan(100);
  });
});

describe('a project that is deleted', () => {
  const manyWaiting = async (count: number) => {
    const { blog } = await newBlog();
    await planMany(blog.projectId, count);
    return blog.projectId;
  };
  const retire = (projectId: string) =>
    queue.query(
      `UPDATE integration SET active = false, deleted_at = now(), sealed_url = NULL, sealed_secret = NULL,
         sealed_headers = NULL
       WHERE project_id = $1`,
      [projectId],
    );

  it('ends all of its deliveries, however many wait, and those of no other project', async () => {
    const { blog: other } = await newBlog();
    await plan(other.published());
    const projectId = await manyWaiting(1_100);
    await queue.projects.apply([projectDeleted(projectId, 2).data]);
    expect(await claim({ limit: 0 })).toEqual([]);
    await queue.clearRetired();
    expect(await finished()).toHaveLength(1_100);
    expect((await claim()).map((claimed) => claimed.projectId)).toEqual([other.projectId]);
  });

  it('ends them once, no matter which process has seen the deletion', async () => {
    const projectId = await manyWaiting(2);
    await queue.query('UPDATE project SET deleted = true, event_number = 2 WHERE id = $1', [projectId]);
    await retire(projectId);
    expect(await claim()).toEqual([]);
    await Promise.all([queue.clearRetired(), queue.clearRetired()]);
    await queue.projects.apply([projectDeleted(projectId, 2).data]);
    await queue.clearRetired();
    expect(await finished()).toMatchObject([{ reason: 'project_deleted' }, { reason: 'project_deleted' }]);
  });

  it('delays the clean-up of another project by one of its own batches at most', async () => {
    const large = await manyWaiting(1_100);
    const small = await manyWaiting(2);
    await queue.projects.apply([projectDeleted(large, 2).data, projectDeleted(small, 2).data]);
    await queue.clearRetired();
    const projects = (await finished()).map((event) => event['project_id']);
    expect(projects).toHaveLength(1_102);
    expect(projects.lastIndexOf(small)).toBeLessThan(projects.lastIndexOf(large));
  });

  it('keeps its receivers when the event is older than the known state', async () => {
    const { blog } = await newBlog();
    await queue.projects.apply([projectSaved(blog.projectId, [], 3).data, projectDeleted(blog.projectId, 2).data]);
    await plan(blog.published());
    expect(await statuses()).toEqual(['pending']);
  });

  it('does not include a receiver that was added during it', async () => {
    const parts = {
      name: '',
      shownUrl: 'https://receiver.example/',
      active: true,
      healLinks: false,
      retryManual: false,
      standardWebhooks: false,
      integrationKind: 'webhook' as const,
      settings: {},
      ...SEALED,
    };
    for (let round = 0; round < 15; round += 1) {
      const { blog } = await newBlog();
      const { projectId } = blog;
      await Promise.all([
        queue.integrations.create({ id: randomUUID(), projectId, ...parts }, 100),
        queue.projects.apply([projectDeleted(projectId, 2).data]),
      ]);
      expect(await queue.integrations.create({ id: randomUUID(), projectId, ...parts }, 100)).toEqual({
        kind: 'project_gone',
      });
    }
    expect(await queue.query('SELECT 1 FROM integration WHERE active OR sealed_secret IS NOT NULL')).toEqual([]);
  });
});
