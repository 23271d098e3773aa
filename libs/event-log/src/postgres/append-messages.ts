import { binaryArray } from '@blog-content/postgres';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import type { OutgoingMessage } from '../messages/message.ts';
import { partitionOf } from '../partitions/murmur2.ts';
import { CHANNEL } from './schema.ts';

// The rows of the partitions are locked in one order, so that appends never wait for each other in a circle, and stay
// locked until the commit, so that offsets become visible in their order. The update sees the newest next_offset even
// if another append has just changed it: PostgreSQL re-reads a row that it had to wait for.
const APPEND_SQL = `
WITH input AS MATERIALIZED (
  SELECT topic, partition, key, headers, value, n,
         row_number() OVER (PARTITION BY topic, partition ORDER BY n) AS index
  FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS u (topic, partition, key, headers, value, n)
), counted AS MATERIALIZED (
  SELECT topic, partition, count(*) AS messages FROM input GROUP BY topic, partition
), locked AS MATERIALIZED (
  SELECT p.topic, p.partition, c.messages
  FROM event_log.partitions p JOIN counted c USING (topic, partition)
  ORDER BY p.topic, p.partition FOR UPDATE OF p
), reserved AS (
  UPDATE event_log.partitions p SET next_offset = p.next_offset + l.messages
  FROM locked l WHERE p.topic = l.topic AND p.partition = l.partition
  RETURNING p.topic, p.partition, p.next_offset - l.messages AS first_offset
), appended AS (
  INSERT INTO event_log.messages (topic, partition, "offset", key, headers, value)
  SELECT i.topic, i.partition, r.first_offset + i.index - 1, i.key, i.headers::json, i.value
  FROM input i JOIN reserved r USING (topic, partition) ORDER BY i.n
  RETURNING topic, partition
)
SELECT count(*)::int AS messages, pg_notify('${CHANNEL}', 'topic:' || topic || '/' || partition)
FROM appended GROUP BY topic, partition`;

/** Appends messages in one transaction of one round trip, in the order of the array. */
export type AppendMessages = (messages: readonly OutgoingMessage[], assertAllowed?: () => void) => Promise<void>;

/** Makes the appending function; it remembers how many partitions each topic has, which never changes. */
export function createAppendMessages(pool: Pool): AppendMessages {
  const partitionsOf = new Map<string, number>();

  async function learnPartitions(topics: ReadonlySet<string>): Promise<void> {
    const unknown = [...topics].filter((topic) => !partitionsOf.has(topic));
    if (unknown.length === 0) return;
    const { rows } = await pool.query<{ name: string; partitions: number }>(
      'SELECT name, partitions FROM event_log.topics WHERE name = ANY ($1)',
      [unknown],
    );
    for (const { name, partitions } of rows) partitionsOf.set(name, partitions);
    const missing = unknown.filter((topic) => !partitionsOf.has(topic));
    if (missing.length > 0) throw new Error(`The event log has no topic ${missing.join(', ')}.`);
  }

  return async (messages, assertAllowed) => {
    if (messages.length === 0) return;
    await learnPartitions(new Set(messages.map(({ topic }) => topic)));
    const topics = messages.map(({ topic }) => topic);
    const partitions = messages.map(({ topic, partitionKey }) =>
      partitionOf(partitionKey, partitionsOf.get(topic) ?? 1),
    );
    const statement = {
      name: 'append',
      text: APPEND_SQL,
      values: [
        binaryArray('text', topics),
        binaryArray('integer', partitions),
        binaryArray(
          'text',
          messages.map(({ key }) => key),
        ),
        binaryArray(
          'text',
          messages.map(({ headers }) => JSON.stringify(headers)),
        ),
        binaryArray(
          'text',
          messages.map(({ value }) => value?.toString() ?? null),
        ),
      ],
    };
    const { rows } = await write(pool, statement, assertAllowed);
    const appended = rows.reduce((sum, row) => sum + row.messages, 0);
    if (appended !== messages.length) throw new Error(`Only ${appended} of ${messages.length} messages were appended.`);
  };
}

/** A connection may be long in coming: whether the write is allowed is asked once it is there. */
async function write(
  pool: Pool,
  statement: QueryConfig,
  assertAllowed: (() => void) | undefined,
): Promise<QueryResult<{ messages: number }>> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    assertAllowed?.();
    return await client.query<{ messages: number }>(statement);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After an error the connection is not used again, as with the pool's own queries.
    client.release(failure);
  }
}
