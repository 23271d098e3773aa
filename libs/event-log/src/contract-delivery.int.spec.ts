import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { counted, countedRange, countedTopic, inOrder, numbersByProject, projects } from '../test/counted-topic.ts';
import type { CountedEvent } from '../test/counted-topic.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { describeEachLog } from '../test/tested-logs.ts';
import {
  onTopic,
  openEventLog,
  toEnvelope,
  type EventLog,
  type ReceivedEvent,
  type SubscribeOptions,
  type Subscription,
} from './index.ts';

describeEachLog('delivery', ({ config }) => {
  let log: EventLog;
  beforeAll(async () => {
    log = await openEventLog(config(), recordingLogger());
  });
  afterAll(() => log.close());
  const subscriptions: Subscription[] = [];
  // A test that failed has stopped nothing, and what goes on would keep the process.
  afterEach(async () => {
    await Promise.all(subscriptions.splice(0).map((subscription) => subscription.stop()));
  });

  async function subscribe(options: SubscribeOptions): Promise<Subscription> {
    const subscription = await log.subscribe(options);
    subscriptions.push(subscription);
    return subscription;
  }

  /** Subscribes a handler that remembers what it gets. */
  async function record(topic: ReturnType<typeof countedTopic>, group: string = randomUUID(), batchSize = 100) {
    const events: ReceivedEvent<CountedEvent>[] = [];
    const batches: number[] = [];
    const handle = (batch: readonly ReceivedEvent<CountedEvent>[]) => {
      events.push(...batch);
      batches.push(batch.length);
      return Promise.resolve();
    };
    const subscription = await subscribe({
      group,
      logger: recordingLogger(),
      handlers: [onTopic(topic, handle, { batchSize })],
    });
    return { events, batches, stop: () => subscription.stop() };
  }

  it('delivers the events of each partition key in the order they were appended, with every attribute', async () => {
    const topic = countedTopic();
    const of = projects(20);
    const consumer = await record(topic);
    const sent = countedRange(topic, of, 1, 30);
    for (let at = 0; at < sent.length; at += 50) await log.append(sent.slice(at, at + 50));

    await eventually(() => expect(consumer.events).toHaveLength(sent.length));
    expect(numbersByProject(consumer.events)).toEqual(inOrder(of, 1, 30));
    const byId = new Map(consumer.events.map((event) => [event.id, event]));
    for (const envelope of sent) expect(byId.get(envelope.id)).toMatchObject(envelope);
    await consumer.stop();
  });

  it('numbers the events of a partition upwards', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, projects(20), 1, 10));
    const consumer = await record(topic);
    await eventually(() => expect(consumer.events).toHaveLength(200));
    const last = new Map<number, bigint>();
    for (const { partition, offset } of consumer.events) {
      expect(BigInt(offset)).toBeGreaterThan(last.get(partition) ?? -1n);
      last.set(partition, BigInt(offset));
    }
    expect(last.size).toBeGreaterThan(1);
    await consumer.stop();
  });

  it('gives every group every event, and a new group all of them from the beginning', async () => {
    const topic = countedTopic();
    const of = projects(5);
    const [first, second] = [await record(topic), await record(topic)];
    await log.append(countedRange(topic, of, 1, 10));
    await eventually(() => expect([first.events.length, second.events.length]).toEqual([50, 50]));

    const late = await record(topic);
    await eventually(() => expect(late.events).toHaveLength(50));
    for (const { events } of [first, second, late]) expect(numbersByProject(events)).toEqual(inOrder(of, 1, 10));
    await Promise.all([first.stop(), second.stop(), late.stop()]);
  });

  it('resumes after the last commit when its consumer comes back', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const before = await record(topic, group);
    await log.append(countedRange(topic, projects(5), 1, 10));
    await eventually(() => expect(before.events).toHaveLength(50));
    await before.stop();
    await log.append(countedRange(topic, projects(5), 11, 20));

    const after = await record(topic, group);
    await eventually(() => expect(numbersByProject(after.events)).toEqual(inOrder(projects(5), 11, 20)));
    await after.stop();
    expect(before.events).toHaveLength(50);
  });

  it('keeps to the batch size', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['one'], 1, 50));
    const consumer = await record(topic, randomUUID(), 7);
    await eventually(() => expect(consumer.events).toHaveLength(50));
    expect(Math.max(...consumer.batches)).toBe(7);
    await consumer.stop();
  });

  it('gives the same events again when the handler fails, skips nothing and keeps the order', async () => {
    const topic = countedTopic();
    const events: ReceivedEvent<CountedEvent>[] = [];
    const starts: number[] = [];
    const logger = recordingLogger();
    let failures = 3;
    const handle = (batch: readonly ReceivedEvent<CountedEvent>[]) => {
      const bad = batch.some(({ data }) => data.project === 'bad' && data.number === 5);
      if (bad) starts.push(batch[0]?.data.number ?? 0);
      if (bad && failures-- > 0) return Promise.reject(new Error('The database is away.'));
      events.push(...batch);
      return Promise.resolve();
    };
    const subscription = await subscribe({
      group: randomUUID(),
      logger,
      handlers: [onTopic(topic, handle, { batchSize: 1_000 })],
    });
    await log.append(countedRange(topic, ['bad', ...projects(10)], 1, 10));

    await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(['bad', ...projects(10)], 1, 10)));
    expect(starts).toHaveLength(4);
    expect(new Set(starts).size).toBe(1);
    const failed = logger.entries.filter(({ event }) => event === 'batch.failed');
    expect(failed.map(({ fields }) => (fields as { retryInMs: number }).retryInMs)).toEqual([100, 200, 400]);
    await subscription.stop();
  });

  it('continues with the other partitions while one fails', async () => {
    const topic = countedTopic();
    const partitions = new Set<number>();
    let stuck: number | undefined;
    const subscription = await subscribe({
      group: randomUUID(),
      logger: recordingLogger(),
      handlers: [
        onTopic(topic, (batch) => {
          stuck ??= batch[0]?.partition;
          if (batch[0]?.partition === stuck) return Promise.reject(new Error('never'));
          for (const { partition } of batch) partitions.add(partition);
          return Promise.resolve();
        }),
      ],
    });
    for (let number = 1; number <= 5; number++) await log.append(countedRange(topic, projects(30), number, number));
    await eventually(() => expect(partitions.size).toBe(5));
    await subscription.stop();
  });

  it('handles several topics in one group', async () => {
    const [first, second] = [countedTopic(), countedTopic()];
    const seen: string[] = [];
    const handlers = [first, second].map((topic) =>
      onTopic(topic, (batch) => {
        seen.push(...batch.map((event) => event.topic));
        return Promise.resolve();
      }),
    );
    const subscription = await subscribe({ group: randomUUID(), logger: recordingLogger(), handlers });
    await log.append([counted(first, 'p', 1), counted(second, 'p', 1)]);
    await eventually(() => expect(seen.toSorted()).toEqual([first.name, second.name].toSorted()));
    await subscription.stop();
  });

  it('does not keep the events of one topic waiting for the handler of another', async () => {
    const [slow, quick] = [countedTopic(), countedTopic()];
    await log.ensureTopics([slow, quick]);
    const held = Promise.withResolvers<void>();
    const got: string[] = [];
    const subscription = await subscribe({
      group: randomUUID(),
      logger: recordingLogger(),
      handlers: [
        onTopic(slow, () => {
          got.push('slow');
          return held.promise;
        }),
        onTopic(quick, (events) => Promise.resolve(void got.push(...events.map(({ data }) => `quick ${data.number}`)))),
      ],
    });
    try {
      await log.append([counted(slow, 'p', 1)]);
      await eventually(() => expect(got).toEqual(['slow']));
      for (const number of [1, 2]) {
        await log.append([counted(quick, 'p', number)]);
        // A member that has to rejoin waits for the other, until the broker drops that.
        await eventually(() => expect(got.at(-1)).toBe(`quick ${number}`));
      }
    } finally {
      held.resolve();
      await subscription.stop();
    }
  });

  it('carries the largest events, alone and many together', async () => {
    const topic = countedTopic();
    const consumer = await record(topic);
    const padding = '漢'.repeat(500_000);
    const event = (number: number) =>
      toEnvelope(topic, { event: 'counted', project: 'large', number, padding }, { source: '/test' });
    await log.append([event(1), event(2), event(3), event(4), event(5), event(6)]);
    await eventually(() => expect(numbersByProject(consumer.events)).toEqual(inOrder(['large'], 1, 6)));
    expect(consumer.events.every(({ data }) => data.padding === padding)).toBe(true);
    await consumer.stop();
  });

  it('gives a handler a few large events together, however small they are stored', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const padding = 'x'.repeat(1_500_000);
    await log.append(
      countedRange(topic, ['large'], 1, 8).map(({ data, ...rest }) => ({ ...rest, data: { ...data, padding } })),
    );
    const consumer = await record(topic);
    await eventually(() => expect(numbersByProject(consumer.events)).toEqual(inOrder(['large'], 1, 8)));
    expect(Math.max(...consumer.batches)).toBeLessThanOrEqual(3);
    await consumer.stop();
  });

  it('gives each event of two logs once and in order, small and large', async () => {
    const topic = countedTopic();
    const consumer = await record(topic);
    const other = await openEventLog(config(), recordingLogger());
    const sizes = [0, 3_000, 10_000, 29_000, 40_000];
    const appendAll = async (by: EventLog, project: string) => {
      for (let number = 1; number <= 150; number += 1) {
        const padding = 'é'.repeat((sizes[number % sizes.length] ?? 0) / 2);
        await by.append([toEnvelope(topic, { event: 'counted', project, number, padding }, { source: '/test' })]);
        if (number % 3 === 0) await sleep(number % 7);
      }
    };
    const of = projects(2);
    await Promise.all([appendAll(log, of[0]!), appendAll(other, of[1]!)]);
    await eventually(() => expect(consumer.events.length).toBeGreaterThanOrEqual(300));
    expect(numbersByProject(consumer.events)).toEqual(inOrder(of, 1, 150));
    for (const { data } of consumer.events)
      expect(data.padding).toHaveLength((sizes[data.number % sizes.length] ?? 0) / 2);
    await consumer.stop();
    await other.close();
  });

  it('keeps all concurrent appends', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const others = await Promise.all([1, 2, 3].map(() => openEventLog(config(), recordingLogger())));
    const of = projects(40);
    // Each project's events come from one log, one after the other; projects are spread over the logs.
    await Promise.all(
      of.map(async (project, i) => {
        const mine = others[i % others.length] ?? log;
        for (let number = 1; number <= 10; number++) await mine.append([counted(topic, project, number)]);
      }),
    );
    const consumer = await record(topic);
    await eventually(() => expect(consumer.events).toHaveLength(400));
    expect(numbersByProject(consumer.events)).toEqual(inOrder(of, 1, 10));
    await consumer.stop();
    await Promise.all(others.map((other) => other.close()));
  });

  it('creates topics however many replicas ask for them concurrently', async () => {
    const topics = [countedTopic(), countedTopic()];
    const replicas = await Promise.all([1, 2, 3].map(() => openEventLog(config(), recordingLogger())));
    await Promise.all(replicas.map((replica) => replica.ensureTopics(topics)));
    await log.ensureTopics(topics);
    await log.append(topics.map((topic) => counted(topic, 'p', 1)));
    await Promise.all(replicas.map((replica) => replica.close()));
  });

  it('refuses events of an unknown topic, and accepts others afterwards', async () => {
    await expect(log.append([counted(countedTopic(), 'p', 1)])).rejects.toThrow();
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    await log.append([counted(topic, 'p', 1)]);
  });

  it('reports how far a group is, by partition and by topic', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, projects(5), 1, 4));
    // A partition that nothing was written to yet may still be without a leader.
    await eventually(async () => expect(await log.lag(group, [topic])).toEqual([{ topic: topic.name, messages: 20 }]));
    const consumer = await record(topic, group);
    await eventually(async () => expect(await log.lag(group, [topic])).toEqual([{ topic: topic.name, messages: 0 }]));
    const positions = await log.positions(group, [topic]);
    expect(positions.map(({ partition }) => partition).toSorted()).toEqual([...positions.keys()]);
    expect(positions.map(({ committed }) => committed)).toEqual(positions.map(({ end }) => end));
    expect(positions.reduce((sum, { end }) => sum + end, 0)).toBe(20);
    await consumer.stop();
  });

  it('answers a ping', async () => {
    await expect(log.ping()).resolves.toBeUndefined();
  });
});

it('rejects a ping when the log is away', async () => {
  for (const config of [
    { kind: 'kafka', brokers: ['127.0.0.1:1'], clientId: 'ping' },
    { kind: 'postgres', databaseUrl: 'postgresql://nobody@127.0.0.1:1/none' },
  ] as const) {
    const log = await openEventLog(config, recordingLogger());
    await expect(log.ping()).rejects.toThrow();
    await log.close();
  }
});
