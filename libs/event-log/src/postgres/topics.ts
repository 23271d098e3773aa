import type { Pool } from 'pg';
import { deadLetterTopic } from '../dead-letter.ts';
import type { PartitionPosition, TopicDeclaration } from '../event-log.ts';

/** Creates the topics that are missing and takes over changed retentions; the number of partitions never changes. */
export async function createMissingTopics(pool: Pool, topics: readonly TopicDeclaration[]): Promise<void> {
  // In one order everywhere, so that racing replicas do not wait for each other in a circle.
  const all = topics
    .flatMap((topic) => [topic, deadLetterTopic(topic)])
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  for (const { name, partitions, retention } of all) {
    // What goes after a time is not compacted before.
    const isKeptForEver = retention.keepMs === undefined;
    const keepMs = retention.compacted && isKeptForEver ? retention.fullHistoryMs : retention.keepMs;
    await pool.query(
      `WITH topic AS (
         INSERT INTO event_log.topics AS t (name, partitions, compacted, keep_ms, newest_by) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (name) DO UPDATE
         SET compacted = EXCLUDED.compacted, keep_ms = EXCLUDED.keep_ms, newest_by = EXCLUDED.newest_by
         RETURNING name, partitions
       )
       INSERT INTO event_log.partitions (topic, partition)
       SELECT name, generate_series(0, partitions - 1) FROM topic
       ON CONFLICT DO NOTHING`,
      [name, partitions, isKeptForEver, keepMs, (retention.compacted && retention.newestBy) || null],
    );
  }
}

/** How far a group is in each partition. */
export async function positionsOf(pool: Pool, group: string, topics: readonly string[]): Promise<PartitionPosition[]> {
  const { rows } = await pool.query<{ topic: string; partition: number; committed: string; end: string }>(
    `SELECT p.topic, p.partition, coalesce(g.next_offset, 0) AS committed, p.next_offset AS "end"
     FROM event_log.partitions p
     LEFT JOIN event_log.group_offsets g ON g.group_name = $1 AND g.topic = p.topic AND g.partition = p.partition
     WHERE p.topic = ANY ($2) ORDER BY p.topic, p.partition`,
    [group, topics],
  );
  return rows.map((row) => ({ ...row, committed: Number(row.committed), end: Number(row.end) }));
}
