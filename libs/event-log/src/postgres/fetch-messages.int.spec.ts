import { openPool } from '@blog-content/postgres';
import { createEmptyDatabase } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { counted, countedTopic } from '../../test/counted-topic.ts';
import { toMessage } from '../messages/message.ts';
import { createAppendMessages } from './append-messages.ts';
import { MAX_HANDLED_BYTES } from '../handle-batch.ts';
import { fetchMessages, mayBeCutOff } from './fetch-messages.ts';
import { CHANNEL, createLogSchema } from './schema.ts';
import { openSession } from '@blog-content/postgres';
import { createMissingTopics } from './topics.ts';

it('one fetch of a partition is limited by its bytes as they are read, however small they are stored', async () => {
  await using resources = new AsyncDisposableStack();
  const database = await createEmptyDatabase();
  resources.defer(() => database.drop());
  const pool = openPool({ connectionString: database.url, max: 1 }, () => undefined);
  resources.defer(() => pool.end());
  await createLogSchema(pool);
  const topic = { ...countedTopic(), partitions: 1 };
  await createMissingTopics(pool, [topic]);
  const append = createAppendMessages(pool);
  const large = (number: number) => {
    const message = toMessage(counted(topic, 'p', number));
    return { ...message, value: JSON.stringify({ number, padding: 'x'.repeat(MAX_HANDLED_BYTES / 4) }) };
  };
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
  await append(numbers.map(large));
  const session = await openSession({
    databaseUrl: database.url,
    name: randomUUID(),
    channels: [CHANNEL],
    onNotification: () => undefined,
  });
  resources.defer(() => session.close());
  const fetched = await fetchMessages(session, [{ topic: topic.name, partition: 0, nextOffset: 0n, batchSize: 100 }]);
  expect(fetched).toHaveLength(4);
  expect(mayBeCutOff(fetched, 100)).toBe(true);
});
