import { randomBytes, randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase, openQueuePool, type Database } from '../database/open-database.ts';
import { createRedeliveryStore } from '../redelivery/redelivery-store.ts';
import { createSentBodyStore, MAX_KEPT_BODY_BYTES } from './sent-body-store.ts';
import { sweepLog } from './sweep-log.ts';
import { createSweepLogStore } from './sweep-log-store.ts';

let queue: TestQueue;
let database: Database;
beforeAll(async () => {
  queue = await openTestQueue();
  database = openDatabase(queue.databaseUrl, 2, () => undefined);
});
beforeEach(async () => {
  await queue.clear();
});
afterAll(async () => {
  await database.$disconnect();
  await queue[Symbol.asyncDispose]();
});

const { plan, claim, claimOne, record, statuses } = attemptsOn(() => queue);
const DAY_MS = 24 * 3_600_000;
const { logger } = recordingLogger();
const sweep = () =>
  sweepLog({
    store: createSweepLogStore(database),
    endAbandonedTests: () => Promise.resolve(0),
    keepMs: 30 * DAY_MS,
    now: () => new Date(),
    logger,
  });
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const grow = (days: number) =>
  queue.query(
    `UPDATE delivery SET created_at = created_at - $1 * interval '1 day',
       finished_at = finished_at - $1 * interval '1 day'`,
    [days],
  );

describe('the delivery log', () => {
  it('is kept for 30 days from the end of a delivery, attempts included', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    for (const verdict of [SUCCEEDED, FAILED]) {
      await plan(blog.published());
      await record(await claimOne(), verdict);
    }
    await grow(29);
    await sweep();
    expect(await statuses()).toEqual(['succeeded', 'failed']);
    await grow(2);
    await sweep();
    expect(await statuses()).toEqual([]);
    expect(await queue.query('SELECT 1 FROM delivery_attempt')).toEqual([]);
  });

  it('no longer offers to redeliver a failed delivery that it forgot', async () => {
    const blog = testBlog(randomUUID());
    const id = await queue.addIntegration(blog.projectId);
    const [old, young] = [testBlog(blog.projectId), testBlog(blog.projectId)];
    await plan(old.published());
    await record(await claimOne(), FAILED);
    await grow(31);
    await plan(young.published());
    await record(await claimOne(), FAILED);
    await sweep();
    expect(
      await queue.query('SELECT d.blog_id FROM failed_delivery f JOIN delivery d ON d.id = f.delivery_id'),
    ).toEqual([{ blog_id: young.id }]);
    expect(await queue.query('SELECT 1 FROM failed_delivery')).toHaveLength(1);
    const { created } = await createRedeliveryStore(database).redeliverFailed(blog.projectId, id, new Date(0));
    expect(created.map(({ blogId }) => blogId)).toEqual([young.id]);
  });

  it('never loses unfinished deliveries, what receivers have, or which events were planned', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId);
    const [ended, waiting, running] = [
      blog.published(),
      testBlog(blog.projectId).published(),
      testBlog(blog.projectId).published(),
    ];
    await plan(ended);
    await record(await claimOne(), SUCCEEDED, { liveUrl: 'https://site.example/tea' });
    await plan(waiting, running);
    await claim({ limit: 1 });
    await grow(100);
    await sweep();
    expect((await statuses()).toSorted()).toEqual(['in_flight', 'pending']);
    expect(await queue.query('SELECT published, live_url FROM receiver_blog')).toEqual([
      { published: true, live_url: 'https://site.example/tea' },
    ]);
    await plan(ended);
    expect((await statuses()).toSorted()).toEqual(['in_flight', 'pending']);
  });

  it('is swept by several replicas concurrently without deadlocks', async () => {
    const projectId = randomUUID();
    for (let receiver = 0; receiver < 20; receiver += 1) await queue.addIntegration(projectId);
    const replicas = Array.from({ length: 4 }, () => openDatabase(queue.databaseUrl, 1, () => undefined));
    const [second] = await queue.query<{ position: string }>(
      'SELECT position FROM integration ORDER BY position OFFSET 1 LIMIT 1',
    );
    try {
      for (let round = 0; round < 10; round += 1) {
        await queue.query(
          `INSERT INTO delivery (id, kind, integration_id, project_id, trigger, event, status, created_at, finished_at)
           SELECT gen_random_uuid(), 'test', i.id, i.project_id, 'manual', 'test.ping', 'failed',
             now() - interval '40 days', now() - n * interval '1 day'
           FROM integration i, generate_series(30, 130) AS n ORDER BY random()`,
        );
        // Each has another part of the log before it.
        const sweeps = replicas.map((replica, number) =>
          createSweepLogStore(replica).sweepDeliveries(
            daysAgo(31 + 20 * number),
            number % 2 === 0 ? 0n : BigInt(second!.position),
            100 - 20 * number,
          ),
        );
        const ended = await Promise.allSettled(sweeps);
        expect(ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
      }
    } finally {
      for (const replica of replicas) await replica.$disconnect();
    }
  });

  it('is swept behind deliveries that have not ended, batch by batch', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    await plan(testBlog(projectId).published());
    await queue.query(
      `INSERT INTO delivery (id, kind, integration_id, project_id, trigger, event, status, created_at, finished_at)
       SELECT gen_random_uuid(), 'test', i.id, i.project_id, 'manual', 'test.ping', 'failed', now(), now()
       FROM integration i, generate_series(1, 1200)`,
    );
    await grow(40);
    await plan(testBlog(projectId).published());
    await sweep();
    expect(await statuses()).toEqual(['pending', 'pending']);
  });

  it('is swept receiver by receiver in turn, so that one with a long history delays no other', async () => {
    // Behind these positions there is a receiver each, which takes so many more calls.
    const left = new Map([
      [0n, 3],
      [1n, 1],
      [2n, 2],
    ]);
    const calls: bigint[] = [];
    const sweepDeliveries = (_before: Date, after: bigint) => {
      calls.push(after);
      const more = (left.get(after) ?? 0) - 1;
      left.set(after, more);
      return Promise.resolve(after > 2n ? null : { last: after + 1n, hasMore: more > 0 });
    };
    await sweepLog({
      store: { sweepDeliveries, sweepParts: () => Promise.resolve(0), sweepReceivers: () => Promise.resolve(0) },
      endAbandonedTests: () => Promise.resolve(0),
      keepMs: 0,
      now: () => new Date(),
      logger,
    });
    expect(calls).toEqual([0n, 1n, 2n, 3n, 0n, 2n, 0n]);
  });

  it('is swept until nothing too old is left, however much there is', async () => {
    await queue.query(
      `INSERT INTO sent_body (hash, body, is_packed, stored_at) SELECT number::text, '', false, $1
       FROM generate_series(1, 10600) AS of (number)`,
      [daysAgo(38)],
    );
    await sweep();
    expect(await queue.query('SELECT 1 FROM sent_body')).toEqual([]);
  });

  it('keeps bodies and replaced headers as long as an entry refers to them', async () => {
    const bodies = createSentBodyStore(database, queue.pool, logger);
    const [old, young] = await Promise.all([bodies.keep(Buffer.from('old')), bodies.keep(Buffer.from('young'))]);
    await queue.query('UPDATE sent_body SET stored_at = $1 WHERE hash = $2', [daysAgo(38), old]);
    await queue.query('UPDATE sent_body SET stored_at = $1 WHERE hash = $2', [daysAgo(31), young]);
    const id = randomUUID();
    await queue.query(
      `INSERT INTO integration_headers
       VALUES ($1, 'old', 'sealed', $2), ($1, 'young', 'sealed', $3), ($1, 'in use', 'sealed', NULL)`,
      [id, daysAgo(38), daysAgo(31)],
    );
    await sweep();
    expect(await queue.query('SELECT hash FROM sent_body')).toEqual([{ hash: young }]);
    expect(await queue.query('SELECT hash FROM integration_headers ORDER BY hash')).toEqual([
      { hash: 'in use' },
      { hash: 'young' },
    ]);
  });
});

describe('bodies', () => {
  it('are kept once, and count as new when they are sent again', async () => {
    let nowMs = 0;
    const bodies = createSentBodyStore(database, queue.pool, logger, () => nowMs);
    const body = Buffer.from('{"event":"blog.published"}');
    const [first, second] = await Promise.all([bodies.keep(body), bodies.keep(Buffer.from(body))]);
    expect(second).toBe(first);
    // An hour more: a time is kept by the millisecond, and may be rounded up.
    await queue.query(`UPDATE sent_body SET stored_at = now() - interval '20 days 1 hour'`);
    await bodies.keep(body);
    const age = async () =>
      (
        await queue.query<{ days: number }>(
          'SELECT extract(day FROM now() - stored_at)::integer AS days FROM sent_body',
        )
      )[0]?.days;
    // Known to be there: not written again immediately.
    expect(await age()).toBe(20);
    nowMs += 3_600_000;
    await bodies.keep(body);
    expect(await age()).toBe(0);
    expect((await bodies.load([first ?? '', 'unknown'])).get(first ?? '')).toEqual(body);
  });

  it('are kept apart when many of any length are kept at the same time', async () => {
    const bodies = createSentBodyStore(database, queue.pool, logger);
    const lengths = [0, 1, 2, 10, 1_000, 70_000, 3, 300_000, ...Array.from({ length: 40 }, (_, index) => index + 4)];
    const given = lengths.map((length) => randomBytes(length));
    const kept = await Promise.all(given.map((body) => bodies.keep(body)));
    const loaded = await bodies.load(kept.map((hash) => hash ?? ''));
    for (const [index, hash] of kept.entries()) {
      const body = given[index]?.subarray(0, MAX_KEPT_BODY_BYTES) ?? Buffer.alloc(0);
      expect(body.equals(loaded.get(hash ?? '') ?? Buffer.from('not kept'))).toBe(true);
    }
  });

  it('do not fail an attempt when the database is away', async () => {
    const away = openQueuePool('postgres://127.0.0.1:1/nowhere', () => undefined);
    expect(await createSentBodyStore(database, away, logger).keep(Buffer.from('x'))).toBeNull();
    await away.end();
  });
});

describe('a deleted receiver', () => {
  it('is removed with its data once the log no longer names it; others stay', async () => {
    const blog = testBlog(randomUUID());
    const [gone, kept] = [await queue.addIntegration(blog.projectId), await queue.addIntegration(blog.projectId)];
    await plan(blog.published());
    for (const claimed of await claim()) await record(claimed, SUCCEEDED);
    const deleteBefore = (days: number) =>
      queue.query(
        `UPDATE integration SET deleted_at = now() - $2 * interval '1 day', active = false, sealed_url = NULL
         WHERE id = $1`,
        [gone, days],
      );
    await deleteBefore(29);
    // As an attempt leaves it that ran while the receiver was deleted.
    await queue.query(
      `INSERT INTO link_healing (integration_id, blog_id, project_id)
       VALUES ('${gone}', '${blog.id}', '${blog.projectId}');
       INSERT INTO destination_post (integration_id, blog_id, slug, title) VALUES ('${gone}', '${blog.id}', 'a', 'A');
       INSERT INTO destination_image (integration_id, source, image_id, url)
         VALUES ('${gone}', 'a', '1', 'https://a.example/')`,
    );
    const others = async () => {
      const tables = ['link_healing', 'destination_post', 'destination_image'];
      const rows = await Promise.all(tables.map((table) => queue.query(`SELECT FROM ${table}`)));
      return rows.map(({ length }) => length);
    };
    const left = async () => ({
      receivers: (await queue.query<{ id: string }>('SELECT id FROM integration ORDER BY position')).map(
        ({ id }) => id,
      ),
      blogs: (await queue.query<{ id: string }>('SELECT integration_id AS id FROM receiver_blog')).length,
    });
    await sweep();
    expect(await left()).toEqual({ receivers: [gone, kept], blogs: 2 });
    await deleteBefore(31);
    await sweep();
    // The log names it.
    expect(await left()).toEqual({ receivers: [gone, kept], blogs: 2 });
    expect(await others()).toEqual([1, 1, 1]);
    await grow(31);
    await sweep();
    expect(await left()).toEqual({ receivers: [kept], blogs: 1 });
    expect(await others()).toEqual([0, 0, 0]);
  });
});
