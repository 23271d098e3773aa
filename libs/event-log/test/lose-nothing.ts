import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { onTopic, openEventLog, startOutboxRelay, type EventLogConfig, type ReceivedEvent } from '../src/index.ts';
import { countedRange, countedTopic, inOrder, numbersByProject, projects, type CountedEvent } from './counted-topic.ts';
import { createOutbox } from './outbox.ts';
import { recordingLogger } from './recording-logger.ts';

/** Produces through an outbox relay and consumes while `outage` goes on; then everything must have arrived in order. */
export async function loseNothingDuring(config: EventLogConfig, outage: () => Promise<void>): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const topic = countedTopic();
  const of = projects(20);
  const outbox = await createOutbox();
  resources.defer(() => outbox.drop());
  const logger = recordingLogger();
  const [producer, consumer] = await Promise.all([1, 2].map(() => openEventLog(config, logger)));
  if (producer === undefined || consumer === undefined) return;
  resources.defer(() => producer.close());
  resources.defer(() => consumer.close());
  const events: ReceivedEvent<CountedEvent>[] = [];
  const group = randomUUID();
  await consumer.subscribe({
    group,
    logger,
    handlers: [onTopic(topic, (batch) => Promise.resolve(void events.push(...batch)))],
  });
  const relay = startOutboxRelay({ databaseUrl: outbox.url, eventLog: producer, logger });
  resources.defer(() => relay.stop());

  let over = false;
  const ended = outage().finally(() => (over = true));
  let number = 0;
  for (let after = 0; after < 10; after += Number(over)) {
    number++;
    await outbox.insert(countedRange(topic, of, number, number));
    await sleep(20);
  }
  await ended;
  try {
    await eventually(async () => expect(await outbox.unpublished()).toBe(0), { timeoutMs: 100_000 });
    await eventually(async () => expect((await consumer.lag(group, [topic]))[0]?.messages).toBe(0), {
      timeoutMs: 100_000,
    });
  } catch (cause) {
    const told = logger.entries.slice(-20).map((entry) => JSON.stringify(entry).slice(0, 500));
    throw new Error(`Not all has arrived. What the log said last:\n${told.join('\n')}`, { cause });
  }
  expect(numbersByProject(events)).toEqual(inOrder(of, 1, number));
}
