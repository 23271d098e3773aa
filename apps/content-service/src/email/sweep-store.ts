import type { Database } from '../platform/database/open-database.ts';

const DAY_MS = 24 * 3_600_000;
/** How long it is remembered that owners were told of a receiver: longer than its events are kept. */
const ALARM_LIFE_MS = 8 * DAY_MS;
const MAX_SWEPT = 1_000;

/**
 * Deletes some of what is not needed any more: alarms, and emails of a day ago that nobody has sent, because there is
 * no SMTP server any more. Call it again while it finds something. @returns how many rows.
 */
export async function sweepEmails(database: Database, now: Date): Promise<number> {
  const alarms = await database.$executeRaw`
    DELETE FROM receiver_alarm WHERE integration_id IN (
      SELECT integration_id FROM receiver_alarm WHERE told_at <= ${new Date(now.getTime() - ALARM_LIFE_MS)}
      LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED)`;
  const emails = await database.$executeRaw`
    DELETE FROM email WHERE id IN (
      SELECT id FROM email WHERE expires_at <= ${new Date(now.getTime() - DAY_MS)}
      LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED)`;
  return alarms + emails;
}
