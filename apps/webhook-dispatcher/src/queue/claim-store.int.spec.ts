import { randomBytes, randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, retryIn, SUCCEEDED, UNLIMITED } from '../../test/attempts.ts';
import { servedEvent, testBlog } from '../../test/events.ts';
import { interceptQueries, isStatement, openTestQueue, type TestQueue } from '../../test/queue.ts';
import { MAX_LOADED_BYTES, type ClaimedDelivery } from './claim-statements.ts';
import { createClaimStore } from './claim-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { createEventCache } from '../payload/event-cache.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(() => queue.clear());
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim, claimOne, record, statuses, makeAllDue } = attemptsOn(() => queue);
const claimBy = async (replica: DeliveryStore, limit = 100) =>
  (await replica.claim({ ...UNLIMITED, limit })).deliveries;
const hostileText = [...'\n\r\t"\\\'{},$1;--\u2028\u2029\u0001é😀', 'NULL', String.raw`\u0000\n`].join('');
const contentOf = (lifecycleEvent: unknown) => (lifecycleEvent as { revision: { content: string } }).revision.content;

describe('the event of a claim', () => {
  it.each([
    ['that planned it', () => queue.deliveries],
    ['that has never seen it', () => queue.otherReplica()],
  ])('is as it was planned, at a replica %s', async (_which, replica) => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published({
      trigger: 'autopilot',
      site_url: null,
      published_link_targets: [],
      revision: { title: hostileText, content: `<p>${hostileText}</p>`, tags: [hostileText, ''], meta_title: null },
    });
    await plan(event);
    const [claimed] = await claimBy(replica());
    expect(claimed?.lifecycleEvent).toEqual(event.data);
    // To the byte: the body that is made of it, and signed, is the same at every replica and at every attempt.
    expect(JSON.stringify(claimed?.lifecycleEvent)).toBe(JSON.stringify(event.data));
    expect(claimed?.eventTime).toEqual(new Date(event.time));
  });

  it('comes with the claim that takes it, however large the posts of another project are that were planned before', async () => {
    const [large, small] = [testBlog(randomUUID()), testBlog(randomUUID())];
    for (const { projectId } of [large, small]) await queue.addIntegration(projectId);
    // Base64 of chance: the database cannot compress it.
    const content = randomBytes(360_000).toString('base64');
    const posts = Math.ceil(MAX_LOADED_BYTES / content.length) + 5;
    for (let planned = 0; planned < posts; planned += 1) {
      await plan(testBlog(large.projectId).published({ revision: { content } }));
    }
    await plan(small.published());
    const all = { limit: 2 * posts, perIntegration: posts, perProject: posts };
    const { deliveries, toRelease } = await queue.otherReplica().claim({ ...UNLIMITED, ...all });
    expect(toRelease.length).toBeGreaterThan(0);
    expect(deliveries.map(({ projectId }) => projectId)).toContain(small.projectId);
  });

  it('comes to all receivers of the event, when they are claimed together and one after the other', async () => {
    const blog = testBlog(randomUUID());
    for (let receivers = 0; receivers < 5; receivers += 1) await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await plan(event);
    const replica = queue.otherReplica();
    const claimed = [...(await claimBy(replica, 2)), ...(await claimBy(replica)), ...(await claimBy(replica))];
    expect(claimed).toHaveLength(5);
    for (const { lifecycleEvent } of claimed) expect(lifecycleEvent).toEqual(event.data);
  });

  it('is the right one for each delivery, when some are cached and some are not', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    const events = Array.from({ length: 6 }, (_, index) =>
      testBlog(projectId).published({ trigger: 'autopilot', revision: { content: `<p>${index}</p>` } }),
    );
    const replica = queue.otherReplica();
    await plan(...events.slice(0, 3));
    const first = await claimBy(replica, 2);
    await Promise.all(first.map((claimed) => record(claimed, retryIn(0))));
    await plan(...events.slice(3));
    await makeAllDue();
    const all = await claimBy(replica);
    expect(all).toHaveLength(6);
    const expected = new Map(events.map(({ id, data }) => [id, data.revision.content]));
    for (const { lifecycleEventId, lifecycleEvent } of all) {
      expect(contentOf(lifecycleEvent)).toBe(expected.get(lifecycleEventId));
    }
  });

  it('is loaded again for a retry, long after newer ones took its place in the cache', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    const event = blog.published({ trigger: 'autopilot', revision: { content: '<p>The first.</p>' } });
    await plan(event);
    await record(await claimOne(), retryIn(60_000));
    await queue.query('UPDATE integration SET active = false WHERE id = $1', [id]);
    await plan(...Array.from({ length: 520 }, () => testBlog(blog.projectId).published()));
    await queue.query(`UPDATE lifecycle_event SET planned_at = now() - interval '1 day'`);
    await queue.purge();
    await makeAllDue();
    expect((await claimOne()).lifecycleEvent).toEqual(event.data);
  });

  it('is read again when the connection breaks right after the claim, which is not given up', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await plan(event);
    let lost = 0;
    const pool = interceptQueries(queue.pool, (asked, ask) =>
      isStatement(asked, 'load_events') && lost++ < 2 ? Promise.reject(new Error('Connection terminated')) : ask(),
    );
    const claims = createClaimStore(queue.database, pool, createEventCache());
    const { deliveries } = await claims.claim(UNLIMITED);
    expect(deliveries.map(({ lifecycleEvent }) => lifecycleEvent)).toEqual([event.data]);
    expect(lost).toBeGreaterThan(2);
  });

  it('is searched once after claims whose answers were lost, however many there are', async () => {
    let fenced = 0;
    const pool = interceptQueries(queue.pool, (asked, ask) => {
      if (isStatement(asked, 'fence_lost_claim')) fenced += 1;
      return isStatement(asked, 'claim') ? Promise.reject(new Error('Connection terminated')) : ask();
    });
    const claims = createClaimStore(queue.database, pool, createEventCache());
    for (let claim = 0; claim < 5; claim += 1) {
      await expect(claims.claim(UNLIMITED)).rejects.toThrow('Connection terminated');
    }
    expect(fenced).toBe(4);
  });

  it('is loaded while a claim’s memory lasts; the other deliveries are given back for a later claim', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const content = 'x'.repeat(10 * 1024 * 1024);
    const events = Array.from({ length: 6 }, () => testBlog(blog.projectId).published({ revision: { content } }));
    for (const event of events) await plan(event);
    const { deliveries, toRelease, unsendable } = await queue.otherReplica().claim(UNLIMITED);
    expect(deliveries.map(({ lifecycleEventId }) => lifecycleEventId)).toEqual(events.slice(0, 5).map(({ id }) => id));
    expect(toRelease.map(({ lifecycleEventId }) => lifecycleEventId)).toEqual(events.slice(5).map(({ id }) => id));
    expect(unsendable).toEqual([]);
    for (const held of toRelease) await queue.deliveries.release(held);
    expect((await claimOne()).lifecycleEventId).toBe(events[5]?.id);
  });

  it('is the newest one, as it was planned, for a redelivery at a replica that has never seen it', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    await plan(blog.published());
    await record(await claimOne(), FAILED);
    const newest = blog.published({ revision: { content: hostileText } });
    await plan(newest);
    await record(await claimOne(), FAILED);
    const [failed] = await queue.query<{ id: string }>('SELECT id FROM delivery ORDER BY position LIMIT 1');
    expect(await queue.redeliveries.redeliver(blog.projectId, failed?.id ?? '')).toMatchObject({ kind: 'created' });
    const [claimed] = await claimBy(queue.otherReplica());
    expect(claimed).toMatchObject({ kind: 'redelivery', lifecycleEventId: newest.id });
    expect(JSON.stringify(claimed?.lifecycleEvent)).toBe(JSON.stringify(newest.data));
  });
});

describe('on the acknowledgement', () => {
  const wait = (...events: Parameters<TestQueue['plans']['plan']>[0]) =>
    queue.plans.plan(events, { servedWaitMs: 600_000 });
  const markServed = (...events: Parameters<typeof servedEvent>[0][]) =>
    queue.plans.markServed(events.map((event) => servedEvent(event).data));
  const eventIds = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ lifecycleEventId }) => lifecycleEventId);

  it('deliveries that wait for it are due, and other events keep waiting', async () => {
    const projectId = randomUUID();
    for (let receivers = 0; receivers < 3; receivers += 1) await queue.addIntegration(projectId);
    const [served, other] = [1, 2].map(() => testBlog(projectId).published());
    await wait(served!, other!);
    expect(await queue.deliveries.measure()).toMatchObject({ unserved: 6, due: 0 });
    expect(await markServed(served!)).toBe(true);
    expect(await queue.deliveries.measure()).toMatchObject({ unserved: 3, due: 3 });
    expect(eventIds(await claim())).toEqual([served!.id, served!.id, served!.id]);
  });

  it('a repeated acknowledgement changes nothing', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    await wait(event);
    expect([await markServed(event), await markServed(event)]).toEqual([true, false]);
  });

  it('an older event of the blog comes first, even without its own acknowledgement', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const [first, second] = [blog.published(), blog.published()];
    await wait(first, second);
    await markServed(second);
    expect(await claim()).toEqual([]);
    await markServed(first);
    expect(eventIds(await claim())).toEqual([first.id]);
  });

  it('retries keep their times, and a deleted receiver gets nothing', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    const event = blog.published({ trigger: 'autopilot' });
    await plan(event);
    await record(await claimOne(), retryIn(60_000));
    await markServed(event);
    expect(await claim()).toEqual([]);
    const another = testBlog(blog.projectId).published();
    await wait(another);
    await queue.query('UPDATE integration SET deleted_at = now(), active = false, sealed_url = NULL WHERE id = $1', [
      id,
    ]);
    await markServed(another);
    expect(await claim()).toEqual([]);
  });

  it('an acknowledgement that comes before its event is planned is remembered', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const event = blog.published();
    expect(await markServed(event)).toBe(false);
    await wait(event);
    expect(eventIds(await claim())).toEqual([event.id]);
  });
});

describe('ended deliveries, and those under way, block nothing', () => {
  it('a queue behind deliveries under way is claimed, no matter which replica holds them', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    await plan(...Array.from({ length: 30 }, () => testBlog(projectId).published()));
    const held = [...(await claim({ limit: 10 })), ...(await claimBy(queue.otherReplica(), 10))];
    const rest = await claim();
    expect(new Set([...held, ...rest].map(({ id }) => id)).size).toBe(30);
    await Promise.all([...held, ...rest].map((claimed) => record(claimed, SUCCEEDED)));
    expect(new Set(await statuses())).toEqual(new Set(['succeeded']));
    expect(await queue.query('SELECT 1 FROM delivery_queue')).toEqual([]);
  });

  describe('one receiver with more blocked deliveries than one claim looks at', () => {
    const many = 300;
    const claimRound = async () => {
      const claimed: ClaimedDelivery[] = [];
      for (let more = true; more;) {
        const result = await queue.deliveries.claim(UNLIMITED);
        claimed.push(...result.deliveries);
        more = result.mayHaveMore;
      }
      return claimed;
    };

    it('a blog that is published many times delays no other blog, and keeps its order', async () => {
      const projectId = randomUUID();
      const [hasty, calm] = [testBlog(projectId), testBlog(projectId)];
      await queue.addIntegration(projectId);
      const first = hasty.published();
      await plan(first, ...Array.from({ length: many }, () => hasty.published()));
      const other = calm.published();
      await plan(other);
      expect((await claimRound()).map(({ lifecycleEventId }) => lifecycleEventId).sort()).toEqual(
        [first.id, other.id].sort(),
      );
      expect(await claimRound()).toEqual([]);
    });

    it('claims skip waiting retries, too, and reach all blogs, a part by each claim', async () => {
      const projectId = randomUUID();
      await queue.addIntegration(projectId);
      const hasty = testBlog(projectId);
      const waiting = Array.from({ length: many }, () => testBlog(projectId).published());
      await plan(hasty.published(), ...waiting);
      await queue.query(`UPDATE delivery_queue SET is_retry = true, due_at = now() + interval '1 hour'`);
      const [first, ...later] = Array.from({ length: many }, () => hasty.published());
      await plan(first!, ...later);
      const others = Array.from({ length: 5 }, () => testBlog(projectId).published());
      await plan(...others);
      expect((await claimRound()).map(({ lifecycleEventId }) => lifecycleEventId).sort()).toEqual(
        [first!, ...others].map(({ id }) => id).sort(),
      );
    });

    it('claims skip what others have in flight', async () => {
      const projectId = randomUUID();
      await queue.addIntegration(projectId);
      await plan(...Array.from({ length: many + 5 }, () => testBlog(projectId).published()));
      const theirs = await queue
        .otherReplica()
        .claim({ ...UNLIMITED, limit: many, perIntegration: many, perProject: many });
      expect(theirs.deliveries.length).toBeGreaterThan(128);
      expect(await claimRound()).toHaveLength(many + 5 - theirs.deliveries.length);
    });
  });

  it('a delivery that waits for its retry holds back the next one of its blog, at its receiver only', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const first = blog.published({ trigger: 'autopilot' });
    await plan(first);
    const attempt = await claimOne();
    const second = blog.published();
    // In flight it is in the queue too: nothing overtakes it.
    await plan(second);
    expect(await claim()).toEqual([]);
    await record(attempt, SUCCEEDED);
    expect((await claim()).map(({ lifecycleEventId }) => lifecycleEventId)).toEqual([second.id]);
  });
});

describe('a queue that has grown long since the statements were planned', () => {
  /** Puts so many deliveries into the queue that are due at some other time. */
  const fill = (count: number) =>
    queue.query(
      `INSERT INTO delivery_queue (position, delivery_id, integration_id, blog_id, blog_event_number, kind, due_at)
       SELECT -place, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 'lifecycle',
         now() + place * interval '1 hour'
       FROM generate_series(1, $1::integer) AS place`,
      [count],
    );
  const entriesRead = async () => {
    // Of the one connection that all of it went through.
    await queue.pool.query('SELECT pg_stat_force_next_flush()');
    const [row] = await queue.query<{ read: number }>(
      `SELECT sum(idx_tup_read)::integer AS read FROM pg_stat_user_indexes WHERE relname = 'delivery_queue'`,
    );
    return row?.read ?? Number.NaN;
  };

  it('costs a claim no more than a short one, because it looks at each receiver’s share only', async () => {
    queue.pool.options.max = 1;
    const projectId = randomUUID();
    for (let receivers = 0; receivers < 30; receivers += 1) await queue.addIntegration(projectId);
    const readByClaim = async () => {
      const before = await entriesRead();
      expect(await claim({ limit: 30 })).toHaveLength(30);
      return (await entriesRead()) - before;
    };
    await plan(testBlog(projectId).published());
    const short = await readByClaim();
    await queue.query('TRUNCATE delivery, delivery_queue, lease, lifecycle_event');
    await plan(...Array.from({ length: 40 }, () => testBlog(projectId).published()));
    expect(await readByClaim()).toBeLessThanOrEqual(2 * short + 100);
  });

  it('is not scanned for a plan, an acknowledgement, a claim or an end, which have their own indexes', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    const deliverOne = async () => {
      const event = testBlog(projectId).published();
      await queue.plans.plan([event], { servedWaitMs: 600_000 });
      expect(await claim()).toEqual([]);
      await queue.plans.markServed([servedEvent(event).data]);
      await record(await claimOne(), SUCCEEDED);
    };
    queue.pool.options.max = 1;
    // As after a busy hour: pages, and nothing in them.
    await fill(5_000);
    await queue.query('DELETE FROM delivery_queue');
    await queue.query('VACUUM (TRUNCATE false) delivery_queue');
    await deliverOne();
    await fill(5_000);
    const before = await entriesRead();
    await deliverOne();
    expect((await entriesRead()) - before).toBeLessThan(50);
  });
});
