import { randomUUID } from 'node:crypto';
import { createEmptyDatabase, eventually } from '@blog-content/testing';
import { Pool } from 'pg';
import { countedRange, countedTopic } from '../../test/counted-topic.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { onTopic, openEventLog, type ReceivedEvent } from '../index.ts';
import { sweep } from './sweep.ts';

const HOUR_MS = 3_600_000;

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

it('a log whose headers are jsonb, and whose index for compaction is of texts, is appended to, read and compacted', async () => {
  const { url, drop } = await createEmptyDatabase();
  resources.defer(drop);
  const pool = new Pool({ connectionString: url, max: 2 });
  resources.defer(() => pool.end());
  await pool.query(`
    CREATE SCHEMA event_log;
    CREATE TABLE event_log.messages (
      topic text NOT NULL, partition int NOT NULL, "offset" bigint NOT NULL, key text, headers jsonb NOT NULL, value text,
      appended_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (topic, partition, "offset"));
    CREATE INDEX messages_by_key ON event_log.messages (topic, partition, key, "offset")`);

  const log = await openEventLog({ kind: 'postgres', databaseUrl: url }, recordingLogger());
  resources.defer(() => log.close());
  const topic = countedTopic(undefined, { compacted: true, fullHistoryMs: HOUR_MS });
  await log.ensureTopics([topic]);
  // To one partition, and to several.
  const one = countedRange(topic, ['a'], 1, 2);
  const several = countedRange(topic, ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 3, 4);
  await log.append(one);
  await log.append(several);

  const heard: ReceivedEvent[] = [];
  const handler = onTopic(topic, (events) => {
    heard.push(...events);
    return Promise.resolve();
  });
  const subscription = await log.subscribe({ group: randomUUID(), logger: recordingLogger(), handlers: [handler] });
  resources.defer(() => subscription.stop());
  const byId = (events: readonly { readonly id: string }[]) => events.toSorted((x, y) => (x.id < y.id ? -1 : 1));
  await eventually(() => expect(byId(heard)).toMatchObject(byId([...one, ...several])));

  await pool.query(`UPDATE event_log.messages SET appended_at = appended_at - interval '2 hours'`);
  expect(await sweep(pool)).toBe(one.length + several.length - 7);
  const { rows } = await pool.query(
    `SELECT data_type FROM information_schema.columns WHERE table_schema = 'event_log' AND column_name = 'headers'`,
  );
  expect(rows).toEqual([{ data_type: 'jsonb' }]);
});
