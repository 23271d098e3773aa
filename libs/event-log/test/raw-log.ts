import { eventually } from '@blog-content/testing';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import type { EventLogConfig } from '../src/index.ts';

/** A message as somebody may put it past the port. */
export interface RawMessage {
  readonly key: string;
  readonly value: string | null;
  readonly headers: Record<string, string>;
}

/** Puts messages into partition 0 of a topic, past the port. */
export async function putRaw(config: EventLogConfig, topic: string, messages: readonly RawMessage[]): Promise<void> {
  if (config.kind === 'kafka') {
    await withKafka(config.brokers, async (kafka) => {
      const producer = kafka.producer();
      await producer.connect();
      await producer.send({ topic, messages: messages.map((message) => ({ ...message, partition: 0 })) });
      await producer.disconnect();
    });
    return;
  }
  await withClient(config.databaseUrl, async (client) => {
    for (const { key, value, headers } of messages) {
      await client.query(
        `WITH reserved AS (
           UPDATE event_log.partitions SET next_offset = next_offset + 1 WHERE topic = $1 AND partition = 0
           RETURNING next_offset - 1 AS "offset"
         )
         INSERT INTO event_log.messages (topic, partition, "offset", key, headers, value)
         SELECT $1, 0, "offset", $2, $3, $4 FROM reserved`,
        [topic, key, headers, value],
      );
    }
    await client.query(`SELECT pg_notify('event_log', $1)`, [`topic:${topic}`]);
  });
}

/** Removes the messages of a partition below an offset, as retention does. */
export async function removeRaw(
  config: EventLogConfig,
  topic: string,
  partition: number,
  below: number,
): Promise<void> {
  if (config.kind === 'kafka') {
    await withKafka(config.brokers, async (kafka) => {
      const admin = kafka.admin();
      await admin.connect();
      try {
        // The client deletes only where it has learnt who leads, which a new topic does not know immediately.
        await eventually(() => admin.fetchTopicOffsets(topic));
        await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(below) }] });
      } finally {
        await admin.disconnect();
      }
    });
    return;
  }
  await withClient(config.databaseUrl, async (client) => {
    const partitionBelow = 'topic = $1 AND partition = $2 AND "offset" < $3';
    await client.query(`DELETE FROM event_log.messages WHERE ${partitionBelow}`, [topic, partition, below]);
  });
}

/** Reads the first `count` messages of a topic, past the port, in no order of partitions. */
export async function readRaw(config: EventLogConfig, topic: string, count: number): Promise<RawMessage[]> {
  const found: RawMessage[] = [];
  if (config.kind === 'postgres') {
    await withClient(config.databaseUrl, async (client) => {
      const { rows } = await client.query<RawMessage>(
        'SELECT key, value, headers FROM event_log.messages WHERE topic = $1 ORDER BY partition, "offset"',
        [topic],
      );
      found.push(...rows.slice(0, count));
    });
    return found;
  }
  await withKafka(config.brokers, async (kafka) => {
    const consumer = kafka.consumer({ groupId: `raw-${topic}-${Math.random()}`, maxWaitTimeInMs: 100 });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const eachMessage = ({ message: { key, value, headers = {} } }: RawKafkaPayload) => {
        const texts = Object.entries(headers).map(([name, header]) => [name, String(header)]);
        found.push({
          key: String(key),
          value: value?.toString() ?? null,
          headers: Object.fromEntries(texts) as Record<string, string>,
        });
        if (found.length === count) resolve();
        return Promise.resolve();
      };
      consumer.run({ eachMessage }).catch(reject);
    });
    await consumer.disconnect();
  });
  return found;
}

interface RawKafkaPayload {
  readonly message: { readonly key: Buffer | null; readonly value: Buffer | null; readonly headers?: object };
}

async function withKafka(brokers: readonly string[], use: (kafka: Kafka) => Promise<void>): Promise<void> {
  await use(new Kafka({ brokers: [...brokers], clientId: 'raw', logLevel: logLevel.NOTHING }));
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
