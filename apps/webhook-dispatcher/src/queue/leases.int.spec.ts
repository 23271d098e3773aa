import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED, retryIn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import type { ClaimedDelivery } from './claim-statements.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(() => queue.clear());
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim, claimOne, record, statuses, outcomeEvents, leases, expireLeases, reclaim } = attemptsOn(
  () => queue,
);
const { renew, deleteLeases, release } = {
  renew: (...tokens: string[]) => queue.deliveries.renew(tokens, 10_000),
  deleteLeases: (...tokens: string[]) => queue.deliveries.deleteLeases(tokens),
  release: (claimed: ClaimedDelivery) => queue.deliveries.release(claimed),
};
const idsOf = (deliveries: readonly { readonly id: string }[]) => deliveries.map(({ id }) => id).toSorted();
const tokensOf = (deliveries: readonly { readonly leaseToken: string }[]) => [
  ...new Set(deliveries.map(({ leaseToken }) => leaseToken)),
];

/** So many posts for one receiver, all of them due. */
const planMany = async (count: number, trigger: 'manual' | 'autopilot' = 'manual') => {
  const projectId = randomUUID();
  await queue.addIntegration(projectId);
  await plan(...Array.from({ length: count }, () => testBlog(projectId).published({ trigger })));
};
const claimAndLose = async () => {
  await planMany(1);
  const lost = await claimOne();
  await expireLeases();
  const [taken] = await reclaim();
  if (taken === undefined) throw new Error('nothing was taken over');
  return { lost, taken };
};

describe('a lease', () => {
  it('is one for all deliveries of a claim, with the start of their attempts', async () => {
    await planMany(5);
    const first = await claim({ limit: 3, leaseMs: 60_000 });
    const second = await claim({ leaseMs: 60_000 });
    expect([...tokensOf(first), ...tokensOf(second)]).toHaveLength(2);
    const held = await leases();
    for (const [index, deliveries] of [first, second].entries()) {
      expect(tokensOf(deliveries)).toEqual([held[index]?.token]);
      expect([...(held[index]?.delivery_ids ?? [])].toSorted()).toEqual(idsOf(deliveries));
      for (const { beganAt } of deliveries) expect(beganAt).toEqual(held[index]?.began_at);
    }
    expect(held.map(({ began_at, until }) => until.getTime() - began_at.getTime())).toEqual([60_000, 60_000]);
  });

  it('is not written by an empty claim', async () => {
    expect(await claim()).toEqual([]);
    await planMany(1);
    await queue.query(`UPDATE delivery_queue SET due_at = now() + interval '1 minute'`);
    expect(await claim()).toEqual([]);
    expect(await leases()).toEqual([]);
  });

  it('no longer covers a delivery that has ended, waits for its retry, or was given back', async () => {
    await planMany(3, 'autopilot');
    const [ended, retried, released] = (await claim()) as [ClaimedDelivery, ClaimedDelivery, ClaimedDelivery];
    await record(ended, SUCCEEDED);
    await record(retried, retryIn(60_000));
    await release(released);
    expect(await queue.query('SELECT 1 FROM delivery WHERE lease_token IS NOT NULL')).toEqual([]);
    await expireLeases();
    expect(await queue.deliveries.reclaimExpired(10_000)).toEqual({ deliveries: [], mayHaveMore: false });
    expect(await leases()).toEqual([]);
    expect((await statuses()).toSorted()).toEqual(['pending', 'pending', 'succeeded']);
  });

  it('that is released is over, and no other', async () => {
    await planMany(2);
    const [first, second] = [await claim({ limit: 1 }), await claim({ limit: 1 })];
    await deleteLeases(...tokensOf(first), randomUUID());
    expect((await leases()).map(({ token }) => token)).toEqual(tokensOf(second));
  });
});

describe('leases', () => {
  it('that run are not taken over', async () => {
    await planMany(1);
    await claimOne();
    expect(await reclaim()).toEqual([]);
  });

  it('that expired are taken over once, with a new fencing token', async () => {
    const { lost, taken } = await claimAndLose();
    expect(taken.id).toBe(lost.id);
    expect(taken.leaseToken).not.toBe(lost.leaseToken);
    expect(await reclaim()).toEqual([]);
  });

  it('that expired are taken over by one of several concurrent processes', async () => {
    await planMany(60);
    for (let round = 0; round < 6; round += 1) await claim({ limit: 10 });
    await expireLeases();
    const taken = (await Promise.all([reclaim(), reclaim(), reclaim(), reclaim()])).flat();
    const rest = await reclaim();
    expect(new Set(idsOf([...taken, ...rest])).size).toBe(60);
    expect([...taken, ...rest]).toHaveLength(60);
  });

  it('that expired are each taken over under a token of its own, with the start of its attempts', async () => {
    await planMany(4);
    const [first, second] = [await claim({ limit: 2 }), await claim({ limit: 2 })];
    await queue.query(
      `UPDATE lease SET began_at = CASE token WHEN $1 THEN timestamptz '2026-11-21 09:00:00.123Z'
       ELSE '2026-11-21 09:00:01Z' END`,
      tokensOf(first),
    );
    await expireLeases();
    const taken = await reclaim();
    const beganAt = new Map(taken.map(({ id, beganAt }) => [id, beganAt.toISOString()]));
    for (const { id } of first) expect(beganAt.get(id)).toBe('2026-11-21T09:00:00.123Z');
    for (const { id } of second) expect(beganAt.get(id)).toBe('2026-11-21T09:00:01.000Z');
    const held = await leases();
    expect(held).toHaveLength(2);
    expect(held.map(({ token }) => token)).toEqual(expect.arrayContaining(tokensOf(taken)));
    expect(held.map(({ began_at }) => began_at.toISOString())).toEqual([
      '2026-11-21T09:00:00.123Z',
      '2026-11-21T09:00:01.000Z',
    ]);
    expect(held.map(({ delivery_ids }) => [...delivery_ids].toSorted())).toEqual([idsOf(first), idsOf(second)]);
  });

  it('leave nothing in flight once all that they held was taken over and has ended', async () => {
    await planMany(6, 'autopilot');
    const claimed = await claim();
    await record(claimed[0] as ClaimedDelivery, SUCCEEDED);
    await expireLeases();
    const taken = await reclaim();
    expect(idsOf(taken)).toEqual(idsOf(claimed.slice(1)));
    for (const [index, held] of taken.entries()) {
      const verdict = index % 2 === 0 ? FAILED : retryIn(60_000);
      expect(await record({ ...(claimed[0] as ClaimedDelivery), ...held }, verdict)).toBe(true);
    }
    expect(await queue.query('SELECT 1 FROM delivery WHERE lease_token IS NOT NULL')).toEqual([]);
    await expireLeases();
    expect(await reclaim()).toEqual([]);
    expect(await leases()).toEqual([]);
    expect((await statuses()).toSorted()).toEqual(['failed', 'failed', 'failed', 'pending', 'pending', 'succeeded']);
    // What has ended waits for nothing any more.
    expect(await queue.query('SELECT is_retry FROM delivery_queue')).toEqual([{ is_retry: true }, { is_retry: true }]);
  });

  it('of more claims than one call takes over are taken over in several calls, each of which says that there may be more', async () => {
    await planMany(51);
    for (let claims = 0; claims < 51; claims += 1) await claim({ limit: 1 });
    await expireLeases();
    const first = await queue.deliveries.reclaimExpired(10_000);
    expect(first.deliveries).toHaveLength(50);
    expect(first.mayHaveMore).toBe(true);
    const second = await queue.deliveries.reclaimExpired(10_000);
    expect(second.deliveries).toHaveLength(1);
    expect(second.mayHaveMore).toBe(false);
  });

  it('without deliveries in flight are skipped, however many they are, and deleted', async () => {
    await planMany(52);
    for (let claims = 0; claims < 51; claims += 1) await record(await claimOne({ limit: 1 }), SUCCEEDED);
    const last = await claimOne();
    await expireLeases();
    await queue.query(`UPDATE lease SET until = until + interval '1 ms' WHERE token = $1`, [last.leaseToken]);
    expect(await queue.deliveries.reclaimExpired(10_000)).toEqual({ deliveries: [], mayHaveMore: true });
    expect(idsOf(await reclaim())).toEqual([last.id]);
    expect(await leases()).toHaveLength(1);
  });

  it('pass on the start of the attempts for the log', async () => {
    const { lost, taken } = await claimAndLose();
    expect(taken.beganAt).toEqual(lost.beganAt);
    await expireLeases();
    const [again] = await reclaim();
    expect(again?.beganAt).toEqual(lost.beganAt);
    await record({ ...lost, ...again }, FAILED);
    expect(await queue.query('SELECT number, started_at FROM delivery_attempt')).toEqual([
      { number: 1, started_at: lost.beganAt },
    ]);
  });

  it('once lost, let their holder neither renew, give back, nor record an unknown outcome', async () => {
    const { lost } = await claimAndLose();
    expect(await record(lost, { kind: 'failed', reason: 'interrupted', detail: '' })).toBe(false);
    expect(await renew(lost.leaseToken)).toEqual(new Set());
    await release(lost);
    await deleteLeases(lost.leaseToken);
    expect(await statuses()).toEqual(['in_flight']);
    expect(await leases()).toHaveLength(1);
    expect(await queue.query('SELECT * FROM receiver_blog')).toEqual([]);
    expect(await queue.query('SELECT * FROM delivery_attempt')).toEqual([]);
    expect(await queue.query('SELECT * FROM failed_delivery')).toEqual([]);
    expect(await queue.query('SELECT is_retry FROM delivery_queue')).toEqual([{ is_retry: false }]);
    expect(await outcomeEvents('delivery.finished')).toEqual([]);
  });

  it('are renewed for their holders', async () => {
    await planMany(2);
    const [claimed, other] = [await claimOne({ limit: 1 }), await claimOne({ limit: 1 })];
    await expireLeases();
    expect(await renew(claimed.leaseToken)).toEqual(new Set([claimed.leaseToken]));
    expect(idsOf(await reclaim())).toEqual([other.id]);
    expect(await renew(claimed.leaseToken, other.leaseToken)).toEqual(new Set([claimed.leaseToken]));
  });

  it('are renewed for the deliveries still in flight when some have ended', async () => {
    await planMany(2);
    const [ended, running] = (await claim()) as [ClaimedDelivery, ClaimedDelivery];
    await record(ended, SUCCEEDED);
    expect(await renew(running.leaseToken)).toEqual(new Set([running.leaseToken]));
    await expireLeases();
    expect(idsOf(await reclaim())).toEqual([running.id]);
  });

  it('are renewed, taken over and ended concurrently without deadlocks, and each attempt ends once', async () => {
    const project = randomUUID();
    await queue.addIntegration(project);
    for (let round = 0; round < 5; round += 1) {
      await plan(...Array.from({ length: 60 }, () => testBlog(project).published()));
      const claimed = await claim();
      await expireLeases();
      const ends = [...claimed].reverse().map((delivery) => record(delivery, SUCCEEDED));
      const [taken] = await Promise.all([reclaim(), renew(...tokensOf(claimed))]);
      // The holder, which knows the outcome, takes back what was taken over by then.
      expect(await Promise.all(ends)).toEqual(claimed.map(() => true));
      const late = taken.map((held) => record({ ...(claimed[0] as ClaimedDelivery), ...held }, FAILED));
      expect(await Promise.all(late)).toEqual(taken.map(() => false));
    }
    expect(new Set(await statuses())).toEqual(new Set(['succeeded']));
    expect(await queue.query('SELECT 1 FROM delivery_queue')).toEqual([]);
  });

  it('are renewed while others end, without deadlocks', async () => {
    const project = randomUUID();
    await queue.addIntegration(project);
    for (let round = 0; round < 5; round += 1) {
      await plan(...Array.from({ length: 60 }, () => testBlog(project).published()));
      const claimed = await claim();
      const ends = [...claimed].reverse().map((delivery) => record(delivery, SUCCEEDED));
      await Promise.all(Array.from({ length: 10 }, () => renew(...tokensOf(claimed))));
      expect(await Promise.all(ends)).toEqual(claimed.map(() => true));
    }
  });
});
