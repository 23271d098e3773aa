import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { repeat } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import { attemptsOn, SUCCEEDED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import type { ClaimedDelivery, LeasedDelivery } from '../queue/claim-statements.ts';
import { RETRY_POLICY } from '../http/judge.ts';
import { createReclaim, type ReclaimOptions } from './reclaim-expired-leases.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(() => queue.clear());
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim, claimOne, record, statuses, outcomeEvents, leases, expireLeases } = attemptsOn(() => queue);

/** One reclaim. */
const reclaimOnce = async () => {
  await start().stop();
};
const start = (changes: Partial<ReclaimOptions> = {}) => {
  const { logger } = recordingLogger();
  const reclaim = createReclaim({
    store: queue.deliveries,
    ping: () => Promise.resolve(),
    record: {
      policy: RETRY_POLICY,
      random: () => 0.5,
      now: () => new Date(),
      metrics: { attempted: () => undefined, firstByte: () => undefined },
      logger,
    },
    leaseMs: 600_000,
    interrupted: new AbortController().signal,
    logger,
    ...changes,
  });
  return repeat('delivery.reclaim', 5_000, reclaim, logger);
};

/** What a claim brings for the request that an attempt sends. The rest is for its verdict too. */
const OF_CLAIMS_ONLY: Record<Exclude<keyof ClaimedDelivery, keyof LeasedDelivery>, undefined> = {
  sealedUrl: undefined,
  sealedSecret: undefined,
  sealedHeaders: undefined,
  standardWebhooks: undefined,
  integrationKind: undefined,
  settings: undefined,
  lifecycleEvent: undefined,
  eventTime: undefined,
  receiverHasBlog: undefined,
  receiverSlug: undefined,
};

/** What every verdict needs. Another field does not compile without a value here. */
const OF_BOTH: Record<Exclude<keyof LeasedDelivery, 'publishId' | 'traceparent'>, unknown> = {
  id: expect.any(String),
  kind: 'lifecycle',
  leaseToken: expect.any(String),
  attempt: 1,
  trigger: 'manual',
  retries: true,
  lifecycleEventId: expect.any(String),
  integrationId: expect.any(String),
  projectId: expect.any(String),
  blogId: expect.any(String),
  event: 'blog.published',
  beganAt: expect.any(Date),
};

describe('the reclaim of expired leases', () => {
  it('loads the same fields of a delivery as its claim, except those that only a request needs', async () => {
    const blog = testBlog(randomUUID());
    await queue.addIntegration(blog.projectId, { retryManual: true });
    await plan(blog.published());
    const claimed = await claimOne();
    await expireLeases();
    const [reclaimed] = (await queue.deliveries.reclaimExpired(600_000)).deliveries;
    if (reclaimed === undefined) throw new Error('nothing was reclaimed');
    expect(reclaimed).toMatchObject(OF_BOTH);
    expect({ ...OF_CLAIMS_ONLY, ...reclaimed, leaseToken: '' }).toStrictEqual({
      ...claimed,
      ...OF_CLAIMS_ONLY,
      leaseToken: '',
      databaseWasAway: false,
    });
  });

  it('ends the attempts of any number of dead processes in one round: manual as interrupted, autopilot and opted-in manual with a retry', async () => {
    const [projectId, optedIn] = [randomUUID(), randomUUID()];
    await queue.addIntegration(projectId);
    await queue.addIntegration(optedIn, { retryManual: true });
    const posts = Array.from({ length: 120 }, (_, index) =>
      testBlog(index % 3 === 1 ? optedIn : projectId).published({ trigger: index % 3 === 0 ? 'autopilot' : 'manual' }),
    );
    await plan(...posts);
    // More claims than are taken over together, and not of one size.
    for (let claims = 0; claims < 60; claims += 1) await claim({ limit: (claims % 3) + 1 });
    expect(await leases()).toHaveLength(60);
    expect(new Set(await statuses())).toEqual(new Set(['in_flight']));
    await expireLeases();

    await reclaimOnce();
    expect(await statuses()).not.toContain('in_flight');
    expect(
      await queue.query(
        'SELECT trigger, retry_manual, status, reason, count(*)::int FROM delivery GROUP BY 1, 2, 3, 4 ORDER BY 1, 2',
      ),
    ).toEqual([
      { trigger: 'autopilot', retry_manual: false, status: 'pending', reason: 'interrupted', count: 40 },
      { trigger: 'manual', retry_manual: false, status: 'failed', reason: 'interrupted', count: 40 },
      { trigger: 'manual', retry_manual: true, status: 'pending', reason: 'interrupted', count: 40 },
    ]);
    expect(await outcomeEvents('delivery.finished')).toHaveLength(40);
    expect(await outcomeEvents('delivery.retry_planned')).toHaveLength(80);
    expect(await queue.query('SELECT number, reason, count(*)::int FROM delivery_attempt GROUP BY 1, 2')).toEqual([
      { number: 1, reason: 'interrupted', count: 120 },
    ]);
  });

  it('waits for one lease after the database is back, and gives the outage as the reason', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    await plan(testBlog(projectId).published());
    await claimOne();
    await expireLeases();
    let nowMs = 0;
    let isAway = true;
    const leaseMs = 10;
    const rounds: number[] = [];
    const orAway = <Result>(result: () => Promise<Result>) =>
      isAway ? Promise.reject(new Error('The database is away.')) : result();
    const reclaimer = start({
      leaseMs,
      now: () => nowMs,
      ping: () => {
        rounds.push(nowMs);
        return orAway(() => Promise.resolve());
      },
      store: {
        reclaimExpired: (...given) => orAway(() => queue.deliveries.reclaimExpired(...given)),
        record: (...given) => queue.deliveries.record(...given),
      },
    });
    const untilRounds = (count: number) =>
      eventually(() => Promise.resolve(expect(rounds.length).toBeGreaterThan(count)));
    await untilRounds(1);
    isAway = false;
    await untilRounds(rounds.length);
    nowMs = leaseMs - 1;
    // Time for many rounds, none of which may take it over.
    await sleep(10 * leaseMs);
    expect(await statuses()).toEqual(['in_flight']);
    nowMs = leaseMs;
    await eventually(async () => expect(await statuses()).toEqual(['failed']));
    await reclaimer.stop();
    expect(await queue.query('SELECT reason, detail FROM delivery')).toEqual([
      {
        reason: 'interrupted',
        detail: 'The service lost its database during the attempt. Whether the endpoint got it is unknown.',
      },
    ]);
  });

  it('leaves held deliveries alone, and those that ended under an expired lease', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    await plan(...Array.from({ length: 3 }, () => testBlog(projectId).published()));
    const ended = await claimOne({ limit: 1 });
    await record(ended, SUCCEEDED);
    const dead = await claimOne({ limit: 1 });
    await expireLeases();
    const held = await claimOne({ limit: 1 });

    await reclaimOnce();
    expect(await queue.query('SELECT id, status, lease_token FROM delivery ORDER BY position')).toEqual([
      { id: ended.id, status: 'succeeded', lease_token: null },
      { id: dead.id, status: 'failed', lease_token: null },
      { id: held.id, status: 'in_flight', lease_token: held.leaseToken },
    ]);
    expect((await leases()).map(({ token }) => token)).toContain(held.leaseToken);
    expect((await leases()).map(({ token }) => token)).not.toContain(dead.leaseToken);
  });

  it('continues with the others when one cannot be recorded, and retries that one a lease later', async () => {
    const projectId = randomUUID();
    await queue.addIntegration(projectId);
    await plan(...Array.from({ length: 10 }, () => testBlog(projectId).published()));
    const [bad] = await claim({ limit: 1 });
    await claim();
    await expireLeases();
    await queue.query(`ALTER TABLE delivery ADD CONSTRAINT stays CHECK (id <> '${bad?.id}' OR status = 'in_flight')`);
    await reclaimOnce();
    await queue.query('ALTER TABLE delivery DROP CONSTRAINT stays');
    expect((await statuses()).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'failed'), 'in_flight']);
    await expireLeases();
    await reclaimOnce();
    expect(new Set(await statuses())).toEqual(new Set(['failed']));
  });
});
