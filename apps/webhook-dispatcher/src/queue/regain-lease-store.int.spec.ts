import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase, type Database } from '../database/open-database.ts';
import type { LeasedDelivery } from './claim-statements.ts';
import type { Verdict } from '../http/judge.ts';
import { untilRecorded } from '../attempt/record-outcome.ts';
import { regainLease } from './regain-lease-store.ts';

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

const { plan, claim, claimOne, record, statuses, outcomeEvents, expireLeases, reclaim, makeAllDue } = attemptsOn(
  () => queue,
);
const INTERRUPTED = { kind: 'failed', reason: 'interrupted', detail: 'Not known.' } as const satisfies Verdict;
const INTERRUPTED_RETRY: Verdict = { ...INTERRUPTED, kind: 'retry', afterMs: 0 };

/** A delivery whose holder lost its lease; it was judged like this, or not yet. */
const loseLease = async (verdict: Verdict | null, trigger: 'manual' | 'autopilot' = 'manual') => {
  const blog = testBlog(randomUUID());
  await queue.addIntegration(blog.projectId);
  await plan(blog.published({ trigger }));
  const held = await claimOne();
  await expireLeases();
  const [taken] = await reclaim();
  if (taken === undefined) throw new Error('nothing was taken over');
  const reclaimer = { ...held, ...taken };
  if (verdict !== null) await record(reclaimer, verdict, { statusCode: null });
  return { blog, held, reclaimer };
};
const leaseOf = async (held: LeasedDelivery) => {
  const back = await regainLease(database, held);
  if (back === null) throw new Error('nothing was taken back');
  return { leaseToken: back.leaseToken };
};
const attempts = () => queue.query('SELECT number, reason, status_code FROM delivery_attempt ORDER BY number');
const hasBlog = () => queue.query('SELECT published FROM receiver_blog');

describe('a known outcome', () => {
  it('replaces interrupted, because the receiver answered 200, and is announced', async () => {
    const { held } = await loseLease(INTERRUPTED);
    expect(await statuses()).toEqual(['failed']);
    const answer = { liveUrl: 'https://site.example/tea' };
    expect(await record(held, SUCCEEDED, answer)).toBe(true);
    expect(await queue.query('SELECT status, reason, detail, status_code, live_url FROM delivery')).toEqual([
      { status: 'succeeded', reason: null, detail: null, status_code: 200, live_url: 'https://site.example/tea' },
    ]);
    expect(await attempts()).toEqual([{ number: 1, reason: null, status_code: 200 }]);
    expect(await queue.query('SELECT 1 FROM failed_delivery')).toEqual([]);
    expect(await queue.query('SELECT 1 FROM delivery_queue')).toEqual([]);
    expect(await hasBlog()).toEqual([{ published: true }]);
    expect(await outcomeEvents('delivery.finished')).toMatchObject([
      { outcome: 'failed', reason: 'interrupted', attempts: 1 },
      { outcome: 'succeeded', reason: null, attempts: 1, live_url: 'https://site.example/tea' },
    ]);
  });

  it('replaces interrupted even if it is a failure, which then counts against the receiver', async () => {
    const { held } = await loseLease(INTERRUPTED);
    expect(await record(held, FAILED)).toBe(true);
    expect(await queue.query('SELECT status, reason FROM delivery')).toEqual([{ status: 'failed', reason: 'status' }]);
    expect(await queue.query('SELECT 1 FROM failed_delivery')).toHaveLength(1);
    expect(await queue.query('SELECT failed_in_row FROM integration')).toEqual([{ failed_in_row: 1 }]);
  });

  it('ends a retry that was planned while it was unknown', async () => {
    const { held } = await loseLease(INTERRUPTED_RETRY, 'autopilot');
    expect(await statuses()).toEqual(['pending']);
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await statuses()).toEqual(['succeeded']);
    expect(await queue.query('SELECT 1 FROM delivery_queue')).toEqual([]);
    expect(await claim()).toEqual([]);
  });

  it('gives a retry that was planned for now the time it should have', async () => {
    const { held } = await loseLease(INTERRUPTED_RETRY, 'autopilot');
    expect(await record(held, retryIn(60_000))).toBe(true);
    expect(await claim()).toEqual([]);
    expect(await queue.query('SELECT status, reason FROM delivery')).toEqual([
      { status: 'pending', reason: 'timeout' },
    ]);
    expect(await outcomeEvents('delivery.retry_planned')).toMatchObject([
      { attempts: 1, reason: 'interrupted' },
      { attempts: 1, reason: 'timeout' },
    ]);
  });

  it('takes precedence over the reclaimer’s verdict when it comes first', async () => {
    const { held, reclaimer } = await loseLease(null);
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await record(reclaimer, INTERRUPTED)).toBe(false);
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('counts once, however often it is recorded, and at the same moment', async () => {
    const { held } = await loseLease(INTERRUPTED);
    // They take it back from each other, and one that loses it too often tries again later.
    const inTheEnd = () =>
      untilRecorded(
        () => record(held, SUCCEEDED),
        { ending: new AbortController().signal },
        () => undefined,
      );
    const recorded = await Promise.all([inTheEnd(), inTheEnd(), inTheEnd()]);
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect(await record(held, FAILED)).toBe(false);
    expect(await outcomeEvents('delivery.finished')).toHaveLength(2);
  });

  it('is not recorded once another attempt has begun, which decides then', async () => {
    const { held } = await loseLease(INTERRUPTED_RETRY, 'autopilot');
    await makeAllDue();
    const next = await claimOne();
    expect(next.attempt).toBe(2);
    expect(await record(held, SUCCEEDED)).toBe(false);
    expect(await record(next, FAILED)).toBe(true);
    expect(await record(held, SUCCEEDED)).toBe(false);
    expect(await queue.query('SELECT status, reason FROM delivery')).toEqual([{ status: 'failed', reason: 'status' }]);
    expect(await hasBlog()).toEqual([]);
  });

  it('is judged as interrupted once more when its holder dies before it is recorded', async () => {
    const { held } = await loseLease(INTERRUPTED);
    await queue.query('ALTER TABLE receiver_blog ADD CONSTRAINT away CHECK (false) NOT VALID');
    await expect(record(held, SUCCEEDED)).rejects.toThrow('away');
    await queue.query('ALTER TABLE receiver_blog DROP CONSTRAINT away');
    expect(await statuses()).toEqual(['in_flight']);
    await expireLeases();
    const [taken] = await reclaim();
    expect(await record({ ...held, ...taken }, INTERRUPTED)).toBe(true);
    expect(await statuses()).toEqual(['failed']);
    // And the holder may come back after all.
    expect(await record(held, SUCCEEDED)).toBe(true);
  });

  it('does not undo the state that a later event has given the receiver', async () => {
    const { blog, held } = await loseLease(INTERRUPTED);
    await plan(blog.unpublished());
    await record(await claimOne(), SUCCEEDED);
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await statuses()).toEqual(['succeeded', 'succeeded']);
    expect(await hasBlog()).toEqual([{ published: false }]);
  });

  it('replaces a verdict that is just being committed, with all of its effects', async () => {
    const { held } = await loseLease(null);
    // What the reclaimer's record does, held open before its commit.
    await queue.query('BEGIN');
    await queue.query(
      `UPDATE delivery SET status = 'failed', reason = 'interrupted', finished_at = now(), lease_token = NULL`,
    );
    await queue.query(
      `INSERT INTO delivery_attempt (delivery_id, number, started_at, reason)
       SELECT id, 1, now(), 'interrupted' FROM delivery`,
    );
    await queue.query(
      `INSERT INTO failed_delivery (delivery_id, position, integration_id, failed_at)
       SELECT id, position, integration_id, now() FROM delivery`,
    );
    const lease = leaseOf(held);
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    await eventually(async () => expect(await queue.query(waiting)).toHaveLength(1));
    await queue.query('COMMIT');
    expect(await record({ ...held, ...(await lease) }, SUCCEEDED)).toBe(true);
    expect(await attempts()).toEqual([{ number: 1, reason: null, status_code: 200 }]);
    expect(await queue.query('SELECT 1 FROM failed_delivery')).toEqual([]);
  });

  it('is recorded even if the delivery is taken over repeatedly while the record waits', async () => {
    const { held } = await loseLease(null);
    // As if a reclaimer came between taking it back and recording it, twice.
    await queue.query(`
      CREATE SEQUENCE times_taken_over;
      CREATE FUNCTION take_over() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('times_taken_over') <= 2 THEN
          UPDATE delivery SET lease_token = gen_random_uuid() WHERE id = ANY (NEW.delivery_ids);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER taken_over AFTER INSERT ON lease FOR EACH ROW EXECUTE FUNCTION take_over()`);
    try {
      expect(await record(held, SUCCEEDED)).toBe(true);
    } finally {
      await queue.query('DROP TRIGGER taken_over ON lease; DROP FUNCTION take_over(); DROP SEQUENCE times_taken_over');
    }
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('says what the receiver has where a later event of the blog is in flight, and then fails', async () => {
    const { blog, held } = await loseLease(INTERRUPTED);
    await plan(blog.published());
    const later = await claimOne();
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await record(later, FAILED)).toBe(true);
    expect(await hasBlog()).toEqual([{ published: true }]);
    await plan(blog.published());
    expect((await claimOne()).receiverHasBlog).toBe(true);
  });

  it('does not undo the state that a later event gives the receiver before it is recorded', async () => {
    const { blog, held } = await loseLease(INTERRUPTED);
    await plan(blog.unpublished());
    const later = await claimOne();
    const lease = await leaseOf(held);
    expect(await record(later, SUCCEEDED)).toBe(true);
    expect(await record({ ...held, ...lease }, SUCCEEDED)).toBe(true);
    expect(await hasBlog()).toEqual([{ published: false }]);
  });
});
