import { lifecycleTopic } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';
import { untilDone } from '../database/until-done.ts';

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;

/**
 * How long an event that a newer one has overtaken is remembered: longer than the topic keeps its full history, so that
 * none of it is planned or announced again. After that, the blog's newest event is its guard: nothing older than that
 * one is ever delivered.
 */
const OVERTAKEN_KEPT_MS = (lifecycleTopic.retention.compacted ? lifecycleTopic.retention.fullHistoryMs : 0) + DAY_MS;

/**
 * Forgets what no delivery needs: bodies of overtaken events, later the events themselves, and old acknowledgements.
 */
export async function purgeEvents(database: Database, stopping?: AbortSignal): Promise<void> {
  const remove = (batch: () => Promise<number>) => untilDone(BATCH, batch, stopping);
  await remove(
    () => database.$executeRaw`
      UPDATE lifecycle_event SET data = NULL WHERE id IN (
        SELECT e.id FROM lifecycle_event e
        WHERE e.data IS NOT NULL AND NOT e.newest AND e.planned_at < now() - interval '10 minutes' AND NOT EXISTS (
          SELECT FROM delivery_queue q JOIN delivery d ON d.id = q.delivery_id
          WHERE q.blog_id = e.blog_id AND d.lifecycle_event_id = e.id)
        ORDER BY e.planned_at LIMIT ${BATCH} FOR UPDATE OF e SKIP LOCKED)`,
  );
  await remove(
    () => database.$executeRaw`
      DELETE FROM lifecycle_event WHERE id IN (
        SELECT e.id FROM lifecycle_event e
        WHERE NOT e.newest AND e.data IS NULL AND e.planned_at < now() - ${OVERTAKEN_KEPT_MS} * interval '1 millisecond'
        ORDER BY e.planned_at LIMIT ${BATCH} FOR UPDATE OF e SKIP LOCKED)`,
  );
  // Longer than the topic keeps an acknowledgement: its lifecycle event was planned, or never will be.
  await remove(
    () => database.$executeRaw`
      DELETE FROM served_event WHERE lifecycle_event_id IN (
        SELECT lifecycle_event_id FROM served_event WHERE received_at < now() - interval '4 days'
        ORDER BY received_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}
