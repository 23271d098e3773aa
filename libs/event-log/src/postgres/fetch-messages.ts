import { MAX_HANDLED_BYTES } from '../handle-batch.ts';
import type { StoredMessage } from '../messages/message.ts';
import type { TopicPartition } from '../partitions/share-partitions.ts';
import { commitParameters, commitSql, type HandledOffset } from './commit-offsets.ts';
import type { Session } from '@blog-content/postgres';

interface MessageRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: Record<string, string>;
}

const FETCH_SQL = `
  SELECT w.topic, w.partition, m."offset", m.key, m.value, m.headers
  FROM unnest($1::text[], $2::int[], $3::bigint[], $4::int[]) AS w (topic, partition, next_offset, batch_size)
  CROSS JOIN LATERAL (
    -- As long as they are when they are read, which is known without unpacking them: what is stored may be a
    -- hundredth of it.
    SELECT "offset", key, value, headers, sum(bytes) OVER (ORDER BY "offset") - bytes AS bytes_before
    FROM (
      SELECT n."offset", n.key, n.value, n.headers, coalesce(octet_length(n.value), 0) AS bytes
      FROM event_log.messages n
      WHERE n.topic = w.topic AND n.partition = w.partition AND n."offset" >= w.next_offset
      ORDER BY n."offset" LIMIT w.batch_size
    ) next
  ) m
  WHERE m.bytes_before < $5
  ORDER BY w.topic, w.partition, m."offset"`;

/**
 * Reads the next messages of several partitions in one round trip: at most `batchSize` of each and about
 * `MAX_HANDLED_BYTES`, in order. Commits `handled` in the same statement.
 */
export async function fetchMessages(
  session: Pick<Session, 'query'>,
  partitions: readonly (TopicPartition & { readonly nextOffset: bigint; readonly batchSize: number })[],
  handled: { readonly group: string; readonly offsets: readonly HandledOffset[] } = { group: '', offsets: [] },
): Promise<readonly StoredMessage[]> {
  if (partitions.length === 0) return [];
  const isCommitting = handled.offsets.length > 0;
  return session.query<MessageRow>(isCommitting ? `WITH committed AS (${commitSql(6)}) ${FETCH_SQL}` : FETCH_SQL, [
    partitions.map(({ topic }) => topic),
    partitions.map(({ partition }) => partition),
    partitions.map(({ nextOffset }) => String(nextOffset)),
    partitions.map(({ batchSize }) => batchSize),
    MAX_HANDLED_BYTES,
    ...(isCommitting ? commitParameters(handled.group, handled.offsets) : []),
  ]);
}

/**
 * Whether what was fetched of a partition may not be all that there was: it came to the limit, or to as many bytes as
 * fit.
 */
export function mayBeCutOff(messages: readonly StoredMessage[], limit: number): boolean {
  if (messages.length >= limit) return true;
  return (
    messages.reduce((sum, { value }) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0) >= MAX_HANDLED_BYTES
  );
}
