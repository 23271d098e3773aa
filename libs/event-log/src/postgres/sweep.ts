import { withAdvisoryLock } from '@blog-content/postgres';
import type { Pool, PoolClient } from 'pg';

/** Any number that nothing else locks: one process sweeps at a time. */
const SWEEP_LOCK = '7310295846012378852';
/** Messages looked at per transaction. */
const BATCH = 1_000;
/** Of a compacted topic: fewer, since their values may have to be read, and one may be large. */
const COMPACTED_BATCH = 200;

interface SweptTopic {
  readonly name: string;
  readonly partitions: number;
  readonly compacted: boolean;
  readonly keep_ms: string;
  readonly newest_by: string | null;
}

/**
 * Removes what the topics' retention no longer keeps: messages older than `keepMs`, or in compacted topics those for
 * whose key there is a newer message that is itself older than `fullHistoryMs`. Works in small transactions, and begins
 * no more once it is `stopping`; does nothing while another process sweeps. Returns how many messages were removed.
 *
 * Statements join and delete by `ctid`, which is safe because messages are never updated. By the primary key, the
 * planner may choose a sequential scan for each message while the table has no statistics.
 */
export async function sweep(pool: Pool, stopping?: AbortSignal): Promise<number> {
  return (await withAdvisoryLock(pool, SWEEP_LOCK, (client) => sweepTopics(client, stopping))) ?? 0;
}

async function sweepTopics(client: PoolClient, stopping: AbortSignal | undefined): Promise<number> {
  const topics = await client.query<SweptTopic>(
    'SELECT name, partitions, compacted, keep_ms, newest_by FROM event_log.topics',
  );
  let removed = 0;
  for (const topic of topics.rows) {
    for (let partition = 0; partition < topic.partitions; partition++) {
      const [sweepOnce, batch] = topic.compacted ? [compactOnce, COMPACTED_BATCH] : [expireOnce, BATCH];
      for (let more = true; more && stopping?.aborted !== true;) {
        const done = await sweepOnce(client, topic, partition);
        removed += done.removed;
        more = done.looked === batch;
      }
    }
  }
  return removed;
}

interface Progress {
  readonly looked: number;
  readonly removed: number;
}

/** Within a partition messages are in the order of their age: the oldest are looked at until one is young. */
async function expireOnce(client: PoolClient, { name, keep_ms }: SweptTopic, partition: number): Promise<Progress> {
  const { rowCount } = await client.query(
    `DELETE FROM event_log.messages WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM (
         SELECT ctid, appended_at FROM event_log.messages
         WHERE topic = $1 AND partition = $2 ORDER BY "offset" LIMIT $4
       ) oldest
       WHERE appended_at < clock_timestamp() - $3 * interval '1 ms'
     ))`,
    [name, partition, keep_ms, BATCH],
  );
  return { looked: rowCount ?? 0, removed: rowCount ?? 0 };
}

/**
 * Goes through the messages that have grown old since the last time, and of each of their keys leaves the newest of all
 * that are old: the one with the highest number, which an append that came late does not have; else the last one.
 */
async function compactOnce(client: PoolClient, topic: SweptTopic, partition: number): Promise<Progress> {
  const { name, keep_ms, newest_by } = topic;
  const { rows } = await client.query<{ looked: number; removed: number }>(
    `WITH grown_old AS MATERIALIZED (
       SELECT key, "offset" FROM event_log.messages
       WHERE topic = $1 AND partition = $2
         AND "offset" >= coalesce((SELECT next_offset FROM event_log.swept WHERE topic = $1 AND partition = $2), 0)
         AND appended_at < clock_timestamp() - $3 * interval '1 ms'
       ORDER BY "offset" LIMIT $4
     ), keys AS MATERIALIZED (
       SELECT DISTINCT key FROM grown_old WHERE key IS NOT NULL
     ), old AS MATERIALIZED (
       SELECT m.key, m."offset", m.ctid AS at, count(*) OVER (PARTITION BY m.key) AS of_key
       FROM keys JOIN event_log.messages m
         ON hashtextextended(m.key, hashtext(m.topic)) = hashtextextended(keys.key, hashtext($1))
         AND m.topic = $1 AND m.partition = $2 AND m.key = keys.key
       WHERE m."offset" <= (SELECT max("offset") FROM grown_old)
     ), numbered AS MATERIALIZED (
       SELECT old.key, old."offset", old.at,
         -- As JSON.stringify writes it; read as JSON, one value that is none would stop the compaction.
         substring(m.value FROM '"' || $5 || '":([0-9]{1,18})[,}]')::bigint AS number
       FROM old JOIN event_log.messages m ON m.ctid = old.at
       WHERE old.of_key > 1
     ), ranked AS MATERIALIZED (
       SELECT at, row_number() OVER (
         PARTITION BY key
         ORDER BY number DESC NULLS LAST, "offset" DESC
       ) AS rank FROM numbered
     ), superseded AS (
       DELETE FROM event_log.messages WHERE ctid = ANY (ARRAY(SELECT at FROM ranked WHERE rank > 1))
       RETURNING 1
     ), progress AS (
       INSERT INTO event_log.swept (topic, partition, next_offset)
       SELECT $1, $2, max("offset") + 1 FROM grown_old HAVING count(*) > 0
       ON CONFLICT (topic, partition) DO UPDATE SET next_offset = EXCLUDED.next_offset
     )
     SELECT (SELECT count(*) FROM grown_old)::int AS looked, (SELECT count(*) FROM superseded)::int AS removed`,
    [name, partition, keep_ms, COMPACTED_BATCH, newest_by],
  );
  return rows[0] ?? { looked: 0, removed: 0 };
}
