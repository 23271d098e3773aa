import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  freePort,
  kafkaAvailability,
  startKafka,
  startPostgres,
  type RunningKafka,
  type RunningPostgres,
} from '@blog-content/local-infrastructure';
import { whenProjectIsKnown } from '@blog-content/local-services';
import type { Publish } from '@blog-content/payload-schemas';
import { eventually, seededRandom } from '@blog-content/testing';
import { queryOnce } from './database-lock.ts';
import { createKillRounds, type KillRounds } from './kill-rounds.ts';
import { createPosts, HERO, IMAGE, publishPosts, type Posts } from './many-posts.ts';
import { paceAnswers } from './paced-answers.ts';
import { createProject, listAllPublishes, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';
import { startWatchedReceiver, type SeenBody, type SeenRequest, type WatchedReceiver } from './watched-receiver.ts';

const RECEIVERS = 25;
/** So many of them have manual publishes retried. */
const OPTED_IN = 5;
/** Most of the posts are published at the beginning, the others while the broker is away. */
const FIRST = { manual: 40, autopilot: 24 };
const LATER = { manual: 10, autopilot: 6 };
const OF_RECEIVER = { manual: FIRST.manual + LATER.manual, autopilot: FIRST.autopilot + LATER.autopilot };
/** Manual ones that are sent once. */
const SINGLE = OF_RECEIVER.manual * (RECEIVERS - OPTED_IN);
const OPTED_IN_MANUAL = OF_RECEIVER.manual * OPTED_IN;
const DELIVERIES = (OF_RECEIVER.manual + OF_RECEIVER.autopilot) * RECEIVERS;
/** Manual posts that are long end what is published first: no round but the one that is for them gets so far. */
const isLong = (place: number) => place >= FIRST.manual - 2;
/** Concurrent attempts in each of the two dispatchers, and to one receiver. */
const CONCURRENCY = 32;
const PER_RECEIVER = 4;
/** Longest time that a receiver takes for its answer when its turn has come, in milliseconds. */
const ANSWER_WITHIN_MS = 60;
const SECRET = 'end-to-end-secret-0123456789';

const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
const kafkaFound = await kafkaAvailability();
// Without any way to Kafka the events go through the PostgreSQL log, and the name says so; in CI it fails.
const usesKafka = kafkaFound.available || Boolean(process.env['CI']);
const broker = usesKafka ? 'Kafka' : 'no Kafka here: the PostgreSQL log';
if (!usesKafka && !kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);

interface Delivery {
  readonly id: string;
  readonly trigger: 'manual' | 'autopilot';
  readonly retry_manual: boolean;
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
}

describe(`2,000 deliveries while dispatchers are killed at every boundary (E2E_SEED=${seed}; ${broker})`, () => {
  // Of their own: how many answers there are must not change what is killed.
  const random = seededRandom(seed);
  const answerRandom = seededRandom(seed + 1);
  const answers = paceAnswers(answer);
  let folder: string;
  let postgresPort: number;
  let postgres: RunningPostgres;
  let kafka: RunningKafka | undefined;
  let receiver: WatchedReceiver;
  let stack: Stack;
  let dispatcherDatabase: string;
  let rounds: KillRounds;
  let project: TestProject;
  let first: Posts;
  let later: Posts;
  let publishes: Publish[];
  let deliveries: Delivery[];
  let scheduled: number | undefined;
  let unended: readonly { id: string }[];
  let databaseRestarts = 0;
  /** How often each boundary was met. */
  const met: Record<string, number> = {};

  beforeAll(async () => {
    await startEverything();
    const agentKey = await whenProjectIsKnown(
      async () => (await stack.owner.post<{ key: string }>(`projects/${project.id}/agent-keys`, { name: 'Agent' })).key,
    );
    first = await createPosts(stack, project.id, FIRST, isLong);
    later = await createPosts(stack, project.id, LATER, () => false);
    await publishPosts(stack, project.id, agentKey, first);
    const planned = (FIRST.manual + FIRST.autopilot) * RECEIVERS;
    await eventually(async () => (await countDeliveries('true')) === planned, {
      timeoutMs: 120_000,
      intervalMs: 250,
    });

    const anyOrder = shuffle([
      async () => {
        const { unrecorded, unsent } = await rounds.whileClaiming();
        return { 'before the attempt is recorded': unrecorded, 'recorded, before it is sent': unsent };
      },
      async () => ({ 'after the answer, before the commit': await rounds.afterTheAnswer() }),
      async () => ({ 'beside another that goes on': await rounds.besideAnother() }),
      async () => ({ 'database restarted': await rounds.restartDatabase() }),
    ]);
    for (const round of [...anyOrder, async () => ({ 'mid-body': await rounds.midBody() })]) {
      await someAnswersMore();
      Object.assign(met, await round());
    }
    // At the end: retries wait behind everything that was due before them. Answers are not held back here: requests
    // with long bodies would wait for theirs, and leave no room for others (the body budget).
    [met['during attempt 3']] = await Promise.all([
      rounds.duringTheThirdAttempt(),
      restartBrokerDuring(() => publishPosts(stack, project.id, agentKey, later)),
    ]);
    await rounds.allStarted();
    await everythingEnded();
  }, 900_000);

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receiver?.close();
    await kafka?.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    'before the attempt is recorded',
    'recorded, before it is sent',
    'mid-body',
    'after the answer, before the commit',
    'during attempt 3',
    'beside another that goes on',
  ])('killed dispatchers %s', (boundary) => {
    expect(met[boundary]).toBeGreaterThan(0);
  });

  it('restarted the database and the broker while there was work', () => {
    expect(met).toMatchObject({ 'database restarted': 1, 'broker restarted': 1 });
  });

  it('planned every publish for every receiver, once', () => {
    expect(publishes).toHaveLength(DELIVERIES / RECEIVERS);
    expect(deliveries).toHaveLength(DELIVERIES);
    for (const publish of publishes) {
      expect(new Set(publish.deliveries.map(({ integration_id }) => integration_id)).size).toBe(RECEIVERS);
    }
  });

  it('left none in flight and none waiting, here and in the eyes of the owner', () => {
    expect(deliveries.filter(({ status }) => status !== 'succeeded' && status !== 'failed')).toEqual([]);
    const shown = publishes.flatMap((publish) => publish.deliveries);
    const told = new Map(shown.map(({ delivery_id, status }) => [delivery_id, status]));
    expect(deliveries.filter(({ id, status }) => told.get(id) !== status)).toEqual([]);
  });

  it('left nothing in the queue, and in the log an end of every attempt that was begun', () => {
    expect({ scheduled, unended }).toEqual({ scheduled: 0, unended: [] });
  });

  it('made no manual delivery twice whose receiver has not opted in', () => {
    const times = seenById();
    expect(deliveries.filter((one) => isSingle(one) && (times.get(one.id)?.length ?? 0) > 1)).toEqual([]);
  });

  it('lost none of them: each was answered, or is failed as interrupted', () => {
    const times = seenById();
    const single = deliveries.filter(isSingle);
    expect(single).toHaveLength(SINGLE);
    for (const { id, status, reason } of single) {
      if (status === 'succeeded') expect(times.get(id)).toMatchObject([{ answered: 200, body: { isSigned: true } }]);
      else expect({ id, status, reason }).toEqual({ id, status: 'failed', reason: 'interrupted' });
    }
  });

  it.each([
    ['autopilot', OF_RECEIVER.autopilot * RECEIVERS],
    ['manual', OPTED_IN_MANUAL],
  ] as const)(
    'made every %s delivery that is retried at least once: each succeeded, and its attempts are numbered in order',
    (trigger, count) => {
      const times = seenById();
      const retried = deliveries.filter((delivery) => delivery.trigger === trigger && !isSingle(delivery));
      expect(retried).toHaveLength(count);
      expect(retried.some(({ attempts }) => attempts > 1)).toBe(true);
      for (const { id, status } of retried) {
        expect({ id, status }).toEqual({ id, status: 'succeeded' });
        const bodies = (times.get(id) ?? []).flatMap(({ body }) => body ?? []);
        const attempts = bodies.map(({ publish_attempt = 0 }) => publish_attempt);
        expect(attempts.length).toBeGreaterThan(0);
        expect(attempts).toEqual([...new Set(attempts)].sort((a, b) => a - b));
        expect(new Set(bodies.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
        expect((times.get(id) ?? []).at(-1)?.answered).toBe(200);
      }
    },
  );

  it('wrote every attempt down before it was sent', () => {
    const times = seenById();
    const known = new Map(deliveries.map((delivery) => [delivery.id, delivery.attempts]));
    expect([...times].filter(([id, requests]) => requests.length > (known.get(id) ?? 0))).toEqual([]);
  });

  it('interrupted no more than was under way when a dispatcher died, or lost the database', () => {
    const interrupted = deliveries.filter(({ status, reason }) => status === 'failed' && reason === 'interrupted');
    expect(interrupted.length).toBeGreaterThan(0);
    expect(interrupted.length).toBeLessThanOrEqual((rounds.kills() + 2 * databaseRestarts) * CONCURRENCY);
  });

  it('sent what the contract says, each time: signed, without the hero, with the images as in the body', () => {
    const bodies = receiver.seen.flatMap(({ body }) => body ?? []);
    expect(bodies.length).toBeGreaterThan(DELIVERIES * 0.8);
    const asSpecified = { isSigned: true, event: 'blog.published', images: [{ url: IMAGE, alt: '' }] };
    for (const { isSigned, event, content, images } of bodies) {
      expect({ isSigned, event, images }).toEqual(asSpecified);
      expect(content.includes(`src="${IMAGE}"`) && !content.includes(HERO)).toBe(true);
    }
  });

  async function startEverything(): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'blog-content-e2e-'));
    postgresPort = await freePort();
    [postgres, kafka] = await Promise.all([
      openPostgres(),
      usesKafka ? startKafka({ dataDir: join(folder, 'kafka'), brokers: [], disposable: true }) : undefined,
    ]);
    receiver = await startWatchedReceiver(SECRET);
    receiver.respondWith(answers.respond);
    stack = await startStack({
      databaseUrl: (database) => postgres.url(database),
      ...(kafka && { kafkaBrokers: kafka.brokers }),
      environment: {
        'webhook-dispatcher': {
          DELIVERY_CONCURRENCY: String(CONCURRENCY),
          DELIVERY_CONCURRENCY_PER_RECEIVER: String(PER_RECEIVER),
          LEASE_MS: '1500',
          // Receivers here hold their answers back for as long as a round takes: that is no time-out.
          DELIVERY_TIMEOUT_MS: '600000',
          RETRY_DELAYS_MS: '100,100,100,200',
          // An attempt that was interrupted counts: nothing may end because this test kills so often.
          DELIVERY_MAX_ATTEMPTS: '20',
          SERVED_WAIT_MS: '200',
        },
      },
    });
    dispatcherDatabase = stack.local.databaseUrls['webhook-dispatcher'];
    const receiverUrls = Array.from({ length: RECEIVERS }, (_, index) => receiver.url(index));
    const [replica, made] = await Promise.all([
      stack.local.startReplica('webhook-dispatcher'),
      createProject(stack.owner, { siteUrl: null, receiverUrls, retriedReceivers: OPTED_IN, secret: SECRET }),
    ]);
    project = made;
    rounds = createKillRounds({
      databaseUrl: dispatcherDatabase,
      dispatchers: [stack.local.services['webhook-dispatcher'], replica],
      receiver,
      answers,
      restartDatabase,
      random,
    });
  }

  function openPostgres(): Promise<RunningPostgres> {
    // No test outlives the machine: what a crash of the machine would lose need not reach the disk.
    return startPostgres({
      dataDir: join(folder, 'postgres'),
      port: postgresPort,
      databaseUrl: '',
      // The whole text of a long statement is needed to tell the claims from others.
      settings: { fsync: 'off', track_activity_query_size: '16384' },
    });
  }

  /** The server ends in order and cuts its clients off; it comes back at the same port. */
  async function restartDatabase(): Promise<void> {
    databaseRestarts += 1;
    await postgres.stop();
    await sleep(500 * random());
    postgres = await openPostgres();
  }

  /** The broker dies while posts are published; those that follow wait in the outbox. */
  async function restartBrokerDuring(publishing: () => Promise<void>): Promise<void> {
    if (kafka === undefined) {
      await publishing();
      await restartDatabase();
    } else {
      const published = publishing();
      await sleep(300 * random());
      await Promise.all([kafka.kill(), published]);
      await kafka.restart();
    }
    met['broker restarted'] = 1;
  }

  /** Some work is done, then receivers hold back their answers until at least one dispatcher can begin no more. */
  async function someAnswersMore(): Promise<void> {
    answers.let(answers.waiting() + 30 + Math.floor(30 * random()));
    await eventually(() => answers.left() === 0 && answers.waiting() >= CONCURRENCY, { timeoutMs: 120_000 });
  }

  /** Some receivers fail the first two attempts of a delivery that is retried. */
  async function answer({ deliveryId }: SeenRequest, { publish_attempt: attempt }: SeenBody): Promise<number> {
    await sleep(ANSWER_WITHIN_MS * answerRandom());
    return attempt !== undefined && attempt <= 2 && /[08]$/.test(deliveryId) ? 503 : 200;
  }

  async function countDeliveries(condition: string): Promise<number> {
    const sql = `SELECT count(*)::int AS count FROM delivery WHERE ${condition}`;
    return (await queryOnce<{ count: number }>(dispatcherDatabase, sql))[0]?.count ?? 0;
  }

  async function everythingEnded(): Promise<void> {
    await eventually(
      async () => {
        expect({ planned: await countDeliveries('true'), open: await countDeliveries('finished_at IS NULL') }).toEqual({
          planned: DELIVERIES,
          open: 0,
        });
      },
      { timeoutMs: 180_000, intervalMs: 500 },
    );
    const sql = 'SELECT id::text, trigger, retry_manual, status, reason, attempts FROM delivery';
    deliveries = await queryOnce<Delivery>(dispatcherDatabase, sql);
    unended = await queryOnce<{ id: string }>(
      dispatcherDatabase,
      `SELECT d.id::text FROM delivery d LEFT JOIN delivery_attempt a ON a.delivery_id = d.id AND a.ended_at IS NOT NULL
       GROUP BY d.id HAVING d.attempts <> count(a.number) OR d.attempts <> coalesce(max(a.number), 0)`,
    );
    const left = 'SELECT count(*)::int AS count FROM delivery_queue';
    scheduled = (await queryOnce<{ count: number }>(dispatcherDatabase, left))[0]?.count;
    publishes = await everyEndTold();
  }

  /** The owner is told through the topic, a moment later. */
  function everyEndTold(): Promise<Publish[]> {
    return eventually(
      async () => {
        const all = await listAllPublishes(stack.owner, project.id);
        expect(all.filter(({ status }) => status === 'pending').length).toBe(0);
        return all;
      },
      // Its consumer rejoins the group after the broker's restart, which takes a busy machine half a minute and more.
      { timeoutMs: 120_000, intervalMs: 500 },
    );
  }

  function shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  function seenById(): Map<string, SeenRequest[]> {
    return Map.groupBy(receiver.seen, ({ deliveryId }) => deliveryId);
  }
});

/** A manual delivery is, unless its receiver has opted in to retries. */
const isSingle = ({ trigger, retry_manual: retried }: Delivery) => trigger === 'manual' && !retried;
