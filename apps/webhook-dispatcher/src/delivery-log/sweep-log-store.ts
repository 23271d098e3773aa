import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { KEPT_FOR_RECEIVER } from '../integrations/retire-integrations-store.ts';

/** What is kept of receivers, by `integration_id`. */
const OF_RECEIVER = [Prisma.raw('receiver_blog'), ...KEPT_FOR_RECEIVER];
/** Receivers that one statement looks at. */
const MAX_RECEIVERS = 50;

export type SweepLogStore = ReturnType<typeof createSweepLogStore>;

/** Removes what the delivery log keeps no longer. What receivers have is not touched: it is no part of the log. */
export function createSweepLogStore(database: Database) {
  return {
    /**
     * Removes of the next receivers after the position `after` the oldest deliveries that ended before `before`: at
     * most `batch` of each. Resolves to the position of the last of these receivers, and whether any of them may have
     * more; null when there is none.
     */
    async sweepDeliveries(
      before: Date,
      after: bigint,
      batch: number,
    ): Promise<{ last: bigint; hasMore: boolean } | null> {
      const [swept] = await database.$queryRaw<{ last: bigint | null; most: number }[]>`
        WITH receiver AS (
          SELECT id, position FROM integration WHERE position > ${after} ORDER BY position LIMIT ${MAX_RECEIVERS}
        ),
        removed AS (
          -- Locked in one order, because other replicas sweep as well.
          DELETE FROM delivery WHERE id = ANY (ARRAY(
            SELECT d.id FROM delivery d
            WHERE d.finished_at < ${before} AND d.id IN (
              SELECT oldest.id FROM receiver CROSS JOIN LATERAL (
                SELECT d.id, d.finished_at FROM delivery d
                WHERE d.integration_id = receiver.id AND d.status IN ('succeeded', 'failed', 'superseded')
                ORDER BY d.position LIMIT ${batch}) oldest
              WHERE oldest.finished_at < ${before})
            ORDER BY d.id FOR UPDATE SKIP LOCKED))
          RETURNING id, integration_id
        ),
        removed_attempts AS (DELETE FROM delivery_attempt a USING removed WHERE a.delivery_id = removed.id),
        removed_failed AS (DELETE FROM failed_delivery f USING removed WHERE f.delivery_id = removed.id)
        SELECT (SELECT max(position) FROM receiver) AS last,
          coalesce((SELECT max(count) FROM (SELECT count(*) FROM removed GROUP BY integration_id) counted), 0)::integer
            AS most`;
      return swept === undefined || swept.last === null ? null : { last: swept.last, hasMore: swept.most >= batch };
    },

    /**
     * Removes bodies that were last sent, and headers that were replaced, before `before`. Returns how many, at most
     * `batch` each.
     */
    async sweepParts(before: Date, batch: number): Promise<number> {
      const bodies = await database.$executeRaw`
        DELETE FROM sent_body WHERE hash IN (
          SELECT hash FROM sent_body WHERE stored_at < ${before} ORDER BY stored_at LIMIT ${batch}
            FOR UPDATE SKIP LOCKED)`;
      const headers = await database.$executeRaw`
        DELETE FROM integration_headers WHERE (integration_id, hash) IN (
          SELECT integration_id, hash FROM integration_headers
          WHERE replaced_at < ${before} ORDER BY replaced_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
      return Math.max(bodies, headers);
    },

    /**
     * Removes receivers that were deleted before `before` and that no delivery names, first what they had of blogs, and
     * what attempts that ran at that moment have left. Returns how many rows, at most `batch` of each.
     */
    async sweepReceivers(before: Date, batch: number): Promise<number> {
      const gone = Prisma.sql`SELECT i.id FROM integration i
        WHERE i.deleted_at < ${before} AND NOT EXISTS (SELECT FROM delivery d WHERE d.integration_id = i.id)`;
      let most = 0;
      for (const table of OF_RECEIVER) {
        const removed = await database.$executeRaw`
          DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
            SELECT r.ctid FROM ${table} r WHERE r.integration_id IN (${gone}) LIMIT ${batch}))`;
        most = Math.max(most, removed);
      }
      const receivers = await database.$executeRaw`
        DELETE FROM integration WHERE id IN (
          SELECT g.id FROM integration g
          WHERE g.id IN (${gone}) AND ${Prisma.join(
            OF_RECEIVER.map((table) => Prisma.sql`NOT EXISTS (SELECT FROM ${table} r WHERE r.integration_id = g.id)`),
            ' AND ',
          )} ORDER BY g.position LIMIT ${batch} FOR UPDATE SKIP LOCKED)`;
      return Math.max(most, receivers);
    },
  };
}
