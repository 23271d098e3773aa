import { listen } from '@blog-content/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '@blog-content/testing';
import { UNLIMITED } from '../../test/attempts.ts';
import { type AskedQuery, interceptQueries, isStatement } from '../../test/queue.ts';
import { type ClaimOptions, createClaimStore } from '../queue/claim-store.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';
import { createEventCache } from '../payload/event-cache.ts';
import { DUE_CHANNEL } from '../queue/queue-transaction-store.ts';
import type { WorkerOptions } from './delivery-worker.ts';
import { prepareWorkers, successOf } from '../../test/workers.ts';

const { queueOf, logger, lines, start, record, planMany, countUnfinished } = prepareWorkers();

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
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(delivered).toHaveLength(100);
    expect(new Set(delivered).size).toBe(100);
  });

  it('delivers nothing more once it has stopped claiming', async () => {
    let delivered = 0;
    const worker = start(async (claimed) => {
      delivered += 1;
      await record(claimed);
    });
    worker.stopClaiming();
    await planMany(5);
    worker.wake();
    await worker.stop(0);
    expect(delivered).toBe(0);
  });

  it('keeps to its limits, in all and for one receiver', async () => {
    let running = 0;
    let most = 0;
    const deliver = async (claimed: ClaimedDelivery) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
      await record(claimed);
    };
    await planMany(20);
    start(deliver, { concurrency: 16, perIntegration: 3 });
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(most).toBe(3);
    await planMany(10);
    await planMany(10);
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(most).toBeLessThanOrEqual(6);
  });

  it('wakes up for deliveries that become due later, and for notifications', async () => {
    const deliver = record;
    const worker = start(deliver, { pollIntervalMs: 60_000 });
    const listener = listen({
      databaseUrl: queueOf().databaseUrl,
      channel: DUE_CHANNEL,
      onNotification: worker.wake,
      logger,
    });
    await planMany(1, 300);
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    await planMany(1);
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    await listener.stop();
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
    expect(await countUnfinished()).toBe(1);
    expect(await queueOf().query(`SELECT 1 FROM delivery WHERE status = 'in_flight'`)).toEqual([]);
  });

  it('when stopped aborts attempts that take longer than the time left', async () => {
    const worker = start(async (claimed, lease) => {
      await new Promise((resolve) => lease.interrupted.addEventListener('abort', resolve));
      await queueOf().deliveries.record(claimed, {
        ...successOf(claimed),
        verdict: { kind: 'failed', reason: 'interrupted', detail: 'Stopped.' },
      });
    });
    await planMany(1);
    await eventually(() => worker.countRunning() === 1);
    await worker.stop(20);
    expect(await queueOf().query('SELECT reason FROM delivery')).toEqual([{ reason: 'interrupted' }]);
  });

  it('is unhealthy while no claim succeeds, and healthy again once one does', async () => {
    let isAway = true;
    const claim: WorkerOptions['store']['claim'] = (options) =>
      isAway ? Promise.reject(new Error('no database')) : queueOf().deliveries.claim(options);
    const worker = start(record, { store: { ...queueOf().deliveries, claim }, stuckAfterMs: 300 });
    await eventually(() =>
      worker.checkProgress().then(
        () => false,
        (error: Error) => expect(error.message).toMatch(/^The claim loop of delivery has not succeeded for \d+ s\.$/),
      ),
    );
    isAway = false;
    await eventually(() => worker.checkProgress());
  });

  it('continues after the database failed for a while', async () => {
    let failures = 3;
    const claim: WorkerOptions['store']['claim'] = (options) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('no database')) : queueOf().deliveries.claim(options);
    };
    start(record, { store: { ...queueOf().deliveries, claim } });
    await planMany(1);
    await eventually(async () => expect(await countUnfinished()).toBe(0));
  });
});

describe('a claimed delivery', () => {
  it('is kept in memory only by its attempt', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const begun: WeakRef<ClaimedDelivery>[] = [];
    await planMany(3);
    // No other claim takes the place of this one meanwhile.
    const worker = start(
      (claimed, { interrupted }) => {
        begun.push(new WeakRef(claimed));
        return new Promise<void>((resolve) => interrupted.addEventListener('abort', () => resolve()));
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

describe('a claim that goes wrong', () => {
  it('gives its deliveries back when their events cannot be loaded, and they are sent later as first attempts', async () => {
    const before = lines.length;
    let isAway = true;
    const pool = interceptQueries(queueOf().pool, (asked, ask) =>
      isStatement(asked, 'load_events') && isAway ? Promise.reject(new Error('no database')) : ask(),
    );
    const claims = createClaimStore(queueOf().database, pool, createEventCache());
    const attempts: number[] = [];
    // No longer than the lease is it waited for: this one soon lets go.
    const store = {
      ...queueOf().deliveries,
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
    await eventually(() =>
      expect(lines.slice(before)).toContainEqual(
        expect.objectContaining({ event: 'delivery.released', deliveries: 3, reason: 'claim_unread' }),
      ),
    );
    isAway = false;
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(attempts).toEqual([1, 1, 1]);
    expect(await queueOf().query('SELECT DISTINCT status FROM delivery')).toEqual([{ status: 'succeeded' }]);
  });

  it('whose answer is lost is given back, and its manual deliveries are sent, none as a second attempt', async () => {
    let isLost = true;
    const pool = interceptQueries(queueOf().pool, async (asked, ask) => {
      const answer = await ask();
      if (asked !== 'COMMIT' || !isLost) return answer;
      isLost = false;
      throw new Error('Connection terminated');
    });
    const claims = createClaimStore(queueOf().database, pool, createEventCache());
    const attempts: number[] = [];
    await planMany(3);
    start(
      async (claimed) => {
        attempts.push(claimed.attempt);
        await record(claimed);
      },
      { leaseMs: 600_000, store: { ...queueOf().deliveries, claim: (options: ClaimOptions) => claims.claim(options) } },
    );
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(attempts).toEqual([1, 1, 1]);
    expect(await queueOf().query('SELECT DISTINCT status FROM delivery')).toEqual([{ status: 'succeeded' }]);
  });

  it('that the database runs only after the next one claims nothing', async () => {
    const late: AskedQuery[] = [];
    const pool = interceptQueries(queueOf().pool, (asked, ask) => {
      if (!isStatement(asked, 'claim') || late.length > 0) return ask();
      late.push(asked);
      return Promise.reject(new Error('timeout'));
    });
    const claims = createClaimStore(queueOf().database, pool, createEventCache());
    await planMany(1);
    await expect(claims.claim(UNLIMITED)).rejects.toThrow('timeout');
    expect(await claims.claim({ ...UNLIMITED, limit: 0 })).toMatchObject({ toRelease: [] });
    await expect(queueOf().pool.query(late[0] as never)).rejects.toThrow(/duplicate key/);
    // Its locks go a moment after its error has come, and what is locked is passed over.
    await eventually(async () => expect((await claims.claim(UNLIMITED)).deliveries).toHaveLength(1));
  });

  it('fails only the delivery whose event is missing, and sends the others', async () => {
    const unsendable: string[] = [];
    const [lost] = await planMany(3);
    await queueOf().query('UPDATE lifecycle_event SET data = NULL WHERE id = $1', [lost?.lifecycle_event_id]);
    start(record, {
      store: queueOf().otherReplica(),
      async endUnsendable(held, detail) {
        unsendable.push(detail);
        const verdict = { kind: 'failed', reason: 'unsendable', detail } as const;
        await queueOf().deliveries.record(held, { ...successOf(held), verdict });
      },
    });
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(unsendable).toEqual(['The delivery’s event is missing from the database.']);
    expect(
      await queueOf().query('SELECT status, reason FROM delivery ORDER BY lifecycle_event_id = $1 DESC', [
        lost?.lifecycle_event_id,
      ]),
    ).toEqual([
      { status: 'failed', reason: 'unsendable' },
      { status: 'succeeded', reason: null },
      { status: 'succeeded', reason: null },
    ]);
  });
});
