import type { LifecycleEvent, Trigger } from '@blog-content/payload-schemas';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
import type { AttemptRecord, ClaimedDelivery, HeldDelivery } from './claimed-delivery.ts';
import { recordAttempt, releaseClaim } from './record-store.ts';

export interface ClaimOptions {
  /** Most deliveries to claim. */
  readonly limit: number;
  /** Most in flight per integration, counting `inFlight`. */
  readonly perIntegration: number;
  /** What the caller has in flight already, by integration. */
  readonly inFlight: ReadonlyMap<string, number>;
  readonly leaseMs: number;
}

/**
 * The schedule. A delivery is `pending` until it is due and claimed, `in_flight` while somebody holds its lease, and
 * then `succeeded`, `failed`, `superseded`, or `pending` again until its retry. A claim writes the attempt in the same
 * statement, before any byte can leave; whatever happens to the claimer, the row says that an attempt was begun.
 */
export interface DeliveryStore {
  /**
   * Claims what is due: of each blog and receiver only the oldest delivery that has not ended, so that none is reordered;
   * receiver by receiver, so that a long queue of one does not delay the others. No two claimers get the same one, and
   * nobody gets one whose integration is deleted.
   */
  claim(options: ClaimOptions): Promise<ClaimedDelivery[]>;
  /** Renews leases; returns the ids of the deliveries still held. */
  renew(held: readonly Pick<HeldDelivery, 'id' | 'leaseToken'>[], leaseMs: number): Promise<Set<string>>;
  /** Gives back a delivery whose attempt was not made, as if it had not been claimed. */
  release(held: HeldDelivery): Promise<void>;
  /**
   * Records an attempt with everything that follows from it in one transaction: the delivery, the attempt, what the
   * receiver has, the outcome event. False when the lease was lost: nothing is changed then.
   */
  record(held: HeldDelivery, attempt: AttemptRecord): Promise<boolean>;
  /** Takes over deliveries whose lease ran out: their holder is gone and can record nothing any more. */
  takeOverExpired(limit: number, leaseMs: number): Promise<HeldDelivery[]>;
  /** Milliseconds until the next delivery becomes due; null when none is waiting for its time. */
  nextDueInMs(): Promise<number | null>;
  /** Deliveries that are due and not yet claimed. */
  countDue(): Promise<number>;
  /** Forgets event bodies that no delivery needs and stale words of the read service; a bounded amount. */
  purge(): Promise<void>;
}

interface HeldRow {
  id: string;
  lease_token: string;
  attempts: number;
  trigger: Trigger;
  lifecycle_event_id: string;
  integration_id: string;
  project_id: string;
  blog_id: string;
  publish_id: string | null;
  event: string;
  traceparent: string | null;
}

interface ClaimedRow extends HeldRow {
  data: LifecycleEvent;
  time: Date;
  receiver_has_blog: boolean;
  url: string;
  sealed_secret: string | null;
  sealed_headers: string | null;
}

const HELD = Prisma.sql`d.id, d.lease_token, d.attempts, d.trigger, d.lifecycle_event_id, d.integration_id, d.project_id,
  d.blog_id, d.publish_id, d.event`;

const leaseUntil = (leaseMs: number) => Prisma.sql`now() + ${leaseMs} * interval '1 millisecond'`;

export function createDeliveryStore(database: Database): DeliveryStore {
  return {
    async claim({ limit, perIntegration, inFlight, leaseMs }) {
      const rows = await database.$queryRaw<ClaimedRow[]>`
        WITH RECURSIVE
        waiting (integration_id) AS (
          (SELECT integration_id FROM delivery WHERE status = 'pending' ORDER BY integration_id LIMIT 1)
          UNION ALL
          SELECT (SELECT d.integration_id FROM delivery d
                  WHERE d.status = 'pending' AND d.integration_id > waiting.integration_id
                  ORDER BY d.integration_id LIMIT 1)
          FROM waiting WHERE waiting.integration_id IS NOT NULL
        ),
        busy AS (
          SELECT * FROM unnest(${[...inFlight.keys()]}::uuid[], ${[...inFlight.values()]}::integer[]) AS b (integration_id, count)
        ),
        due AS (
          SELECT candidate.id FROM waiting
          JOIN integration i ON i.id = waiting.integration_id AND i.deleted_at IS NULL
          LEFT JOIN busy USING (integration_id)
          CROSS JOIN LATERAL (
            SELECT d.id, d.due_at, d.position FROM delivery d
            WHERE d.integration_id = waiting.integration_id AND d.status = 'pending' AND d.due_at <= now()
              AND NOT EXISTS (
                SELECT FROM delivery older
                WHERE older.integration_id = d.integration_id AND older.blog_id = d.blog_id
                  AND older.blog_event_number < d.blog_event_number AND older.status IN ('pending', 'in_flight'))
            ORDER BY d.due_at, d.position
            LIMIT greatest(0, ${perIntegration}::integer - coalesce(busy.count, 0))
            FOR UPDATE SKIP LOCKED
          ) candidate
          ORDER BY candidate.due_at, candidate.position
          LIMIT ${limit}
        ),
        claimed AS (
          UPDATE delivery d
          SET status = 'in_flight', attempts = d.attempts + 1, lease_token = gen_random_uuid(), lease_until = ${leaseUntil(leaseMs)}
          FROM due WHERE d.id = due.id
          RETURNING d.*
        ),
        begun AS (
          INSERT INTO delivery_attempt (delivery_id, number, started_at) SELECT id, attempts, now() FROM claimed
        )
        SELECT ${HELD}, e.traceparent, e.data, e.time, i.url, i.sealed_secret, i.sealed_headers,
          coalesce(r.published, false) AS receiver_has_blog
        FROM claimed d
        JOIN lifecycle_event e ON e.id = d.lifecycle_event_id
        JOIN integration i ON i.id = d.integration_id
        LEFT JOIN receiver_blog r ON r.integration_id = d.integration_id AND r.blog_id = d.blog_id
        ORDER BY d.due_at, d.position`;
      return rows.map((row) => ({
        ...fromHeldRow(row),
        lifecycleEvent: row.data,
        eventTime: row.time,
        receiverHasBlog: row.receiver_has_blog,
        url: row.url,
        sealedSecret: row.sealed_secret,
        sealedHeaders: row.sealed_headers,
      }));
    },

    async renew(held, leaseMs) {
      const rows = await database.$queryRaw<{ id: string }[]>`
        UPDATE delivery d SET lease_until = ${leaseUntil(leaseMs)}
        FROM unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ leaseToken }) => leaseToken)}::uuid[]) AS h (id, lease_token)
        WHERE d.id = h.id AND d.lease_token = h.lease_token AND d.status = 'in_flight'
        RETURNING d.id`;
      return new Set(rows.map((row) => row.id));
    },

    release: (held) => releaseClaim(database, held),

    record: (held, attempt) => recordAttempt(database, held, attempt),

    async takeOverExpired(limit, leaseMs) {
      const rows = await database.$queryRaw<HeldRow[]>`
        UPDATE delivery d SET lease_token = gen_random_uuid(), lease_until = ${leaseUntil(leaseMs)}
        FROM lifecycle_event e
        WHERE e.id = d.lifecycle_event_id AND d.id IN (
          SELECT id FROM delivery WHERE status = 'in_flight' AND lease_until < now()
          ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING ${HELD}, e.traceparent`;
      return rows.map(fromHeldRow);
    },

    async nextDueInMs() {
      const rows = await database.$queryRaw<{ ms: number | null }[]>`
        SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8 AS ms FROM delivery WHERE status = 'pending' AND due_at > now()`;
      return rows[0]?.ms ?? null;
    },

    async countDue() {
      const rows = await database.$queryRaw<{ count: number }[]>`
        SELECT count(*)::integer AS count FROM delivery WHERE status = 'pending' AND due_at <= now()`;
      return rows[0]?.count ?? 0;
    },

    async purge() {
      await database.$executeRaw`
        UPDATE lifecycle_event SET data = NULL WHERE id IN (
          SELECT e.id FROM lifecycle_event e
          WHERE e.data IS NOT NULL AND e.planned_at < now() - interval '10 minutes' AND NOT EXISTS (
            SELECT FROM delivery d WHERE d.lifecycle_event_id = e.id AND d.status IN ('pending', 'in_flight'))
          ORDER BY e.planned_at LIMIT 500)`;
      // Longer than the topic keeps the word: the lifecycle event it speaks of was planned, or never will be.
      await database.$executeRaw`DELETE FROM served_event WHERE received_at < now() - interval '4 days'`;
    },
  };
}

function fromHeldRow(row: HeldRow): HeldDelivery {
  return {
    id: row.id,
    leaseToken: row.lease_token,
    attempt: row.attempts,
    trigger: row.trigger,
    lifecycleEventId: row.lifecycle_event_id,
    integrationId: row.integration_id,
    projectId: row.project_id,
    blogId: row.blog_id,
    publishId: row.publish_id,
    event: row.event,
    traceparent: row.traceparent,
  };
}
