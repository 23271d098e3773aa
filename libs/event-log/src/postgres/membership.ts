import { SILENT_AFTER_S, type Session } from '@blog-content/postgres';
import { commitParameters, commitSql, type HandledOffset } from './commit-offsets.ts';
import { CHANNEL, MEMBER_LOCK_CLASS } from './schema.ts';
import { sharePartitions, type TopicPartition } from '../partitions/share-partitions.ts';

/** `l` of pg_locks is the lock that the session of the member `m` holds. */
const IS_ITS_LOCK = `l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.classid = ${MEMBER_LOCK_CLASS} AND l.objid = m.number::oid`;
const IS_ALIVE = `EXISTS (SELECT FROM pg_locks l WHERE ${IS_ITS_LOCK})`;
const IS_SILENT = `m.seen_at < clock_timestamp() - interval '${SILENT_AFTER_S} s'`;

/** `$1` this member's number, `$2` its group; then what it commits. */
const RENEW_SQL = `
  WITH committed AS (${commitSql(3)}),
  renewed AS (UPDATE event_log.members SET seen_at = clock_timestamp() WHERE number = $1 RETURNING number),
  member AS MATERIALIZED (
    SELECT number, topics, ${IS_ALIVE} AS is_alive, ${IS_SILENT} AS is_silent
    FROM event_log.members m WHERE m.group_name = $2
  )
  SELECT EXISTS (SELECT FROM renewed) AS renewed,
    (SELECT coalesce(json_agg(member), '[]') FROM member) AS members,
    (SELECT coalesce(json_agg(json_build_object('topic', topic, 'partition', partition, 'end', next_offset::text)), '[]')
     FROM event_log.partitions WHERE topic IN (SELECT unnest(topics) FROM member WHERE is_alive)) AS partitions`;

interface Renewed {
  readonly renewed: boolean;
  readonly members: readonly { number: number; topics: string[]; is_alive: boolean; is_silent: boolean }[];
  readonly partitions: readonly (TopicPartition & { readonly end: string })[];
}

/** One consumer's membership of its group, for as long as its session lasts. */
export interface Membership {
  /**
   * Shows that this member lives, commits what it has handled, forgets dead ones, and works out which partitions should
   * be this member's now, each with the offset that its next message gets.
   */
  renew(handled: readonly HandledOffset[]): Promise<readonly (TopicPartition & { readonly end: bigint })[]>;
  /** Takes those partitions that no other member holds; returns each with the offset to continue from. */
  take(wanted: readonly TopicPartition[]): Promise<readonly (TopicPartition & { readonly nextOffset: bigint })[]>;
  /** Commits partitions whose handling has ended, and lets go of them. */
  release(partitions: readonly HandledOffset[]): Promise<void>;
  /** Commits what was handled, and leaves the group; the session's end does the rest. */
  leave(handled: readonly HandledOffset[]): Promise<void>;
}

/**
 * Joins a group. Who handles a partition is decided by session advisory locks alone, so never two; the table of members
 * only tells each what its fair share is. A member is alive while its session holds its lock, hence a crash is known as
 * soon as the connection breaks. Offsets are committed through the session that holds the locks: one that has lost its
 * partitions cannot commit.
 */
export async function joinGroup(session: Session, group: string, topics: readonly string[]): Promise<Membership> {
  const notifyGroup = () => session.query(`SELECT pg_notify('${CHANNEL}', $1)`, [`group:${group}`]);
  const [member] = await session.query<{ number: number; locked: boolean }>(
    `INSERT INTO event_log.members (group_name, topics) VALUES ($1, $2)
     RETURNING number, pg_try_advisory_lock(${MEMBER_LOCK_CLASS}, number) AS locked`,
    [group, topics],
  );
  if (!member?.locked) throw new Error('The number of the new group member is in use.');
  const { number } = member;
  await notifyGroup();
  const commit = (offsets: readonly HandledOffset[]) => session.query(commitSql(1), commitParameters(group, offsets));

  return {
    async renew(handled) {
      const [renewed] = await session.query<Renewed>(RENEW_SQL, [number, group, ...commitParameters(group, handled)]);
      if (!renewed?.renewed) throw new Error('This group member was taken for dead.');
      const { members } = renewed;
      if (members.some((each) => each.is_silent && each.number !== number)) {
        await session.query(
          `SELECT pg_terminate_backend(l.pid) FROM event_log.members m JOIN pg_locks l ON ${IS_ITS_LOCK}
           WHERE m.group_name = $1 AND m.number <> $2 AND ${IS_SILENT}`,
          [group, number],
        );
      }
      if (members.some((each) => !each.is_alive)) {
        // A member that is joining right now has a row that is not visible yet, or one and its lock.
        await session.query(`DELETE FROM event_log.members m WHERE m.group_name = $1 AND NOT ${IS_ALIVE}`, [group]);
      }
      const living = members.filter((each) => each.is_alive);
      const everyone = living.map((each) => ({ id: String(each.number), topics: new Set(each.topics) }));
      const share = sharePartitions(everyone, renewed.partitions).get(String(number)) ?? [];
      return share.map((partition) => ({ ...partition, end: BigInt(partition.end) }));
    },

    async take(wanted) {
      if (wanted.length === 0) return [];
      const locked = await session.query<{ topic: string; partition: number }>(
        `SELECT topic, partition FROM unnest($2::text[], $3::int[]) AS w (topic, partition)
         WHERE pg_try_advisory_lock(hashtextextended(${LOCK_NAME}, 0))`,
        [group, ...columns(wanted)],
      );
      // A statement of its own: one that began before the lock was had could see the previous holder's offset too old.
      const taken = await session.query<{ topic: string; partition: number; next_offset: string }>(
        `SELECT w.topic, w.partition, coalesce(g.next_offset, 0) AS next_offset
         FROM unnest($2::text[], $3::int[]) AS w (topic, partition)
         LEFT JOIN event_log.group_offsets g ON (g.group_name, g.topic, g.partition) = ($1, w.topic, w.partition)`,
        [group, ...columns(locked)],
      );
      return taken.map(({ topic, partition, next_offset }) => ({ topic, partition, nextOffset: BigInt(next_offset) }));
    },

    async release(partitions) {
      if (partitions.length === 0) return;
      // Before the locks go: the next holder continues behind it.
      await commit(partitions);
      await session.query(
        `SELECT pg_advisory_unlock(hashtextextended(${LOCK_NAME}, 0))
         FROM unnest($2::text[], $3::int[]) AS w (topic, partition)`,
        [group, ...columns(partitions)],
      );
      await notifyGroup();
    },

    async leave(handled) {
      await commit(handled);
      await session.query('DELETE FROM event_log.members WHERE number = $1', [number]);
      await session.query('SELECT pg_advisory_unlock_all()');
      await notifyGroup();
    },
  };
}

const LOCK_NAME = `'event_log' || chr(31) || $1 || chr(31) || topic || chr(31) || partition`;

function columns(partitions: readonly TopicPartition[]): [string[], number[]] {
  return [partitions.map(({ topic }) => topic), partitions.map(({ partition }) => partition)];
}
