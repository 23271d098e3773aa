import type { Pool, QueryResultRow } from 'pg';
import type { ReadOptions, TopicReader } from '../event-log.ts';
import { handOn } from '../handle-batch.ts';
import type { TopicPartition } from '../partitions/share-partitions.ts';
import { fetchMessages } from './fetch-messages.ts';
import type { Session } from '@blog-content/postgres';

const BATCH_SIZE = 1_000;

type PartitionPosition = TopicPartition & { nextOffset: bigint; end: bigint; readonly batchSize: number };

/** Reads whole topics through the log's own pool, partition by partition at the same time. */
export async function openPostgresReader(pool: Pool, options: ReadOptions): Promise<TopicReader> {
  const { handlers, logger, batchSize = BATCH_SIZE } = options;
  const handlerOf = new Map(handlers.map((handler) => [handler.topic.name, handler]));
  const positions = await findPartitions(pool, [...handlerOf.keys()], batchSize);
  const session: Pick<Session, 'query'> = {
    query: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
  };

  async function readPartition(position: PartitionPosition): Promise<number> {
    const handler = handlerOf.get(position.topic);
    let passed = 0;
    while (handler !== undefined && position.nextOffset < position.end) {
      const fetched = await fetchMessages(session, [position]);
      const messages = fetched.filter(({ offset }) => BigInt(offset) < position.end);
      const last = messages.at(-1);
      // What retention has removed leaves gaps, at the end too.
      if (last === undefined) break;
      await handOn(messages, { handler, logger });
      position.nextOffset = BigInt(last.offset) + 1n;
      passed += messages.length;
    }
    return passed;
  }

  return {
    async catchUp() {
      const ends = await endsOf(pool, [...handlerOf.keys()]);
      for (const position of positions) position.end = ends.get(`${position.topic}/${position.partition}`) ?? 0n;
      const passed = await Promise.all(positions.map(readPartition));
      return passed.reduce((sum, count) => sum + count, 0);
    },
    close: () => Promise.resolve(),
  };
}

async function findPartitions(pool: Pool, topics: readonly string[], batchSize: number): Promise<PartitionPosition[]> {
  const { rows } = await pool.query<TopicPartition>(
    'SELECT topic, partition FROM event_log.partitions WHERE topic = ANY ($1) ORDER BY topic, partition',
    [topics],
  );
  const found = new Set(rows.map(({ topic }) => topic));
  const missing = topics.filter((topic) => !found.has(topic));
  if (missing.length > 0) throw new Error(`The event log has no topic ${missing.join(', ')}.`);
  return rows.map(({ topic, partition }) => ({ topic, partition, nextOffset: 0n, end: 0n, batchSize }));
}

async function endsOf(pool: Pool, topics: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await pool.query<TopicPartition & { end: string }>(
    'SELECT topic, partition, next_offset AS end FROM event_log.partitions WHERE topic = ANY ($1)',
    [topics],
  );
  return new Map(rows.map(({ topic, partition, end }) => [`${topic}/${partition}`, BigInt(end)]));
}
