import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { startChild } from '../test/child.ts';
import type { ConsumerChildOptions } from '../test/consumer.child.ts';
import { counted, countedRange, countedTopic, inOrder, numbersByProject, projects } from '../test/counted-topic.ts';
import type { CountedEvent } from '../test/counted-topic.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { describeEachLog } from '../test/tested-logs.ts';
import { onTopic, openEventLog, type EventLog, type ReceivedEvent } from './index.ts';

type Batch = readonly ReceivedEvent<CountedEvent>[];

describeEachLog('groups', ({ config }) => {
  const logs: EventLog[] = [];
  /** As another process would: with connections of its own. */
  async function open(): Promise<EventLog> {
    const log = await openEventLog(config(), recordingLogger());
    logs.push(log);
    return log;
  }
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
  });

  it('gives uncommitted events of a killed consumer to another one', async () => {
    const topic = countedTopic();
    const of = projects(10);
    const log = await open();
    await log.ensureTopics([topic]);
    const sent = countedRange(topic, of, 1, 5);
    await log.append(sent);
    const options: ConsumerChildOptions = { config: config(), topic: topic.name, group: 'group' + randomUUID() };
    const child = startChild('consumer.child.ts', options);
    await eventually(() => expect(child.lines.length).toBeGreaterThan(0));
    await child.kill();

    const events: ReceivedEvent<CountedEvent>[] = [];
    await log.subscribe({
      group: options.group,
      logger: recordingLogger(),
      handlers: [onTopic(topic, (batch) => Promise.resolve(void events.push(...batch)))],
    });
    await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(of, 1, 5)));
    const ids = new Set(events.map(({ id }) => id));
    for (const id of child.lines) expect(ids).toContain(id);
  });

  it('reassigns the partitions of a hanging consumer', async () => {
    const topic = countedTopic();
    const of = projects(10);
    const log = await open();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, of, 1, 2));
    const options: ConsumerChildOptions = { config: config(), topic: topic.name, group: randomUUID() };
    const child = startChild('consumer.child.ts', options);
    try {
      await eventually(() => expect(child.lines.length).toBeGreaterThan(0));
      child.signal('SIGSTOP');
      const events: ReceivedEvent<CountedEvent>[] = [];
      await log.subscribe({
        group: options.group,
        logger: recordingLogger(),
        handlers: [onTopic(topic, (batch) => Promise.resolve(void events.push(...batch)))],
      });
      await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(of, 1, 2)));
    } finally {
      await child.kill();
    }
  });

  it('shares the partitions with a consumer that joins, and takes them back when it leaves', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const of = projects(30);
    const events: ReceivedEvent<CountedEvent>[] = [];
    const handledBy: string[] = [];
    const running = new Map<number, number>();
    let most = 0;

    const join = async (name: string) => {
      const log = await open();
      const handle = async (batch: Batch) => {
        const partition = batch[0]?.partition ?? -1;
        running.set(partition, (running.get(partition) ?? 0) + 1);
        most = Math.max(most, ...running.values());
        await sleep(20);
        events.push(...batch);
        handledBy.push(...batch.map(() => name));
        running.set(partition, (running.get(partition) ?? 0) - 1);
      };
      const handlers = [onTopic(topic, handle, { batchSize: 5 })];
      return log.subscribe({ group, logger: recordingLogger(), handlers });
    };

    await join('first');
    const producer = await open();
    let number = 0;
    const produceUntil = async (enough: () => boolean) => {
      const until = performance.now() + 30_000;
      do {
        number++;
        await producer.append(countedRange(topic, of, number, number));
        await sleep(20);
      } while (!enough() && performance.now() < until);
    };
    const handledSince = (from: number, name: string) => handledBy.slice(from).filter((by) => by === name).length;
    await produceUntil(() => handledBy.length > 100);

    const second = await join('second');
    await produceUntil(() => handledSince(0, 'second') > 100);
    const both = handledBy.length;
    await produceUntil(() => handledSince(both, 'first') > 50 && handledSince(both, 'second') > 50);

    await second.stop();
    const alone = handledBy.length;
    await produceUntil(() => handledSince(alone, 'first') > 200);

    await eventually(() => expect(numbersByProject(events)).toEqual(inOrder(of, 1, number)));
    expect(handledSince(0, 'second')).toBeGreaterThan(100);
    expect(handledSince(alone, 'second')).toBe(0);
    expect(most).toBe(1);
    // Nobody has crashed, so nothing was handled twice.
    expect(events).toHaveLength(of.length * number);
  });

  it('assigns a topic to the members with a handler for it', async () => {
    const [old, added] = [countedTopic(), countedTopic()];
    const group = randomUUID();
    const seen: string[] = [];
    const handlerOf = (topic: typeof old, name: string) =>
      onTopic(topic, (batch) => Promise.resolve(void seen.push(...batch.map(() => `${name} ${topic.name}`))));
    // Two releases of a service side by side.
    const before = await open();
    await before.subscribe({ group, logger: recordingLogger(), handlers: [handlerOf(old, 'before')] });
    const after = await open();
    const handlers = [handlerOf(old, 'after'), handlerOf(added, 'after')];
    await after.subscribe({ group, logger: recordingLogger(), handlers });

    await after.append([...countedRange(old, projects(20), 1, 1), ...countedRange(added, projects(20), 1, 1)]);
    await eventually(() =>
      expect(new Set(seen.filter((line) => line.endsWith(added.name)))).toEqual(new Set([`after ${added.name}`])),
    );
    await eventually(() => expect(seen).toHaveLength(40));
  });

  it('lets the running batch end and commits it when it is stopped', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const log = await open();
    let started = false;
    let ended = false;
    const subscription = await log.subscribe({
      group,
      logger: recordingLogger(),
      handlers: [
        onTopic(topic, async () => {
          started = true;
          await sleep(500);
          ended = true;
        }),
      ],
    });
    await log.append([counted(topic, 'p', 1)]);
    await eventually(() => expect(started).toBe(true));
    await subscription.stop();
    expect(ended).toBe(true);
    expect(await log.lag(group, [topic])).toEqual([{ topic: topic.name, messages: 0 }]);
    await subscription.stop();
  });

  it('stops while a handler keeps failing, without committing', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const log = await open();
    let calls = 0;
    const failing = () => {
      calls++;
      return Promise.reject(new Error('never'));
    };
    const subscription = await log.subscribe({ group, logger: recordingLogger(), handlers: [onTopic(topic, failing)] });
    await log.append([counted(topic, 'p', 1)]);
    await eventually(() => expect(calls).toBeGreaterThan(2));
    await subscription.stop();
    expect(await log.lag(group, [topic])).toEqual([{ topic: topic.name, messages: 1 }]);
  });

  it('keeps its partition during a handler that takes longer than a session', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const log = await open();
    const seen: number[] = [];
    const slow = async (batch: Batch) => {
      if (batch[0]?.data.number === 1) await sleep(12_000);
      seen.push(...batch.map(({ data }) => data.number));
    };
    await log.subscribe({ group, logger: recordingLogger(), handlers: [onTopic(topic, slow)] });
    await log.append([counted(topic, 'p', 1)]);
    await sleep(100);
    await log.append([counted(topic, 'p', 2)]);
    await eventually(() => expect(seen).toEqual([1, 2]));
  });
});
