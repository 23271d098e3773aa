import { listen } from '@blog-content/postgres';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '@blog-content/testing';
import { attemptsOn, UNLIMITED } from '../../test/attempts.ts';
import { servedEvent, testBlog } from '../../test/events.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { type AskedQuery, interceptQueries, isStatement, openTestQueue, type TestQueue } from '../../test/queue.ts';
import { createBodyBudget } from '../attempt/body-budget.ts';
import type { Lease } from '../concurrency/lease.ts';
import { type ClaimOptions, createClaimStore } from './claim-store.ts';
import type { AttemptRecord, ClaimedDelivery, LeasedDelivery } from '../attempt/claimed-delivery.ts';
import { createEventCache } from './event-cache.ts';
import { DUE_CHANNEL } from './queue-transaction-store.ts';
import { createSilentReceivers } from '../attempt/silent-receivers.ts';
import { startWorker, type Worker, type WorkerOptions } from './delivery-worker.ts';

let queue: TestQueue;
const workers: Worker[] = [];
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(async () => {
  await queue.clear();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
});
afterAll(async () => {
  await queue[Symbol.asyncDispose]();
});

const { leases, expireLeases, reclaim } = attemptsOn(() => queue);
const { logger, lines } = recordingLogger();
const start = (deliver: WorkerOptions['deliver'], options: Partial<WorkerOptions> = {}): Worker => {
  const sizes = { concurrency: 16, perProject: 16, perIntegration: 8, leaseMs: 10_000, pollIntervalMs: 50 };
  const others = {
    silent: createSilentReceivers(),
    budget: { freeSlots: () => new Map() },
    endUnsendable: () => Promise.reject(new Error('none is')),
    reclaim: () => Promise.resolve(),
  };
  const worker = startWorker({ store: queue.deliveries, deliver, logger, ...others, ...sizes, ...options });
  workers.push(worker);
  return worker;
};
const ended = (claimed: LeasedDelivery): AttemptRecord => ({
  verdict: { kind: 'succeeded' },
  event: claimed.event,
  endedAt: new Date(),
  statusCode: 200,
  liveUrl: null,
  externalId: null,
  receiverHasBlog: true,
  exchange: null,
});
const record = async (claimed: ClaimedDelivery) => {
  await queue.deliveries.record(claimed, ended(claimed));
};
/** The leases that deliveries name and that are there. */
const HELD_TOKENS = 'SELECT DISTINCT l.token FROM lease l JOIN delivery d ON d.lease_token = l.token';
const planMany = async (
  count: number,
  servedWaitMs = 0,
  triggers: readonly ('manual' | 'autopilot')[] = ['manual'],
) => {
  const projectId = randomUUID();
  await queue.addIntegration(projectId);
  const events = Array.from({ length: count }, (_, index) => {
    const trigger = triggers[index % triggers.length] ?? 'manual';
    return testBlog(projectId).published({ trigger });
  });
  await queue.plans.plan(events, { servedWaitMs });
  return events.map((event) => servedEvent(event).data);
};
const unfinished = async () =>
  (await queue.query<{ count: number }>(`SELECT count(*)::int AS count FROM delivery WHERE finished_at IS NULL`))[0]
    ?.count;

describe('the worker', () => {
  it('delivers everything that is due, each once, however many workers there are', async () => {
    const delivered: string[] = [];
    const deliver = async (claimed: ClaimedDelivery) => {
      delivered.push(claimed.id);
      await sleep(1);
      await record(claimed);
    };
    for (let index = 0; index < 4; index += 1) start(deliver);
    await planMany(100);
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(delivered).toHaveLength(100);
    expect(new Set(delivered).size).toBe(100);
  });

  it('delivers at the acknowledgement, within its limits, and nothing once it has stopped claiming', async () => {
    const flying: PromiseWithResolvers<void>[] = [];
    const worker = start(
      async (claimed) => {
        const flight = Promise.withResolvers<void>();
        flying.push(flight);
        await flight.promise;
        await record(claimed);
      },
      { concurrency: 4, perIntegration: 3 },
    );
    const [first, second] = [await planMany(5, 600_000), await planMany(5, 600_000)];
    await worker.claimOnServed(first);
    expect(flying).toHaveLength(3);
    // Both at the same time: neither takes what the other has.
    await Promise.all([worker.claimOnServed(first), worker.claimOnServed(second), worker.claimOnServed(second)]);
    expect(flying).toHaveLength(4);
    for (const flight of flying) flight.resolve();
    await eventually(async () => expect(await unfinished()).toBe(6));
    worker.stopClaiming();
    await worker.claimOnServed(first);
    expect(flying).toHaveLength(4);
  });

  it('leaves the deliveries of many events to the next claim', async () => {
    let delivered = 0;
    const worker = start(async (claimed) => {
      delivered += 1;
      await record(claimed);
    });
    const served = await planMany(9, 600_000);
    await worker.claimOnServed(served);
    expect(delivered).toBe(0);
    expect(await queue.plans.markServed(served)).toBe(true);
    await eventually(async () => expect(await unfinished()).toBe(0));
  });

  it('keeps to its limits, in all and for one receiver', async () => {
    let flying = 0;
    let most = 0;
    const deliver = async (claimed: ClaimedDelivery) => {
      flying += 1;
      most = Math.max(most, flying);
      await sleep(5);
      flying -= 1;
      await record(claimed);
    };
    await planMany(20);
    start(deliver, { concurrency: 16, perIntegration: 3 });
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(most).toBe(3);
    await planMany(10);
    await planMany(10);
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(most).toBeLessThanOrEqual(6);
  });

  it('wakes up for what becomes due later, and for what is notified', async () => {
    const deliver = record;
    const worker = start(deliver, { pollIntervalMs: 60_000 });
    const listener = listen({
      databaseUrl: queue.databaseUrl,
      channel: DUE_CHANNEL,
      onNotification: worker.wake,
      logger,
    });
    await planMany(1, 300);
    await eventually(async () => expect(await unfinished()).toBe(0));
    await planMany(1);
    await eventually(async () => expect(await unfinished()).toBe(0));
    await listener.stop();
  });

  it('renews the leases of long attempts', async () => {
    const holding = Promise.withResolvers<void>();
    let lease: Lease | undefined;
    start(
      async (claimed, given) => {
        lease = given;
        await holding.promise;
        await record(claimed);
      },
      // A busy machine may stand still for longer than half of a short one.
      { leaseMs: 8_000 },
    );
    await planMany(1);
    await eventually(() => lease !== undefined);
    await sleep(9_000);
    expect(lease?.isHeld()).toBe(true);
    expect(await reclaim()).toEqual([]);
    holding.resolve();
    await eventually(async () => expect(await unfinished()).toBe(0));
  });

  it('gives an attempt up when somebody else has taken its delivery over', async () => {
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
      expect(await queue.query(`SELECT 1 FROM delivery WHERE status = 'in_flight'`)).toHaveLength(1),
    );
    // A renewal may come between.
    await eventually(async () => {
      await expireLeases();
      expect(await reclaim()).toHaveLength(1);
    });
    await eventually(() => interrupted);
  });

  it('gives up all attempts when it has stood still for more than half a lease, before it says that any lease is held', async () => {
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
    await eventually(async () => expect(await unfinished()).toBe(0));
  });

  it('gives up the lease of a claim once all that it took has ended, and not before', async () => {
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
    await eventually(async () => expect(await unfinished()).toBe(2));
    // Longer than a lease: the rest of it is renewed.
    await sleep(700);
    expect(await leases()).toMatchObject([{ token: lease?.token, began_at: lease?.began_at }]);
    expect(await reclaim()).toEqual([]);
    for (const other of others) other.resolve();
    await eventually(async () => expect(await leases()).toEqual([]));
    expect(await unfinished()).toBe(0);
  });

  it('gives up the lease of what was given back', async () => {
    let released = 0;
    start(
      async (claimed) => {
        released += 1;
        if (released > 1) return record(claimed);
        await queue.deliveries.release(claimed);
      },
      { leaseMs: 300 },
    );
    await planMany(1);
    await eventually(async () => expect(await unfinished()).toBe(0));
    await eventually(async () => expect(await leases()).toEqual([]));
  });

  it('keeps the lease of what could not be recorded until it runs out: it is in flight for all others', async () => {
    const before = lines.length;
    const deliver = (claimed: ClaimedDelivery) =>
      claimed.trigger === 'autopilot' ? Promise.reject(new Error('no database')) : record(claimed);
    const worker = start(deliver, { leaseMs: 600 });
    await planMany(2, 0, ['manual', 'autopilot']);
    await eventually(() => lines.slice(before).some(({ event }) => event === 'delivery.not_recorded'));
    await eventually(() => worker.countRunning() === 0);
    // Renewals come and go, and nobody renews it.
    await sleep(500);
    const [lost] = await queue.query<{ id: string; lease_token: string }>(
      `SELECT id, lease_token FROM delivery WHERE status = 'in_flight'`,
    );
    expect((await leases()).map(({ token }) => token)).toContain(lost?.lease_token);
    await eventually(async () => expect(await reclaim()).toMatchObject([{ id: lost?.id, attempt: 1 }]));
    // What has ended under the same lease is not taken over with it.
    expect(await queue.query('SELECT status FROM delivery ORDER BY trigger')).toEqual([
      { status: 'in_flight' },
      { status: 'succeeded' },
    ]);
  });

  it('claims a delivery that it has given back only when the first attempt has settled, and renews its lease then', async () => {
    const landing = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    let attempts = 0;
    const worker = start(
      async (claimed) => {
        attempts += 1;
        if (attempts === 1) {
          await queue.deliveries.release(claimed);
          worker.wake();
          await landing.promise;
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
    landing.resolve();
    await eventually(() => attempts === 2);
    await sleep(600);
    expect(worker.countRunning()).toBe(1);
    expect(await queue.query(HELD_TOKENS)).toHaveLength(1);
    expect(await reclaim()).toEqual([]);
    ending.resolve();
    await eventually(async () => expect(await unfinished()).toBe(0));
  });

  it('claims it again once its own lease has run out, though the first attempt hangs, and counts the second by itself', async () => {
    const hanging = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    let attempts = 0;
    const store = { ...queue.deliveries, renew: () => Promise.reject(new Error('no database')) };
    const worker = start(
      async (claimed) => {
        attempts += 1;
        if (attempts === 1) {
          await queue.deliveries.release(claimed);
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
    await eventually(async () => expect(await unfinished()).toBe(0));
    await eventually(() => worker.countRunning() === 0);
  });

  it('when stopped gives up and awaits the first attempt of a delivery too that it has claimed a second time', async () => {
    const interrupted: number[] = [];
    let attempts = 0;
    const store = { ...queue.deliveries, renew: () => Promise.reject(new Error('no database')) };
    const worker = start(
      async (claimed, lease) => {
        const attempt = (attempts += 1);
        if (attempt === 1) await queue.deliveries.release(claimed);
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
    const store = { ...queue.deliveries, renew: () => Promise.reject(new Error('no database')) };
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

  it('when stopped claims nothing more and lets attempts end', async () => {
    const holding = Promise.withResolvers<void>();
    const worker = start(
      async (claimed) => {
        await holding.promise;
        await record(claimed);
      },
      { perIntegration: 1 },
    );
    await planMany(2);
    await eventually(() => worker.countRunning() === 1);
    const stopped = worker.stop(60_000);
    holding.resolve();
    await stopped;
    expect(await unfinished()).toBe(1);
    expect(await queue.query(`SELECT 1 FROM delivery WHERE status = 'in_flight'`)).toEqual([]);
  });

  it('when stopped gives up what takes longer than there is time', async () => {
    const worker = start(async (claimed, lease) => {
      await new Promise((resolve) => lease.interrupted.addEventListener('abort', resolve));
      await queue.deliveries.record(claimed, {
        ...ended(claimed),
        verdict: { kind: 'failed', reason: 'interrupted', detail: 'Stopped.' },
      });
    });
    await planMany(1);
    await eventually(() => worker.countRunning() === 1);
    await worker.stop(20);
    expect(await queue.query('SELECT reason FROM delivery')).toEqual([{ reason: 'interrupted' }]);
  });

  it('is out of order while no claim succeeds, and in order again once one does', async () => {
    let isAway = true;
    const claim: WorkerOptions['store']['claim'] = (options) =>
      isAway ? Promise.reject(new Error('no database')) : queue.deliveries.claim(options);
    const worker = start(record, { store: { ...queue.deliveries, claim }, stuckAfterMs: 300 });
    await eventually(() =>
      worker.checkProgress().then(
        () => false,
        (error: Error) => expect(error.message).toMatch(/^The claim loop of delivery has not succeeded for \d+ s\.$/),
      ),
    );
    isAway = false;
    await eventually(() => worker.checkProgress());
  });

  it('goes on when the database fails for a while', async () => {
    let failures = 3;
    const claim: WorkerOptions['store']['claim'] = (options) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('no database')) : queue.deliveries.claim(options);
    };
    start(record, { store: { ...queue.deliveries, claim } });
    await planMany(1);
    await eventually(async () => expect(await unfinished()).toBe(0));
  });
});

describe('projects beside each other', () => {
  /** Delivers, but never ends an attempt for one of these projects before the test does. */
  const startBeside = (silentProjects: readonly string[], options: Partial<WorkerOptions>) => {
    const hanging: ClaimedDelivery[] = [];
    const delivered: string[] = [];
    const over = new AbortController();
    const worker = start(async (claimed) => {
      if (silentProjects.includes(claimed.projectId)) {
        hanging.push(claimed);
        if (!over.signal.aborted) await new Promise((resolve) => over.signal.addEventListener('abort', resolve));
      } else delivered.push(claimed.projectId);
      await record(claimed);
    }, options);
    return { hanging, delivered, worker, end: () => over.abort() };
  };
  const planFor = async (projectId: string, receivers: number, posts: number) => {
    for (let added = 0; added < receivers; added += 1) await queue.addIntegration(projectId);
    const events = Array.from({ length: posts }, () => testBlog(projectId).published());
    await queue.plans.plan(events, { servedWaitMs: 0 });
  };

  it('a project whose receivers say nothing fills no more than its slots, and another’s delivery goes while none of its has ended', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 20, 10);
    const never = { slowAfterMs: 3_600_000 };
    const { hanging, delivered, end } = startBeside([hostile], { concurrency: 16, perProject: 4, ...never });
    await eventually(() => hanging.length === 4);
    await planFor(other, 2, 3);
    await eventually(() => delivered.length === 6);
    expect(hanging).toHaveLength(4);
    end();
  });

  it('an attempt that takes long gives its slot back, and as many again of its project go at most', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 20, 1);
    const { hanging, delivered, worker, end } = startBeside([hostile], {
      concurrency: 2,
      perProject: 2,
      slowAfterMs: 100,
      pollIntervalMs: 60_000,
    });
    await eventually(() => hanging.length === 4 && worker.countSlow() === 4);
    await planFor(other, 1, 3);
    worker.wake();
    await eventually(() => delivered.length === 3);
    expect(hanging).toHaveLength(4);
    end();
  });

  it('a slot that becomes free goes to the project with the fewest running attempts', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 20, 1);
    const { hanging, delivered, worker, end } = startBeside([hostile], { concurrency: 4, perProject: 3 });
    await eventually(() => hanging.length === 3);
    worker.stopClaiming();
    await planFor(other, 1, 1);
    const projects = new Map([[hostile, { running: 3, free: 3 }]]);
    const [next] = (await queue.deliveries.claim({ ...UNLIMITED, limit: 1, projects })).deliveries;
    expect(next?.projectId).toBe(other);
    expect(delivered).toEqual([]);
    end();
  });

  it('a receiver whose last exchange timed out gets one slot, until it answers', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 1, 6);
    const silent = createSilentReceivers();
    const [receiver] = await queue.query<{ id: string }>('SELECT id FROM integration');
    silent.note(receiver?.id ?? '', 'timeout');
    const { hanging, delivered, worker, end } = startBeside([hostile], { silent });
    await planFor(other, 1, 1);
    await eventually(() => delivered.length === 1 && hanging.length > 0);
    expect(hanging).toHaveLength(1);
    silent.note(receiver?.id ?? '', 'answered');
    worker.wake();
    await eventually(() => hanging.length === 6);
    end();
  });
});

describe('bodies that find no room', () => {
  it('are given back once, and from then on their project is claimed from as far as there is room', async () => {
    const MIB = 1024 * 1024;
    const budget = createBodyBudget({ inAll: 100 * MIB, perProject: 9 * MIB });
    const flying: PromiseWithResolvers<void>[] = [];
    const claims: number[] = [];
    let givenBack = 0;
    const claim = async (options: ClaimOptions) => {
      const claimed = await queue.deliveries.claim(options);
      claims.push(claimed.deliveries.length);
      return claimed;
    };
    await planMany(14);
    const worker = start(
      async (claimed, { interrupted }) => {
        const bytes = budget.take(claimed.projectId, MIB);
        if (bytes === null) {
          givenBack += 1;
          await queue.deliveries.release(claimed);
          return;
        }
        const flight = Promise.withResolvers<void>();
        flying.push(flight);
        interrupted.addEventListener('abort', () => flight.resolve());
        await flight.promise;
        bytes.release();
        await record(claimed);
      },
      { budget, perIntegration: 16, store: { ...queue.deliveries, claim } },
    );
    await eventually(() => givenBack === 10 && worker.countRunning() === 4);
    const before = claims.length;
    await eventually(() => claims.length > before + 5);
    expect(flying).toHaveLength(4);
    for (let ended = 0; ended < 14; ended += 1) {
      await eventually(() => flying.length > ended);
      flying[ended]?.resolve();
    }
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(givenBack).toBe(10);
    expect(await queue.query('SELECT DISTINCT attempts FROM delivery')).toEqual([{ attempts: 1 }]);
  });
});

describe('what was claimed', () => {
  it('is kept in memory by nothing but its attempt', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const begun: WeakRef<ClaimedDelivery>[] = [];
    await planMany(3);
    // No other claim takes the place of this one meanwhile.
    const worker = start(
      (claimed, { interrupted }) => {
        begun.push(new WeakRef(claimed));
        return new Promise((resolve) => interrupted.addEventListener('abort', () => resolve()));
      },
      { pollIntervalMs: 3_600_000, slowAfterMs: 3_600_000 },
    );
    await eventually(() => begun.length === 3);
    await eventually(() => {
      collect();
      expect(begun.map((one) => one.deref())).toEqual([undefined, undefined, undefined]);
    });
    expect(worker.countRunning()).toBe(3);
  });
});

describe('a claim that is not what it should be', () => {
  it('gives its deliveries back when their events cannot be loaded, and they go later as if nothing had been', async () => {
    const before = lines.length;
    let isAway = true;
    const pool = interceptQueries(queue.pool, (asked, ask) =>
      isStatement(asked, 'load_events') && isAway ? Promise.reject(new Error('no database')) : ask(),
    );
    const claims = createClaimStore(pool, createEventCache());
    const attempts: number[] = [];
    // No longer than the lease is it waited for: this one soon lets go.
    const store = {
      ...queue.deliveries,
      claim: (options: ClaimOptions) => claims.claim({ ...options, leaseMs: 1_000 }),
    };
    await planMany(3);
    start(
      async (claimed) => {
        attempts.push(claimed.attempt);
        await record(claimed);
      },
      { store },
    );
    await eventually(() => lines.slice(before).some(({ event }) => event === 'delivery.given_back'));
    isAway = false;
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(attempts).toEqual([1, 1, 1]);
    expect(await queue.query('SELECT DISTINCT status FROM delivery')).toEqual([{ status: 'succeeded' }]);
  });

  it('whose answer is lost is given back, and its manual deliveries go, none as a second attempt', async () => {
    let isLost = true;
    const pool = interceptQueries(queue.pool, async (asked, ask) => {
      const answer = await ask();
      if (asked !== 'COMMIT' || !isLost) return answer;
      isLost = false;
      throw new Error('Connection terminated');
    });
    const claims = createClaimStore(pool, createEventCache());
    const attempts: number[] = [];
    await planMany(3);
    start(
      async (claimed) => {
        attempts.push(claimed.attempt);
        await record(claimed);
      },
      { leaseMs: 600_000, store: { ...queue.deliveries, claim: (options: ClaimOptions) => claims.claim(options) } },
    );
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(attempts).toEqual([1, 1, 1]);
    expect(await queue.query('SELECT DISTINCT status FROM delivery')).toEqual([{ status: 'succeeded' }]);
  });

  it('which the database makes only after the next one takes nothing any more', async () => {
    const late: AskedQuery[] = [];
    const pool = interceptQueries(queue.pool, (asked, ask) => {
      if (!isStatement(asked, 'claim') || late.length > 0) return ask();
      late.push(asked);
      return Promise.reject(new Error('timeout'));
    });
    const claims = createClaimStore(pool, createEventCache());
    await planMany(1);
    await expect(claims.claim(UNLIMITED)).rejects.toThrow('timeout');
    expect(await claims.claim({ ...UNLIMITED, limit: 0 })).toMatchObject({ toRelease: [] });
    await expect(queue.pool.query(late[0] as never)).rejects.toThrow(/duplicate key/);
    // Its locks go a moment after its error has come, and what is locked is passed over.
    await eventually(async () => expect((await claims.claim(UNLIMITED)).deliveries).toHaveLength(1));
  });

  it('judges alone a delivery whose event is missing, and makes the others', async () => {
    const unsendable: string[] = [];
    const [lost] = await planMany(3);
    await queue.query('UPDATE lifecycle_event SET data = NULL WHERE id = $1', [lost?.lifecycle_event_id]);
    start(record, {
      store: queue.otherReplica(),
      async endUnsendable(held, detail) {
        unsendable.push(detail);
        const verdict = { kind: 'failed', reason: 'unsendable', detail } as const;
        await queue.deliveries.record(held, { ...ended(held), verdict });
      },
    });
    await eventually(async () => expect(await unfinished()).toBe(0));
    expect(unsendable).toEqual(['The delivery’s event is not in the database any more.']);
    expect(
      await queue.query('SELECT status, reason FROM delivery ORDER BY lifecycle_event_id = $1 DESC', [
        lost?.lifecycle_event_id,
      ]),
    ).toEqual([
      { status: 'failed', reason: 'unsendable' },
      { status: 'succeeded', reason: null },
      { status: 'succeeded', reason: null },
    ]);
  });
});
