/** A service's Prisma client whose schema has the table. */
interface Database {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
  readonly revokedSession: {
    createMany(rows: { data: { sessionId: string; expiresAt: Date }[]; skipDuplicates: true }): PromiseLike<unknown>;
    count(of: { where: { sessionId: string } }): PromiseLike<number>;
  };
}

/**
 * The sessions that ended before their tokens expire. Every replica asks the one table, so that all refuse them at
 * once.
 */
export interface RevokedSessionStore {
  /** Stores them, and deletes some whose tokens have expired. Idempotent. */
  add(events: readonly { readonly session_id: string; readonly expires_at: string }[]): Promise<void>;
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
