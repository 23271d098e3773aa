import { createEmptyDatabase, eventually } from '@blog-content/testing';
import { openPool } from '@blog-content/postgres';
import { counted, countedTopic } from '../../test/counted-topic.ts';
import { toMessage } from '../messages/message.ts';
import { createAppendMessages } from './append-messages.ts';
import { createLogSchema } from './schema.ts';
import { createMissingTopics } from './topics.ts';

it('checks whether it may append once it has its connection, not before', async () => {
  await using resources = new AsyncDisposableStack();
  const database = await createEmptyDatabase();
  resources.defer(() => database.drop());
  const pool = openPool({ connectionString: database.url, max: 1 }, () => undefined);
  resources.defer(() => pool.end());
  await createLogSchema(pool);
  const topic = countedTopic();
  await createMissingTopics(pool, [topic]);
  const append = createAppendMessages(pool);
  await append([toMessage(counted(topic, 'p', 1))]);

  let mayAppend = true;
  const taken = await pool.connect();
  const appending = append([toMessage(counted(topic, 'p', 2))], () => {
    if (!mayAppend) throw new Error('It holds the outbox no longer.');
  });
  await eventually(() => expect(pool.waitingCount).toBe(1));
  mayAppend = false;
  taken.release();
  await expect(appending).rejects.toThrow('It holds the outbox no longer.');
  expect((await pool.query('SELECT 1 FROM event_log.messages')).rows).toHaveLength(1);
});
