import { createEmptyDatabase, eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { counted, countedTopic } from '../../test/counted-topic.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { onTopic, openEventLog } from '../index.ts';

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

it('a small append reaches a consumer that waits for it without a fetch', async () => {
  const { url, drop } = await createEmptyDatabase();
  resources.defer(drop);
  const log = await openEventLog({ kind: 'postgres', databaseUrl: url }, recordingLogger());
  resources.defer(() => log.close());
  const topic = countedTopic();
  const heard: number[] = [];
  const subscription = await log.subscribe({
    group: randomUUID(),
    logger: recordingLogger(),
    handlers: [
      onTopic(topic, (events) => {
        heard.push(...events.map(({ data }) => data.number));
        return Promise.resolve();
      }),
    ],
  });
  resources.defer(() => subscription.stop());
  await log.append([counted(topic, 'p', 1)]);
  await eventually(() => expect(heard).toEqual([1]));
  // From now on nothing of the topic stands in the table, and no fetch finds anything.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER forget BEFORE INSERT ON event_log.messages FOR EACH ROW EXECUTE FUNCTION forget();`);
  await client.end();
  await expect(log.append([counted(topic, 'p', 2)])).rejects.toThrow('Only 0 of 1');
  await eventually(() => expect(heard).toEqual([1, 2]));
});
