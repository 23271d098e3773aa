import { withAdvisoryLock } from '@blog-content/postgres';
import type { Pool, PoolClient } from 'pg';

/** Any number that nothing else locks: one process sweeps at a time. */
const SWEEP_LOCK = '7310295846012378852';
/** Messages removed per transaction. */
const BATCH = 1_000;
/** Of a compacted topic: fewer, since their values may have to be read, and one may be large. */
const COMPACTED_BATCH = 200;

interface SweptPartition {
  readonly name: string;
  readonly partition: number;
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
  let removed = 0;
  for (let more = true; more && stopping?.aborted !== true;) {
    const expired = await expireOnce(client);
    removed += expired;
    more = expired >= BATCH;
  }
  for (const partition of await partitionsToCompact(client)) {
    for (let more = true; more && stopping?.aborted !== true;) {
      const done = await compactOnce(client, partition);
      removed += done.removed;
      more = done.looked === COMPACTED_BATCH;
    }
  }
  return removed;
}

/**
 * Within a partition messages are in the order of their age: of each, the oldest are looked at until one is young. Few
 * have any: one statement looks at all of them.
 */
async function expireOnce(client: PoolClient): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM event_log.messages WHERE ctid = ANY (ARRAY(
       SELECT oldest.ctid FROM event_log.topics t
       CROSS JOIN generate_series(0, t.partitions - 1) AS p (partition)
       CROSS JOIN LATERAL (
         SELECT ctid, appended_at FROM event_log.messages
         WHERE topic = t.name AND partition = p.partition ORDER BY "offset" LIMIT $1
       ) oldest
       WHERE NOT t.compacted AND oldest.appended_at < clock_timestamp() - t.keep_ms * interval '1 ms'
       LIMIT $1
     ))`,
    [BATCH],
  );
  return rowCount ?? 0;
}

/** The partitions of compacted topics in which a message has grown old since the last time. */
async function partitionsToCompact(client: PoolClient): Promise<readonly SweptPartition[]> {
  const { rows } = await client.query<SweptPartition>(
    `SELECT t.name, p.partition, t.keep_ms, t.newest_by FROM event_log.topics t
     CROSS JOIN generate_series(0, t.partitions - 1) AS p (partition)
     LEFT JOIN event_log.swept s ON s.topic = t.name AND s.partition = p.partition
     CROSS JOIN LATERAL (
       SELECT appended_at FROM event_log.messages
       WHERE topic = t.name AND partition = p.partition AND "offset" >= coalesce(s.next_offset, 0)
       ORDER BY "offset" LIMIT 1
     ) next
     WHERE t.compacted AND next.appended_at < clock_timestamp() - t.keep_ms * interval '1 ms'`,
  );
  return rows;
}

interface Progress {
  readonly looked: number;
  readonly removed: number;
}

/**
 * Goes through the messages that have grown old since the last time, and of each of their keys leaves the newest of all
 * that are old: the one with the highest number, which an append that came late does not have; else the last one.
 */
async function compactOnce(client: PoolClient, swept: SweptPartition): Promise<Progress> {
  const { name, partition, keep_ms, newest_by } = swept;
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
