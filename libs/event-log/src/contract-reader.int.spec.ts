import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import {
  counted,
  countedRange,
  countedTopic,
  inOrder,
  numbersByProject,
  projects,
  type CountedEvent,
} from '../test/counted-topic.ts';
import { putRaw, removeRaw } from '../test/raw-log.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { describeEachLog } from '../test/tested-logs.ts';
import { onTopic, openEventLog, type EventLog, type ReceivedEvent } from './index.ts';
import { toMessage } from './messages/message.ts';

describeEachLog('reading from the beginning', ({ config }) => {
  let log: EventLog;
  beforeAll(async () => {
    log = await openEventLog(config(), recordingLogger());
  });
  afterAll(() => log.close());

  async function read(topic: ReturnType<typeof countedTopic>, batchSize = 1_000) {
    const events: ReceivedEvent<CountedEvent>[] = [];
    const batches: number[] = [];
    const logger = recordingLogger();
    const handle = (batch: readonly ReceivedEvent<CountedEvent>[]) => {
      events.push(...batch);
      batches.push(batch.length);
      return Promise.resolve();
    };
    const reader = await log.readFromBeginning({ handlers: [onTopic(topic, handle)], logger, batchSize });
    return { reader, events, batches, logger };
  }

  it('reads all events, each partition in order, and then newer ones', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, projects(20), 1, 10));
    const { reader, events } = await read(topic);
    expect(await reader.catchUp()).toBe(200);
    expect(numbersByProject(events)).toEqual(inOrder(projects(20), 1, 10));

    expect(await reader.catchUp()).toBe(0);
    await log.append(countedRange(topic, projects(20), 11, 15));
    await log.append(countedRange(topic, ['project-3'], 16, 16));
    expect(await reader.catchUp()).toBe(101);
    expect(numbersByProject(events)).toEqual({
      ...inOrder(projects(20), 1, 15),
      ...inOrder(['project-3'], 1, 16),
    });
    expect(events).toHaveLength(301);
    await reader.close();
  });

  it('reads nothing between two calls', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, ['one'], 1, 5));
    const { reader, events } = await read(topic);
    await reader.catchUp();
    await log.append(countedRange(topic, ['one', 'two', 'three'], 6, 9));
    const heard = await read(topic);
    await heard.reader.catchUp();
    expect(heard.events).toHaveLength(17);
    expect(events).toHaveLength(5);
    await reader.catchUp();
    expect(events).toHaveLength(17);
    await Promise.all([reader.close(), heard.reader.close()]);
  });

  it('reads an empty topic, and several topics in batches of the given size', async () => {
    const [empty, full] = [countedTopic(), countedTopic()];
    await log.ensureTopics([empty, full]);
    await log.append(countedRange(full, ['one'], 1, 50));
    const batches: [string, number][] = [];
    const reader = await log.readFromBeginning({
      handlers: [empty, full].map((topic) =>
        onTopic(topic, (batch) => Promise.resolve(void batches.push([batch[0]?.topic ?? '', batch.length]))),
      ),
      logger: recordingLogger(),
      batchSize: 20,
    });
    expect(await reader.catchUp()).toBe(50);
    expect(batches).toEqual([20, 20, 10].map((size) => [full.name, size]));
    await reader.close();
  });

  it('passes on a few large events together, however small they are stored', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const padding = 'x'.repeat(1_500_000);
    await log.append(
      countedRange(topic, ['large'], 1, 8).map(({ data, ...rest }) => ({ ...rest, data: { ...data, padding } })),
    );
    const { reader, events, batches } = await read(topic);
    expect(await reader.catchUp()).toBe(8);
    expect(numbersByProject(events)).toEqual(inOrder(['large'], 1, 8));
    expect(Math.max(...batches)).toBeLessThanOrEqual(3);
    await reader.close();
  });

  it('skips events that retention has removed, even a whole partition', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const put = (numbers: readonly number[]) =>
      putRaw(
        config(),
        topic.name,
        numbers.map((number) => {
          const { key, value, headers } = toMessage(counted(topic, 'p', number));
          return { key: key ?? '', value: String(value), headers: { ...headers } };
        }),
      );
    await put([1, 2, 3, 4, 5]);
    await removeRaw(config(), topic.name, 0, 3);
    const { reader, events } = await read(topic);
    expect(await reader.catchUp()).toBe(2);
    await put([6, 7, 8]);
    await removeRaw(config(), topic.name, 0, 7);
    expect(await reader.catchUp()).toBe(1);
    expect(events.map(({ data }) => data.number)).toEqual([4, 5, 8]);
    await removeRaw(config(), topic.name, 0, 8);
    const late = await read(topic);
    expect(await late.reader.catchUp()).toBe(0);
    await put([9]);
    expect(await late.reader.catchUp()).toBe(1);
    await Promise.all([reader.close(), late.reader.close()]);
  });

  it('does not affect groups, whose consumers keep their partitions and positions', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const logger = recordingLogger();
    const numbers: number[] = [];
    const handler = onTopic(topic, (batch) =>
      Promise.resolve(void numbers.push(...batch.map(({ data }) => data.number))),
    );
    const subscription = await log.subscribe({ group, logger, handlers: [handler] });
    await log.append(countedRange(topic, ['one'], 1, 5));
    await eventually(async () => expect((await log.lag(group, [topic]))[0]?.messages).toBe(0));
    const joined = () => logger.entries.filter(({ event }) => event === 'consumer.joined').length;
    const joinedBefore = joined();
    const { reader } = await read(topic);
    expect(await reader.catchUp()).toBe(5);
    await log.append(countedRange(topic, ['one'], 6, 6));
    await eventually(() => expect(numbers).toEqual([1, 2, 3, 4, 5, 6]));
    await reader.close();
    await subscription.stop();
    expect(joined()).toBe(joinedBefore);
  });

  it('skips and reports unreadable messages, without dead letters', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    const good = (number: number) => {
      const { key, value, headers } = toMessage(counted(topic, 'p', number));
      return { key: key ?? '', value: String(value), headers: { ...headers } };
    };
    await putRaw(config(), topic.name, [good(1), { ...good(2), value: 'no event' }, good(3)]);
    const { reader, events, logger } = await read(topic);
    expect(await reader.catchUp()).toBe(3);
    expect(events.map(({ data }) => data.number)).toEqual([1, 3]);
    expect(logger.entries).toMatchObject([{ event: 'event.unreadable', fields: { offset: '1', reason: 'not-json' } }]);
    expect(await log.lag(randomUUID(), [{ name: `${topic.name}.dlq` }])).toMatchObject([{ messages: 0 }]);
    await reader.close();
  });

  it('rejects with the error of a handler', async () => {
    const topic = countedTopic();
    await log.ensureTopics([topic]);
    await log.append(countedRange(topic, projects(5), 1, 5));
    const failing = onTopic(topic, () => Promise.reject(new Error('no room')));
    const reader = await log.readFromBeginning({ handlers: [failing], logger: recordingLogger() });
    await expect(reader.catchUp()).rejects.toThrow('no room');
    await reader.close();
    await reader.close();
  });

  it('refuses a topic that does not exist', async () => {
    await expect(read(countedTopic())).rejects.toThrow();
  });
});
