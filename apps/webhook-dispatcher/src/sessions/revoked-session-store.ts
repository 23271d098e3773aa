import type { SessionRevokedEvent } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';

/**
 * The sessions that ended before their tokens expire. Every replica asks the one table, so that all refuse them at
 * once.
 */
export interface RevokedSessionStore {
  /** Stores them, and deletes some whose tokens have expired. Idempotent. */
  add(events: readonly SessionRevokedEvent[]): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}

/** Most rows that one call deletes: as many as two batches add. */
const MAX_DELETED_ROWS = 200;

export function createRevokedSessionStore(database: Database): RevokedSessionStore {
  return {
    async add(events) {
      await database.revokedSession.createMany({
        data: events.map((event) => ({ sessionId: event.session_id, expiresAt: new Date(event.expires_at) })),
        skipDuplicates: true,
      });
      // An hour late: the times come from another machine's clock.
      await database.$executeRaw`
        DELETE FROM revoked_session WHERE session_id IN (
          SELECT session_id FROM revoked_session WHERE expires_at < now() - interval '1 hour'
          ORDER BY expires_at LIMIT ${MAX_DELETED_ROWS} FOR UPDATE SKIP LOCKED)`;
    },

    has: async (sessionId) => (await database.revokedSession.count({ where: { sessionId } })) > 0,
  };
}
