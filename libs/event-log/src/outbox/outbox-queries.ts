import type { EventEnvelope } from '../messages/envelope.ts';
import { SILENT_AFTER_S, type Session } from '@blog-content/postgres';

/** Held by the one active relay of a database. */
const RELAY_LOCK = `hashtextextended('outbox-relay', 0)`;

/**
 * The holder's session, when the server has not heard of it for so long that its process must be frozen or out of
 * reach.
 */
const END_SILENT_HOLDER_SQL = `
  SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND a.datname = current_database() AND a.datid = l.database
    AND (l.classid::bigint << 32) | l.objid::bigint = ${RELAY_LOCK}
    AND a.state_change < clock_timestamp() - interval '${SILENT_AFTER_S} s'`;

/** Stored size of one batch's data, in bytes: at least one row is always read. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const KEEP_PUBLISHED_HOURS = 24;
const DELETE_BATCH = 1_000;

export interface UnpublishedRow {
  /** A bigint as decimal digits. */
  readonly position: string;
  /** One, or those of a bundle in their order. */
  readonly envelopes: readonly EventEnvelope[];
  /** Whether no other followed when it was read, as far as the limit allowed to look. */
  readonly isLast: boolean;
}

interface Row {
  position: string;
  id: string;
  topic: string;
  type: string;
  source: string;
  key: string;
  partition_key: string;
  data: unknown;
  time: Date;
  traceparent: string | null;
  bundle: readonly EventEnvelope[] | null;
  is_last: boolean;
}

const COLUMNS = 'position, id, topic, type, source, key, partition_key, data, time, traceparent, bundle';

/** `$3`: positions that are being marked in the same statement, which sees them as they were before. */
const unpublished = (isOther: string): string => `
  SELECT ${COLUMNS}, is_last FROM (
    SELECT ${COLUMNS}, lead(position) OVER (ORDER BY position) IS NULL AS is_last,
      sum(bytes) OVER (ORDER BY position) - bytes AS bytes_before
    FROM (
      SELECT ${COLUMNS}, pg_column_size(data) + coalesce(pg_column_size(bundle), 0) AS bytes
      FROM outbox WHERE published_at IS NULL ${isOther} ORDER BY position LIMIT $1
    ) next
  ) sized WHERE bytes_before < $2 ORDER BY position`;

const READ_SQL = unpublished('');
const MARK_AND_READ_SQL = `
  WITH marked AS (UPDATE outbox SET published_at = clock_timestamp() WHERE position = ANY ($3::bigint[]))
  ${unpublished('AND position <> ALL ($3::bigint[])')}`;

/** Becomes the active relay, unless another one is; ends the session of one that has been silent for 10 s. */
export async function tryToLead(session: Session): Promise<boolean> {
  const [lock] = await session.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${RELAY_LOCK}) AS locked`);
  if (lock?.locked) return true;
  await session.query(END_SILENT_HOLDER_SQL);
  return false;
}

/** Unpublished rows that are counted at most. */
const MAX_COUNTED_ROWS = 10_000;

/** What waits in an outbox. */
export interface OutboxState {
  /** Unpublished rows; 10,000 means at least as many. */
  readonly rows: number;
  /** Of the oldest of them, by the database's clock; 0 when there is none. */
  readonly oldestAgeS: number;
}

export async function measureOutbox(session: Session): Promise<OutboxState> {
  const [state] = await session.query<OutboxState>(
    `SELECT count(*)::int AS rows,
       coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestAgeS"
     FROM (
       SELECT created_at FROM outbox WHERE published_at IS NULL ORDER BY position LIMIT ${MAX_COUNTED_ROWS}
     ) waiting`,
  );
  return state ?? { rows: 0, oldestAgeS: 0 };
}

/** The oldest unpublished rows by position: at most `limit`, fewer when their data is large. */
export async function readUnpublished(session: Session, limit: number): Promise<readonly UnpublishedRow[]> {
  return toUnpublished(await session.query<Row>(READ_SQL, [limit, MAX_BATCH_BYTES]));
}

/** Marks rows as published, and reads the next ones like {@link readUnpublished}, in one round trip. */
export async function markPublished(
  session: Session,
  published: readonly UnpublishedRow[],
  limit: number,
): Promise<readonly UnpublishedRow[]> {
  const positions = published.map(({ position }) => position);
  return toUnpublished(await session.query<Row>(MARK_AND_READ_SQL, [limit, MAX_BATCH_BYTES, positions]));
}

function toUnpublished(rows: readonly Row[]): readonly UnpublishedRow[] {
  return rows.map((row) => ({
    position: row.position,
    envelopes: row.bundle ?? [toEnvelope(row)],
    isLast: row.is_last,
  }));
}

function toEnvelope({ id, topic, type, source, key, partition_key, data, time, traceparent }: Row): EventEnvelope {
  return {
    id,
    topic,
    type,
    source,
    key,
    partitionKey: partition_key,
    time: time.toISOString(),
    ...(traceparent !== null && { traceparent }),
    data,
  };
}

/** Deletes what was published long ago, in small transactions. */
export async function deletePublished(session: Session, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const deleted = await session.query(
      // An array, which is made once: a plan of when the outbox was empty would look for each row again. And by
      // `now()`, which an index can be asked for.
      `DELETE FROM outbox WHERE position = ANY (ARRAY(
         SELECT position FROM outbox
         WHERE published_at < now() - interval '${KEEP_PUBLISHED_HOURS} hours' LIMIT ${DELETE_BATCH}
       )) RETURNING 1`,
    );
    if (deleted.length < DELETE_BATCH) return;
  }
}
