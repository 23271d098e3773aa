import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import type { ClaimedDelivery } from './claim-statements.ts';

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

const { plan, look, claim, claimOne, record, outcomeEvents, leases } = attemptsOn(() => queue);
const finished = () => outcomeEvents('delivery.finished');

describe('claiming', () => {
  it('returns a delivery with everything its attempt needs, and records the attempt', async () => {
    const blog = testBlog(randomUUID());
    const integrationId = await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await plan(event);
    const claimed = await claimOne();
    expect(claimed).toMatchObject({ integrationId, attempt: 1, receiverHasBlog: false, lifecycleEvent: event.data });
    expect(await queue.query('SELECT status, attempts, lease_token FROM delivery')).toEqual([
      { status: 'in_flight', attempts: 1, lease_token: claimed.leaseToken },
    ]);
    expect(await leases()).toMatchObject([
      { token: claimed.leaseToken, began_at: claimed.beganAt, delivery_ids: [claimed.id] },
    ]);
  });

  it('never gives one delivery to two claimers', async () => {
    const project = randomUUID();
    await queue.addIntegration(project);
    await plan(...Array.from({ length: 100 }, () => testBlog(project).published()));
    const rounds = await Promise.all(Array.from({ length: 30 }, () => claim({ limit: 7 })));
    const more = await claim();
    const ids = [...rounds.flat(), ...more].map(({ id }) => id);
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  it('claims only the oldest unfinished delivery of a blog and receiver', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const events = [blog.published(), blog.published(), blog.unpublished()];
    await plan(...events);
    for (const event of events) {
      const claimed = await claim();
      expect(claimed.map(({ lifecycleEventId }) => lifecycleEventId)).toEqual([event.id]);
      expect(await claim()).toEqual([]);
      await record(claimed[0] as ClaimedDelivery, FAILED);
    }
  });

  it('keeps the order of a blog at each receiver separately', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await queue.addIntegration(blog.projectId);
    await plan(blog.published(), blog.published());
    const both = await claim();
    expect(both).toHaveLength(2);
    await record(both[0] as ClaimedDelivery, SUCCEEDED);
    expect((await claim()).map(({ integrationId }) => integrationId)).toEqual([both[0]?.integrationId]);
  });

  it('gives one receiver at most its share, and the others theirs, even if its queue is older', async () => {
    const [slow, quick] = [randomUUID(), randomUUID()];
    const slowIntegration = await queue.addIntegration(slow);
    await queue.addIntegration(quick);
    await plan(...Array.from({ length: 20 }, () => testBlog(slow).published()));
    await plan(...Array.from({ length: 3 }, () => testBlog(quick).published()));
    const claimed = await claim({ limit: 8, perIntegration: 4, integrations: new Map([[slowIntegration, 3]]) });
    expect(claimed.filter(({ integrationId }) => integrationId === slowIntegration)).toHaveLength(3);
    expect(claimed).toHaveLength(6);
  });

  it('skips deliveries that the claimer still holds, even if they were given back', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    const claimed = await claimOne();
    await queue.deliveries.release(claimed);
    expect(await claim({ held: [randomUUID(), claimed.id] })).toEqual([]);
    expect((await claim({ held: [randomUUID()] })).map(({ id }) => id)).toEqual([claimed.id]);
  });

  it('claims nothing before it is due, and says when that will be', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    expect((await look()).nextDueInMs).toBeNull();
    await queue.plans.plan([blog.published()], { servedWaitMs: 60_000 });
    const looked = await look();
    expect(looked.deliveries).toEqual([]);
    expect(looked.nextDueInMs).toBeGreaterThan(50_000);
  });

  it('a claim whose attempt was not made can be given back', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    await queue.deliveries.release(await claimOne());
    expect(await queue.query('SELECT 1 FROM delivery_attempt')).toEqual([]);
    expect((await claimOne()).attempt).toBe(1);
  });
});

describe('claiming is fair', () => {
  /**
   * Adds projects with so many receivers each, and plans so many posts in each: every receiver gets each post of its
   * project.
   */
  const addProjects = async (projects: number, receivers: number, posts: number) => {
    const integrationIds: string[] = [];
    const projectIds = Array.from({ length: projects }, (): string => randomUUID());
    for (const projectId of projectIds) {
      for (let added = 0; added < receivers; added += 1) {
        integrationIds.push(await queue.addIntegration(projectId));
      }
      await plan(...Array.from({ length: posts }, () => testBlog(projectId).published()));
    }
    return { projectIds, integrationIds };
  };
  /**
   * Claims like a worker with so many places, all of them free at each look, until there is no more, at most so often.
   */
  const lookUntilNone = async (options: Parameters<typeof look>[0] & { limit: number }, most: number) => {
    const looks: ClaimedDelivery[][] = [];
    for (let looked; looked === undefined || looked.mayHaveMore || looked.deliveries.length === options.limit;) {
      if (looks.length === most) throw new Error(`there may be more after ${most} claims`);
      looked = await look(options);
      looks.push([...looked.deliveries]);
    }
    return looks;
  };
  const receiversOf = (deliveries: readonly ClaimedDelivery[]) =>
    new Set(deliveries.map(({ integrationId }) => integrationId));

  it('between projects: 30 receivers of one, with older and longer queues, leave the one receiver of another its turns', async () => {
    await addProjects(1, 30, 10);
    const small = await addProjects(1, 1, 20);
    const ofSmall = (deliveries: readonly ClaimedDelivery[]) =>
      deliveries.filter(({ integrationId }) => small.integrationIds.includes(integrationId)).length;

    expect(ofSmall(await claim({ limit: 2 }))).toBe(1);
    const ten = await claim({ limit: 10 });
    expect(ten).toHaveLength(10);
    expect(ofSmall(ten)).toBe(5);
  });

  it('between projects: none waits for a second turn of another', async () => {
    const { projectIds } = await addProjects(5, 2, 3);
    const firsts = await claim({ limit: 5 });
    expect(new Set(firsts.map(({ projectId }) => projectId))).toEqual(new Set(projectIds));
  });

  it('between projects: the others get the turns that one does not use', async () => {
    const large = await addProjects(1, 3, 4);
    await addProjects(1, 1, 1);
    const claimed: ClaimedDelivery[] = [];
    for (let mayHaveMore = true; mayHaveMore && claimed.length < 8;) {
      const more = await look({ limit: 8 - claimed.length });
      claimed.push(...more.deliveries);
      ({ mayHaveMore } = more);
    }
    expect(claimed.filter(({ projectId }) => large.projectIds.includes(projectId))).toHaveLength(7);
    expect(claimed).toHaveLength(8);
  });

  it('between receivers: a claim that does not look at all of them says so, and the next ones continue until all were reached', async () => {
    const { integrationIds } = await addProjects(10, 30, 1);
    const looks = await lookUntilNone({ limit: 400, perIntegration: 1 }, 5);
    expect(looks[0]).toHaveLength(250);
    expect(receiversOf(looks.flat())).toEqual(new Set(integrationIds));
    expect(looks.flat()).toHaveLength(300);
  });

  it('between receivers: small claims reach every one of 300 as well, and each delivery once', async () => {
    const { integrationIds } = await addProjects(10, 30, 1);
    const deliveries = (await lookUntilNone({ limit: 40, perIntegration: 1 }, 20)).flat();
    expect(deliveries).toHaveLength(300);
    expect(receiversOf(deliveries)).toEqual(new Set(integrationIds));
  });

  it('between receivers: those with a full share are skipped, however many they are', async () => {
    const { integrationIds } = await addProjects(10, 30, 1);
    const [slow, others] = [integrationIds.toSorted().slice(0, 260), integrationIds.toSorted().slice(260)];
    const integrations = new Map(slow.map((id) => [id, 0]));
    const claimed: ClaimedDelivery[] = [];
    for (let looks = 0; looks < 12 && claimed.length < others.length; looks += 1) {
      claimed.push(...(await claim({ limit: 10, perIntegration: 2, integrations })));
    }
    expect(receiversOf(claimed)).toEqual(new Set(others));
    expect(claimed).toHaveLength(40);
  });
});

describe('recording', () => {
  it('stores the live URL and id with the delivery and the receiver, and announces the outcome', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await plan(event);
    const claimed = await claimOne();
    const endedAt = new Date();
    await record(claimed, SUCCEEDED, { liveUrl: 'https://site.example/tea', externalId: '42', endedAt });
    expect(await queue.query('SELECT published, live_url, external_id FROM receiver_blog')).toEqual([
      { published: true, live_url: 'https://site.example/tea', external_id: '42' },
    ]);
    expect(await finished()).toEqual([
      {
        event: 'delivery.finished',
        project_id: blog.projectId,
        blog_id: blog.id,
        lifecycle_event_id: event.id,
        publish_id: event.data.publish_id,
        delivery_id: claimed.id,
        integration_id: claimed.integrationId,
        outcome: 'succeeded',
        reason: null,
        detail: null,
        attempts: 1,
        status_code: 200,
        live_url: 'https://site.example/tea',
        external_id: '42',
        finished_at: endedAt.toISOString(),
      },
    ]);
  });

  it('a failure does not change what the receiver has', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    await record(await claimOne(), FAILED);
    expect(await queue.query('SELECT * FROM receiver_blog')).toEqual([]);
    expect(await finished()).toMatchObject([
      { outcome: 'failed', reason: 'status', detail: FAILED.detail, attempts: 1 },
    ]);
  });

  it('knows what the receiver has: published, still published, unpublished, published again', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const has: boolean[] = [];
    for (const event of [blog.published(), blog.published(), blog.unpublished(), blog.published()]) {
      await plan(event);
      const claimed = await claimOne();
      has.push(claimed.receiverHasBlog);
      await record(claimed, SUCCEEDED);
    }
    expect(has).toEqual([false, true, true, false]);
  });

  it('keeps the live URL and the id when a later answer leaves them out', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    await record(await claimOne(), SUCCEEDED, { liveUrl: 'https://site.example/tea', externalId: '42' });
    await plan(blog.published());
    await record(await claimOne(), SUCCEEDED);
    expect(await queue.query('SELECT live_url, external_id FROM receiver_blog')).toEqual([
      { live_url: 'https://site.example/tea', external_id: '42' },
    ]);
  });

  it('counts once when it is recorded twice', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    const claimed = await claimOne();
    expect(await Promise.all([record(claimed, SUCCEEDED), record(claimed, FAILED)])).toEqual(
      expect.arrayContaining([true, false]),
    );
    expect(await finished()).toHaveLength(1);
  });
});

describe('forgetting', () => {
  it('drops the bodies of events whose deliveries have ended, and no others', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const [ended, waiting] = [blog.published(), blog.published()];
    await plan(ended, waiting);
    await record(await claimOne(), SUCCEEDED);
    await queue.query(`UPDATE lifecycle_event SET planned_at = now() - interval '1 day'`);
    await queue.purge();
    expect(await queue.query('SELECT id FROM lifecycle_event WHERE data IS NULL')).toEqual([{ id: ended.id }]);
  });

  it('continues until nothing is left, however much there is', async () => {
    const old = 1_200;
    await queue.query(
      `INSERT INTO lifecycle_event (id, project_id, blog_id, blog_event_number, time, data, planned_at)
       SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now(), '{}', now() - age * interval '1 day'
       FROM generate_series(1, $1) AS of (number), (VALUES (1), (9)) AS ages (age)`,
      [old],
    );
    await queue.query(
      `INSERT INTO served_event (lifecycle_event_id, received_at)
       SELECT gen_random_uuid(), now() - interval '5 days' FROM generate_series(1, $1)`,
      [old],
    );
    await queue.purge();
    expect(await queue.query('SELECT count(*)::int, count(data)::int AS bodies FROM lifecycle_event')).toEqual([
      { count: old, bodies: 0 },
    ]);
    expect(await queue.query('SELECT 1 FROM served_event')).toEqual([]);
  });

  it('stops after a batch when the process must end', async () => {
    await queue.query(
      `INSERT INTO served_event (lifecycle_event_id, received_at)
       SELECT gen_random_uuid(), now() - interval '5 days' FROM generate_series(1, 10)`,
    );
    await queue.purge(AbortSignal.abort());
    expect(await queue.query('SELECT 1 FROM served_event')).toHaveLength(10);
  });
});
