import type { Database } from '../platform/database/open-database.ts';

/** Most rows of each kind that one call deletes; of sessions fewer, because their refresh tokens go with them. */
const MAX_ROWS_PER_BATCH = 1_000;
const MAX_SESSIONS_PER_BATCH = 100;

/**
 * Deletes some of what has ended: sessions with their refresh tokens, invitations, password resets and counters of
 * failed sign-ins. To be called again immediately while it finds something. @returns how many rows.
 */
export async function sweepAccounts(database: Database, now: Date): Promise<number> {
  let deleted = await database.$executeRaw`
    DELETE FROM account_session WHERE id IN (
      SELECT id FROM account_session WHERE revoked_at IS NOT NULL LIMIT ${MAX_SESSIONS_PER_BATCH}
      FOR UPDATE SKIP LOCKED)`;
  deleted += await database.$executeRaw`
    DELETE FROM account_session WHERE id IN (
      SELECT id FROM account_session WHERE expires_at <= ${now} LIMIT ${MAX_SESSIONS_PER_BATCH}
      FOR UPDATE SKIP LOCKED)`;
  deleted += await database.$executeRaw`
    DELETE FROM invitation WHERE id IN (
      SELECT id FROM invitation WHERE expires_at <= ${now} LIMIT ${MAX_ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED)`;
  deleted += await database.$executeRaw`
    DELETE FROM member_invitation WHERE id IN (
      SELECT id FROM member_invitation WHERE expires_at <= ${now} LIMIT ${MAX_ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED)`;
  deleted += await database.$executeRaw`
    DELETE FROM password_reset WHERE token_hash IN (
      SELECT token_hash FROM password_reset WHERE expires_at <= ${now} LIMIT ${MAX_ROWS_PER_BATCH}
      FOR UPDATE SKIP LOCKED)`;
  deleted += await database.$executeRaw`
    DELETE FROM rate_limit WHERE key IN (
      SELECT key FROM rate_limit WHERE expire <= ${now} LIMIT ${MAX_ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED)`;
  return deleted;
}
