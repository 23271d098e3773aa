import { randomUUID } from 'node:crypto';
import { deadLetterTopicName } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { counted, countedTopic } from '../test/counted-topic.ts';
import { putRaw, readRaw } from '../test/raw-log.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { describeEachLog } from '../test/tested-logs.ts';
import { connectEventLog, onTopic, openEventLog } from './index.ts';
import { toMessage } from './messages/message.ts';

describeEachLog('dead letters', ({ config }) => {
  it('writes an unreadable message to the dead letters with the reason, and continues with the next', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const logger = recordingLogger();
    const log = await openEventLog(config(), recordingLogger());
    await log.ensureTopics([topic]);
    const good = (number: number) => {
      const { key, value, headers } = toMessage(counted(topic, 'p', number));
      return { key: key ?? '', value: String(value), headers: { ...headers } };
    };
    const { ce_id: _id, ...withoutId } = good(0).headers;
    await putRaw(config(), topic.name, [
      good(1),
      { ...good(2), value: '{"event": "counted"' },
      { ...good(3), value: '{"event":"counted","project":7}' },
      { ...good(4), value: null },
      { ...good(5), headers: withoutId },
      good(6),
    ]);

    const numbers: number[] = [];
    const handler = onTopic(topic, (batch) =>
      Promise.resolve(void numbers.push(...batch.map(({ data }) => data.number))),
    );
    const subscription = await log.subscribe({ group, logger, handlers: [handler] });
    await eventually(() => expect(numbers).toEqual([1, 6]));
    await eventually(async () => expect((await log.lag(group, [topic]))[0]?.messages).toBe(0));

    const letters = await readRaw(config(), deadLetterTopicName(topic.name), 4);
    const reasons = letters.map(({ headers }) => headers['dlq_reason']);
    expect(reasons).toEqual(['not-json', 'schema-mismatch', 'no-value', 'missing-attributes']);
    expect(letters.map(({ value }) => value)).toEqual([
      '{"event": "counted"',
      '{"event":"counted","project":7}',
      null,
      good(5).value,
    ]);
    expect(letters[1]?.key).toBe('p');
    expect(letters[1]?.headers).toMatchObject({
      ce_type: 'counted',
      dlq_topic: topic.name,
      dlq_partition: '0',
      dlq_offset: '2',
      dlq_group: group,
      dlq_detail: expect.stringContaining('project') as string,
    });
    const errors = logger.entries.filter(({ level, event }) => level === 'error' && event === 'event.unreadable');
    expect(errors).toHaveLength(4);
    await subscription.stop();
    await log.close();
  });

  it('skips and counts an event of an unknown type, which is of a later release', async () => {
    const topic = countedTopic();
    const group = randomUUID();
    const log = await openEventLog(config(), recordingLogger());
    await log.ensureTopics([topic]);
    const [known, later, last] = [1, 2, 3].map((number) => {
      const { key, value, headers } = toMessage(counted(topic, 'p', number));
      return { key: key ?? '', value: String(value), headers: { ...headers } };
    });
    if (known === undefined || later === undefined || last === undefined) throw new Error('There are three.');
    await putRaw(config(), topic.name, [
      known,
      { ...later, value: '{"event":"recounted"}', headers: { ...later.headers, ce_type: 'recounted' } },
      last,
    ]);
    const numbers: number[] = [];
    const passedOver: string[] = [];
    const handler = onTopic(topic, (batch) =>
      Promise.resolve(void numbers.push(...batch.map(({ data }) => data.number))),
    );
    const metrics = {
      batchFailed: () => undefined,
      deadLettered: () => undefined,
      passedOver: (name: string, type: string) => void passedOver.push(`${name} ${type}`),
    };
    await log.subscribe({ group, logger: recordingLogger(), handlers: [handler], metrics });
    await eventually(async () => expect((await log.lag(group, [topic]))[0]?.messages).toBe(0));
    expect(numbers).toEqual([1, 3]);
    expect(passedOver).toEqual([`${topic.name} recounted`]);
    const letters = { name: deadLetterTopicName(topic.name) };
    expect(await log.lag(group, [letters])).toEqual([{ topic: letters.name, messages: 0 }]);
    await log.close();
  });

  it('writes a dead letter once, even if the handler of its batch has failed before', async () => {
    const topic = countedTopic();
    const log = await openEventLog(config(), recordingLogger());
    await log.ensureTopics([topic]);
    const { key, headers } = toMessage(counted(topic, 'p', 1));
    await putRaw(config(), topic.name, [
      { key: key ?? '', value: 'no event', headers: { ...headers } },
      { key: key ?? '', value: String(toMessage(counted(topic, 'p', 2)).value), headers: { ...headers } },
    ]);
    let failures = 2;
    const flaky = () => (failures-- > 0 ? Promise.reject(new Error('not yet')) : Promise.resolve());
    const group = randomUUID();
    await log.subscribe({ group, logger: recordingLogger(), handlers: [onTopic(topic, flaky)] });
    await eventually(async () => expect((await log.lag(group, [topic]))[0]?.messages).toBe(0));
    const letters = { name: deadLetterTopicName(topic.name) };
    expect(await log.lag(group, [letters])).toEqual([{ topic: letters.name, messages: 1 }]);
    await log.close();
  });

  it('are counted from 0 for every topic, so that an alert sees the first one', async () => {
    const topic = countedTopic();
    const letters: [topic: string, messages: number][] = [];
    const nothing = () => undefined;
    const connection = connectEventLog({
      open: () => openEventLog(config(), recordingLogger()),
      group: randomUUID(),
      handlers: [onTopic(topic, () => Promise.resolve())],
      produces: [],
      logger: recordingLogger(),
      metrics: {
        relayed: nothing,
        appendFailed: nothing,
        batchFailed: nothing,
        deadLettered: (name, messages) => void letters.push([name, messages]),
        parked: nothing,
        passedOver: nothing,
      },
    });
    await connection.connected;
    expect(letters).toEqual([[topic.name, 0]]);
    await connection.close();
  });
});
