import { randomUUID } from 'node:crypto';
import { createEmptyDatabase, eventually, startSilentRelay } from '@blog-content/testing';
import { counted, countedTopic, numbersByProject, type CountedEvent } from '../test/counted-topic.ts';
import { createOutbox } from '../test/outbox.ts';
import { recordingLogger } from '../test/recording-logger.ts';
import { onTopic, openEventLog, startOutboxRelay, type ReceivedEvent } from './index.ts';

/** Twice what is promised on a machine that has something else to do too. */
const BACK_WITHIN_MS = 30_000;

describe('connections that fall silent without an end, as in a fail-over', () => {
  it(
    'are given up, and everything goes on over new ones, be it the event log or the outbox that is silent',
    async () => {
      await Promise.all([goOnWithout('the event log'), goOnWithout('the outbox')]);
    },
    2 * BACK_WITHIN_MS + 30_000,
  );
});

async function goOnWithout(silenced: 'the event log' | 'the outbox'): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const logDatabase = await createEmptyDatabase();
  resources.defer(() => logDatabase.drop());
  const outbox = await createOutbox();
  resources.defer(() => outbox.drop());
  const ofLog = resources.use(await startSilentRelay(logDatabase.url));
  const ofOutbox = resources.use(await startSilentRelay(outbox.url));
  const logger = recordingLogger();
  const log = await openEventLog({ kind: 'postgres', databaseUrl: ofLog.url }, logger);
  resources.defer(() => log.close());
  const topic = countedTopic();
  await log.ensureTopics([topic]);
  const events: ReceivedEvent<CountedEvent>[] = [];
  const handler = onTopic(topic, (batch) => Promise.resolve(void events.push(...batch)));
  await log.subscribe({ group: randomUUID(), handlers: [handler], logger });
  const relay = startOutboxRelay({ databaseUrl: ofOutbox.url, eventLog: log, logger });
  resources.defer(() => relay.stop());
  await outbox.insert([counted(topic, 'p', 1)]);
  await eventually(() => expect(numbersByProject(events)).toEqual({ p: [1] }));

  (silenced === 'the event log' ? ofLog : ofOutbox).silence();
  await outbox.insert([counted(topic, 'p', 2)]);
  await eventually(() => expect(numbersByProject(events)).toEqual({ p: [1, 2] }), { timeoutMs: BACK_WITHIN_MS });
  await eventually(async () => expect(await outbox.unpublished()).toBe(0), { timeoutMs: BACK_WITHIN_MS });
}
