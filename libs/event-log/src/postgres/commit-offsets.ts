import type { TopicPartition } from '../partitions/share-partitions.ts';

/** Where a group continues in a partition: everything before has been handled. */
export type HandledOffset = TopicPartition & { readonly nextOffset: bigint };

/** Commits offsets of a group; a statement, or part of one. Its parameters are numbered from `first` on. */
export const commitSql = (first: number): string => `
  INSERT INTO event_log.group_offsets AS g (group_name, topic, partition, next_offset)
  SELECT $${first}, * FROM unnest($${first + 1}::text[], $${first + 2}::int[], $${first + 3}::bigint[])
  ON CONFLICT (group_name, topic, partition)
  DO UPDATE SET next_offset = EXCLUDED.next_offset, committed_at = clock_timestamp()
  WHERE g.next_offset < EXCLUDED.next_offset`;

export const commitParameters = (group: string, offsets: readonly HandledOffset[]): unknown[] => [
  group,
  offsets.map(({ topic }) => topic),
  offsets.map(({ partition }) => partition),
  offsets.map(({ nextOffset }) => String(nextOffset)),
];
