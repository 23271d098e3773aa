import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestSchedule, type TestSchedule } from '../../test/schedule.ts';
import type { Verdict } from './judge.ts';

let schedule: TestSchedule;
beforeAll(async () => {
  schedule = await openTestSchedule();
});
beforeEach(() => schedule.clear());
afterAll(() => schedule[Symbol.asyncDispose]());

const { plan, claim, claimOne, record, statuses, told, expireLeases, takeOver, makeAllDue } = attemptsOn(
  () => schedule,
);
const INTERRUPTED = { kind: 'failed', reason: 'interrupted', detail: 'Not known.' } as const satisfies Verdict;
const INTERRUPTED_RETRY: Verdict = { ...INTERRUPTED, kind: 'retry', afterMs: 0 };

/** A delivery whose holder lost its lease; it was judged like this, or not yet. */
const loseLease = async (verdict: Verdict | null, trigger: 'manual' | 'autopilot' = 'manual') => {
  const blog = testBlog(randomUUID());
  await schedule.addIntegration(blog.projectId);
  await plan(blog.published({ trigger }));
  const held = await claimOne();
  await expireLeases();
  const [taken] = await takeOver();
  if (taken === undefined) throw new Error('nothing was taken over');
  const sweeper = { ...held, ...taken };
  if (verdict !== null) await record(sweeper, verdict, { statusCode: null });
  return { blog, held, sweeper };
};
const attempts = () => schedule.query('SELECT number, reason, status_code FROM delivery_attempt ORDER BY number');
const hasBlog = () => schedule.query('SELECT published FROM receiver_blog');

describe('an outcome that is known', () => {
  it('takes the place of interrupted: the receiver had answered 200, and everybody is told', async () => {
    const { held } = await loseLease(INTERRUPTED);
    expect(await statuses()).toEqual(['failed']);
    const answer = { liveUrl: 'https://site.example/tea' };
    expect(await record(held, SUCCEEDED, answer)).toBe(true);
    expect(await schedule.query('SELECT status, reason, detail, status_code, live_url FROM delivery')).toEqual([
      { status: 'succeeded', reason: null, detail: null, status_code: 200, live_url: 'https://site.example/tea' },
    ]);
    expect(await attempts()).toEqual([{ number: 1, reason: null, status_code: 200 }]);
    expect(await schedule.query('SELECT 1 FROM failed_delivery')).toEqual([]);
    expect(await schedule.query('SELECT 1 FROM schedule')).toEqual([]);
    expect(await hasBlog()).toEqual([{ published: true }]);
    expect(await told('delivery.finished')).toMatchObject([
      { outcome: 'failed', reason: 'interrupted', attempts: 1 },
      { outcome: 'succeeded', reason: null, attempts: 1, live_url: 'https://site.example/tea' },
    ]);
  });

  it('takes the place of interrupted also when it is a failure, which then counts against the receiver', async () => {
    const { held } = await loseLease(INTERRUPTED);
    expect(await record(held, FAILED)).toBe(true);
    expect(await schedule.query('SELECT status, reason FROM delivery')).toEqual([
      { status: 'failed', reason: 'status' },
    ]);
    expect(await schedule.query('SELECT 1 FROM failed_delivery')).toHaveLength(1);
    expect(await schedule.query('SELECT failed_in_row FROM integration')).toEqual([{ failed_in_row: 1 }]);
  });

  it('ends a retry that was planned for not knowing it', async () => {
    const { held } = await loseLease(INTERRUPTED_RETRY, 'autopilot');
    expect(await statuses()).toEqual(['pending']);
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await statuses()).toEqual(['succeeded']);
    expect(await schedule.query('SELECT 1 FROM schedule')).toEqual([]);
    expect(await claim()).toEqual([]);
  });

  it('gives a retry that was planned at once the time it should have', async () => {
    const { held } = await loseLease(INTERRUPTED_RETRY, 'autopilot');
    expect(await record(held, retryIn(60_000))).toBe(true);
    expect(await claim()).toEqual([]);
    expect(await schedule.query('SELECT status, reason FROM delivery')).toEqual([
      { status: 'pending', reason: 'timeout' },
    ]);
    expect(await told('delivery.retry_planned')).toMatchObject([
      { attempts: 1, reason: 'interrupted' },
      { attempts: 1, reason: 'timeout' },
    ]);
  });

  it('goes before the sweeper’s judgement when it comes before it', async () => {
    const { held, sweeper } = await loseLease(null);
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await record(sweeper, INTERRUPTED)).toBe(false);
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('counts once, however often it is recorded, and at the same moment', async () => {
    const { held } = await loseLease(INTERRUPTED);
    const recorded = await Promise.all([record(held, SUCCEEDED), record(held, SUCCEEDED), record(held, SUCCEEDED)]);
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect(await record(held, FAILED)).toBe(false);
    expect(await told('delivery.finished')).toHaveLength(2);
  });

  it('is not recorded once another attempt has begun: that one decides', async () => {
    const { held } = await loseLease(INTERRUPTED_RETRY, 'autopilot');
    await makeAllDue();
    const next = await claimOne();
    expect(next.attempt).toBe(2);
    expect(await record(held, SUCCEEDED)).toBe(false);
    expect(await record(next, FAILED)).toBe(true);
    expect(await record(held, SUCCEEDED)).toBe(false);
    expect(await schedule.query('SELECT status, reason FROM delivery')).toEqual([
      { status: 'failed', reason: 'status' },
    ]);
    expect(await hasBlog()).toEqual([]);
  });

  it('is judged as interrupted once more when its holder dies before it is recorded', async () => {
    const { held } = await loseLease(INTERRUPTED);
    await schedule.query('ALTER TABLE receiver_blog ADD CONSTRAINT away CHECK (false) NOT VALID');
    await expect(record(held, SUCCEEDED)).rejects.toThrow('away');
    await schedule.query('ALTER TABLE receiver_blog DROP CONSTRAINT away');
    expect(await statuses()).toEqual(['in_flight']);
    await expireLeases();
    const [taken] = await takeOver();
    expect(await record({ ...held, ...taken }, INTERRUPTED)).toBe(true);
    expect(await statuses()).toEqual(['failed']);
    // And the holder may come back after all.
    expect(await record(held, SUCCEEDED)).toBe(true);
  });

  it('does not undo what a later event has told the receiver meanwhile', async () => {
    const { blog, held } = await loseLease(INTERRUPTED);
    await plan(blog.unpublished());
    await record(await claimOne(), SUCCEEDED);
    expect(await record(held, SUCCEEDED)).toBe(true);
    expect(await statuses()).toEqual(['succeeded', 'succeeded']);
    expect(await hasBlog()).toEqual([{ published: false }]);
  });
});
