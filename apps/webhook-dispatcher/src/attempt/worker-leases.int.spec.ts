import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { attemptsOn } from '../../test/attempts.ts';
import type { Lease } from '../http/exchange.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';
import { prepareWorkers } from '../../test/workers.ts';

const { queueOf, lines, start, record, planMany, countUnfinished } = prepareWorkers();
const { leases, expireLeases, reclaim } = attemptsOn(queueOf);
/** The leases that deliveries name and that are there. */
const HELD_TOKENS = 'SELECT DISTINCT l.token FROM lease l JOIN delivery d ON d.lease_token = l.token';

describe('the leases of a worker', () => {
  it('renews the leases of long attempts', async () => {
    const holding = Promise.withResolvers<void>();
    let lease: Lease | undefined;
    start(
      async (claimed, given) => {
        lease = given;
        await holding.promise;
        await record(claimed);
      },
      // A busy machine may pause for longer than half of a short one.
      { leaseMs: 8_000 },
    );
    await planMany(1);
    await eventually(() => lease !== undefined);
    await sleep(9_000);
    expect(lease?.isHeld()).toBe(true);
    expect(await reclaim()).toEqual([]);
    holding.resolve();
    await eventually(async () => expect(await countUnfinished()).toBe(0));
  });

  it('aborts an attempt when another process has taken its delivery over', async () => {
    let interrupted = false;
    start(
      async (_claimed, lease) => {
        await new Promise((resolve) => lease.interrupted.addEventListener('abort', resolve));
        interrupted = true;
      },
      { leaseMs: 300 },
    );
    await planMany(1);
    await eventually(async () =>
      expect(await queueOf().query(`SELECT 1 FROM delivery WHERE status = 'in_flight'`)).toHaveLength(1),
    );
    // A renewal may come between.
    await eventually(async () => {
      await expireLeases();
      expect(await reclaim()).toHaveLength(1);
    });
    await eventually(() => interrupted);
  });

  it('aborts all attempts after a pause of more than half a lease, before it trusts any lease', async () => {
    let lease: Lease | undefined;
    start(
      async (claimed, given) => {
        lease = given;
        await new Promise((resolve) => given.interrupted.addEventListener('abort', resolve));
        await record(claimed);
      },
      { leaseMs: 2_000 },
    );
    await planMany(1);
    await eventually(() => expect(lease).toBeDefined());
    // Nothing else runs in this process meanwhile, as when it is stopped.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    expect(lease?.isHeld()).toBe(false);
    expect(lease?.interrupted.aborted).toBe(true);
    await eventually(async () => expect(await countUnfinished()).toBe(0));
  });

  it('releases the lease of a claim once all of its deliveries have ended, and not before', async () => {
    const ends = new Map<string, PromiseWithResolvers<void>>();
    start(
      async (claimed) => {
        const end = Promise.withResolvers<void>();
        ends.set(claimed.id, end);
        await end.promise;
        await record(claimed);
      },
      { leaseMs: 300 },
    );
    await planMany(3);
    await eventually(() => ends.size === 3);
    const [lease, ...more] = await leases();
    expect(lease?.delivery_ids).toHaveLength(3);
    expect(more).toEqual([]);
    const [one, ...others] = [...ends.values()];
    one?.resolve();
    await eventually(async () => expect(await countUnfinished()).toBe(2));
    // Longer than a lease: the rest of it is renewed.
    await sleep(700);
    expect(await leases()).toMatchObject([{ token: lease?.token, began_at: lease?.began_at }]);
    expect(await reclaim()).toEqual([]);
    for (const other of others) other.resolve();
    await eventually(async () => expect(await leases()).toEqual([]));
    expect(await countUnfinished()).toBe(0);
  });

  it('releases the lease of deliveries that were given back', async () => {
    let released = 0;
    start(
      async (claimed) => {
        released += 1;
        if (released > 1) return record(claimed);
        await queueOf().deliveries.release(claimed);
      },
      { leaseMs: 300 },
    );
    await planMany(1);
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    await eventually(async () => expect(await leases()).toEqual([]));
  });

  it('keeps the lease of an unrecorded outcome until it expires, so that others see it in flight', async () => {
    const before = lines.length;
    const deliver = (claimed: ClaimedDelivery) =>
      claimed.trigger === 'autopilot' ? Promise.reject(new Error('no database')) : record(claimed);
    const worker = start(deliver, { leaseMs: 600 });
    await planMany(2, 0, ['manual', 'autopilot']);
    await eventually(() => lines.slice(before).some(({ event }) => event === 'delivery.not_recorded'));
    await eventually(() => worker.countRunning() === 0);
    // Renewals come and go, and nobody renews it.
    await sleep(500);
    const [lost] = await queueOf().query<{ id: string; lease_token: string }>(
      `SELECT id, lease_token FROM delivery WHERE status = 'in_flight'`,
    );
    expect((await leases()).map(({ token }) => token)).toContain(lost?.lease_token);
    await eventually(async () => expect(await reclaim()).toMatchObject([{ id: lost?.id, attempt: 1 }]));
    // What has ended under the same lease is not taken over with it.
    expect(await queueOf().query('SELECT status FROM delivery ORDER BY trigger')).toEqual([
      { status: 'in_flight' },
      { status: 'succeeded' },
    ]);
  });

  it('claims a delivery that it has given back only when the first attempt has settled, and renews its lease then', async () => {
    const settling = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    let attempts = 0;
    const worker = start(
      async (claimed) => {
        attempts += 1;
        if (attempts === 1) {
          await queueOf().deliveries.release(claimed);
          worker.wake();
          await settling.promise;
        } else {
          await ending.promise;
          await record(claimed);
        }
      },
      { leaseMs: 300 },
    );
    await planMany(1);
    await eventually(() => attempts === 1);
    await sleep(200);
    expect(attempts).toBe(1);
    settling.resolve();
    await eventually(() => attempts === 2);
    await sleep(600);
    expect(worker.countRunning()).toBe(1);
    expect(await queueOf().query(HELD_TOKENS)).toHaveLength(1);
    expect(await reclaim()).toEqual([]);
    ending.resolve();
    await eventually(async () => expect(await countUnfinished()).toBe(0));
  });

  it('claims it again once its own lease has expired, even if the first attempt hangs, and counts the second separately', async () => {
    const hanging = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    let attempts = 0;
    const store = { ...queueOf().deliveries, renew: () => Promise.reject(new Error('no database')) };
    const worker = start(
      async (claimed) => {
        attempts += 1;
        if (attempts === 1) {
          await queueOf().deliveries.release(claimed);
          await hanging.promise;
        } else {
          await ending.promise;
          await record(claimed);
        }
      },
      { leaseMs: 300, store },
    );
    await planMany(1);
    await eventually(() => attempts === 2);
    expect(worker.countRunning()).toBe(2);
    hanging.resolve();
    await eventually(() => worker.countRunning() === 1);
    ending.resolve();
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    await eventually(() => worker.countRunning() === 0);
  });

  it('when stopped also aborts and awaits the first attempt of a delivery that it has claimed twice', async () => {
    const interrupted: number[] = [];
    let attempts = 0;
    const store = { ...queueOf().deliveries, renew: () => Promise.reject(new Error('no database')) };
    const worker = start(
      async (claimed, lease) => {
        const attempt = (attempts += 1);
        if (attempt === 1) await queueOf().deliveries.release(claimed);
        await new Promise((resolve) => lease.interrupted.addEventListener('abort', resolve));
        interrupted.push(attempt);
        if (attempt > 1) await record(claimed);
      },
      { leaseMs: 300, store },
    );
    await planMany(1);
    await eventually(() => attempts > 1);
    await worker.stop(0);
    expect(interrupted).toHaveLength(attempts);
    expect(interrupted).toContain(1);
  });

  it('does not trust a lease it could not renew in time', async () => {
    let lease: Lease | undefined;
    const store = { ...queueOf().deliveries, renew: () => Promise.reject(new Error('no database')) };
    const over = Promise.withResolvers<void>();
    start(
      async (_claimed, given) => {
        lease = given;
        await over.promise;
      },
      { leaseMs: 200, store },
    );
    await planMany(1);
    await eventually(() => lease !== undefined);
    await eventually(() => lease?.isHeld() === false);
    over.resolve();
  });
});
