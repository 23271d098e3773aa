import { randomUUID } from 'node:crypto';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';
import type { LeasedDelivery } from './claim-statements.ts';

/** Long enough to record: should the holder end before, the lease is reclaimed and the attempt judged once more. */
const LEASE_MS = 10_000;

/**
 * Gives a delivery's lease to a holder that lost it and knows by now how its attempt ended, as if that had not been
 * judged as interrupted (ADR 19). The attempt's number is the fence: null when another attempt has begun, or when the
 * delivery ended otherwise.
 */
export async function regainLease(database: Database, held: LeasedDelivery): Promise<LeasedDelivery | null> {
  const token = randomUUID();
  const taken = await database.$transaction(async (tx) => {
    // By itself: the next statement then sees all of a judgement that is just being committed, its attempt's row too.
    await tx.$executeRaw`SELECT FROM delivery WHERE id = ${held.id}::uuid FOR NO KEY UPDATE`;
    return tx.$executeRaw`
      WITH taken AS (
        UPDATE delivery SET status = 'in_flight', lease_token = ${token}::uuid, reason = NULL, detail = NULL,
          finished_at = NULL
        WHERE id = ${held.id}::uuid AND attempts = ${held.attempt} AND ${IS_UNJUDGED}
        RETURNING id, position, kind, integration_id, blog_id, blog_event_number
      ),
      attempt AS (
        DELETE FROM delivery_attempt a USING taken WHERE a.delivery_id = taken.id AND a.number = ${held.attempt}
      ),
      failed AS (DELETE FROM failed_delivery f USING taken WHERE f.delivery_id = taken.id),
      queued AS (
        INSERT INTO delivery_queue (position, delivery_id, integration_id, blog_id, blog_event_number, kind, due_at)
        SELECT position, id, integration_id, blog_id, blog_event_number, kind, now() FROM taken
        ON CONFLICT DO NOTHING
      )
      INSERT INTO lease (token, began_at, until, delivery_ids)
      SELECT ${token}::uuid, ${held.beganAt}, now() + ${LEASE_MS} * interval '1 millisecond', ARRAY[id] FROM taken`;
  });
  return taken === 0 ? null : { ...held, leaseToken: token };
}

/** Nobody knows better than this holder: the lease was reclaimed, and the attempt perhaps judged as interrupted. */
const IS_UNJUDGED = Prisma.sql`(status = 'in_flight' OR status IN ('pending', 'failed') AND reason = 'interrupted')`;
