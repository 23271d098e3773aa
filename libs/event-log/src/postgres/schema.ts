import { inTransaction } from '@blog-content/postgres';
import type { Pool } from 'pg';

/**
 * Channel that says `topic:<name>/<partition>` (messages appended) or `group:<name>` (members or partitions have
 * changed hands).
 */
export const CHANNEL = 'event_log';
/** First half of the advisory lock that each member of a group holds as its sign of life; the second is its number. */
export const MEMBER_LOCK_CLASS = 0x65766c6d;

/** Any number that nothing else locks: only one process creates the tables at a time. */
const SCHEMA_LOCK = '7310295846012378851';

// Offsets are gapless per partition and become visible in their order: an append holds the partition's row until its
// end.
const SCHEMA_SQL = `
CREATE SCHEMA IF NOT EXISTS event_log;

CREATE TABLE IF NOT EXISTS event_log.topics (
  name text PRIMARY KEY,
  partitions int NOT NULL CHECK (partitions > 0),
  compacted boolean NOT NULL,
  keep_ms bigint NOT NULL,
  newest_by text
);
COMMENT ON COLUMN event_log.topics.keep_ms IS
  'Not compacted: how long messages are kept. Compacted: how long superseded ones are.';

COMMENT ON COLUMN event_log.topics.newest_by IS
  'Compacted: field of the value whose highest number the newest message of a key has.';

CREATE TABLE IF NOT EXISTS event_log.partitions (
  topic text NOT NULL REFERENCES event_log.topics,
  partition int NOT NULL,
  next_offset bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, partition)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS event_log.messages (
  topic text NOT NULL,
  partition int NOT NULL,
  "offset" bigint NOT NULL,
  key text,
  headers json NOT NULL,
  value text,
  appended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (topic, partition, "offset")
);
-- For compaction. Of a number, for a key of a topic: an index of the texts themselves, which come in any order, would
-- be a quarter of what an append costs.
CREATE INDEX IF NOT EXISTS messages_by_key ON event_log.messages (hashtextextended(key, hashtext(topic)));

CREATE TABLE IF NOT EXISTS event_log.swept (
  topic text NOT NULL,
  partition int NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (topic, partition)
);
COMMENT ON TABLE event_log.swept IS 'How far a compacted partition has been compacted.';

CREATE TABLE IF NOT EXISTS event_log.group_offsets (
  group_name text NOT NULL,
  topic text NOT NULL,
  partition int NOT NULL,
  next_offset bigint NOT NULL,
  committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (group_name, topic, partition)
);

CREATE TABLE IF NOT EXISTS event_log.members (
  number int GENERATED ALWAYS AS IDENTITY (CYCLE) PRIMARY KEY,
  group_name text NOT NULL,
  topics text[] NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
`;

/** Creates what is missing of the log's own tables (schema `event_log`). Safe when processes race. */
export async function createLogSchema(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ complete: boolean }>(
    `SELECT to_regclass('event_log.members') IS NOT NULL AS complete`,
  );
  // A role without the right to create may use a log that exists.
  if (rows[0]?.complete) return;
  await inTransaction(pool, 'BEGIN', async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await client.query(SCHEMA_SQL);
  });
}
