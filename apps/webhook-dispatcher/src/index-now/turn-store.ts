import type { TenantSlots } from '../concurrency/lanes.ts';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { MAX_LIVE_URLS } from './address-store.ts';
import type { LookVerdict, WaitingAddress } from './judge-look.ts';

/** A project's turn, claimed: its holder may look at its pages and ping its addresses. */
export interface ClaimedTurn {
  readonly projectId: string;
  readonly accountId: string;
  readonly key: string;
  readonly siteUrl: string | null;
  /** Pings that were not accepted since the last that was. */
  readonly failedInRow: number;
  /** The fencing token: recording and renewing need it. */
  readonly leaseToken: string;
}

/** Which change of which address is meant: a newer one is another. */
export interface AddressRef {
  readonly slug: string;
  readonly eventId: string;
}

/** Where receivers say that its post lives; of one that went, where it lived. */
export interface PlacedAddress extends AddressRef {
  readonly isGone: boolean;
  readonly liveUrls: readonly string[];
  /** Where its post lives now. */
  readonly liveNow: readonly string[];
}

export interface AddressToLookAt extends PlacedAddress, WaitingAddress {}

export interface Looked extends AddressRef {
  readonly verdict: LookVerdict;
}

/** What came of a ping. */
export interface PingRecord {
  readonly status: 'accepted' | 'retry' | 'failed';
  readonly addresses: readonly AddressRef[];
  readonly statusCode: number | null;
  readonly detail: string | null;
  /** Until the next ping of the same addresses; for a retry. */
  readonly afterMs: number;
}

/** The turns of projects: one at a time for each, under a lease. What is recorded without holding it changes nothing. */
export interface TurnStore {
  /** Claims projects with something due whose turn nobody has. Accounts take turns. */
  claim(
    room: { readonly limit: number; readonly perAccount: number; readonly accounts: ReadonlyMap<string, TenantSlots> },
    leaseMs: number,
  ): Promise<ClaimedTurn[]>;
  renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>>;
  /** Addresses whose next look is due, the longest due first. */
  toLookAt(projectId: string, limit: number): Promise<AddressToLookAt[]>;
  /** A shown address is due for its ping `quietMs` later, or with those that wait for theirs. */
  recordLooks(turn: ClaimedTurn, looked: readonly Looked[], quietMs: number): Promise<void>;
  /** Gives up whatever waits. */
  giveUp(turn: ClaimedTurn, detail: string): Promise<void>;
  /**
   * All shown addresses, once one of them is due: the ping counts as begun. Null when none is, when the lease was lost,
   * and when the hour has had its pings: then they wait for the next.
   */
  beginPing(turn: ClaimedTurn, perHour: number): Promise<PlacedAddress[] | null>;
  recordPing(turn: ClaimedTurn, ping: PingRecord): Promise<void>;
  release(turn: ClaimedTurn): Promise<void>;
  /** Addresses that wait, of all projects. */
  countWaiting(): Promise<number>;
}

const leaseUntil = (leaseMs: number) => Prisma.sql`now() + ${leaseMs} * interval '1 millisecond'`;
const isFree = Prisma.sql`(i.lease_until IS NULL OR i.lease_until < now())`;
const held = ({ projectId, leaseToken }: ClaimedTurn) =>
  Prisma.sql`i.project_id = ${projectId}::uuid AND i.lease_token = ${leaseToken}::uuid`;
const rowsOf = (refs: readonly object[]) => JSON.stringify(refs);

const PLACED = Prisma.sql`a.slug, a.event_id AS "eventId", a.is_gone AS "isGone", a.live_urls AS "liveUrls",
  ARRAY(
    SELECT r.live_url FROM receiver_blog r JOIN integration n ON n.id = r.integration_id
    WHERE r.blog_id = a.blog_id AND n.project_id = a.project_id AND r.published AND r.live_url IS NOT NULL
    ORDER BY r.position DESC LIMIT ${MAX_LIVE_URLS}) AS "liveNow"`;

export function createTurnStore(database: Database): TurnStore {
  return {
    claim: ({ limit, perAccount, accounts }, leaseMs) => database.$queryRaw<ClaimedTurn[]>`
      WITH busy AS (
        SELECT * FROM unnest(${[...accounts.keys()]}::uuid[], ${[...accounts.values()].map(({ running }) => running)}::integer[],
          ${[...accounts.values()].map(({ free }) => free)}::integer[]) AS b (account_id, running, free)
      ),
      waiting AS (
        SELECT project_id, min(due_at) AS due_at FROM index_now_address WHERE due_at <= now() GROUP BY project_id
      ),
      due AS (
        SELECT i.project_id, w.due_at, coalesce(busy.running, 0) AS running, coalesce(busy.free, ${perAccount}) AS free,
          row_number() OVER (PARTITION BY coalesce(p.account_id, p.id) ORDER BY w.due_at, i.project_id) AS turn
        FROM waiting w
        JOIN index_now i ON i.project_id = w.project_id AND ${isFree}
        JOIN project p ON p.id = i.project_id AND NOT p.deleted
        LEFT JOIN busy ON busy.account_id = coalesce(p.account_id, p.id)
      ),
      chosen AS (
        SELECT i.project_id FROM index_now i
        WHERE i.project_id IN (SELECT project_id FROM due WHERE turn <= free ORDER BY turn + running, due_at LIMIT ${limit})
          AND ${isFree}
        FOR UPDATE SKIP LOCKED
      )
      UPDATE index_now i SET lease_token = gen_random_uuid(), lease_until = ${leaseUntil(leaseMs)}
      FROM chosen, project p WHERE i.project_id = chosen.project_id AND p.id = i.project_id
      RETURNING i.project_id AS "projectId", coalesce(p.account_id, p.id) AS "accountId", i.key, p.site_url AS "siteUrl",
        i.failed_in_row AS "failedInRow", i.lease_token AS "leaseToken"`,

    async renew(tokens, leaseMs) {
      const rows = await database.$queryRaw<{ token: string }[]>`
        UPDATE index_now SET lease_until = ${leaseUntil(leaseMs)} WHERE lease_token = ANY (${[...tokens]}::uuid[])
        RETURNING lease_token AS token`;
      return new Set(rows.map(({ token }) => token));
    },

    toLookAt: (projectId, limit) => database.$queryRaw<AddressToLookAt[]>`
      SELECT ${PLACED}, a.is_new AS "isNew", a.looks, a.before
      FROM index_now_address a
      WHERE a.project_id = ${projectId}::uuid AND a.shown_at IS NULL AND a.due_at <= now()
      ORDER BY a.due_at, a.slug LIMIT ${limit}`,

    async recordLooks(turn, looked, quietMs) {
      const rows = looked.map(({ slug, eventId, verdict }) => ({
        slug,
        event_id: eventId,
        kind: verdict.kind,
        after_ms: verdict.kind === 'again' ? verdict.afterMs : quietMs,
        before: verdict.kind === 'again' ? verdict.before : null,
      }));
      await database.$executeRaw`
        WITH held AS (SELECT i.project_id FROM index_now i WHERE ${held(turn)} FOR UPDATE),
        given AS (
          SELECT * FROM jsonb_to_recordset(${rowsOf(rows)}::jsonb) AS g (slug text, event_id uuid, kind text,
            after_ms float8, before text)),
        gathering AS (
          SELECT max(due_at) AS due_at FROM index_now_address
          WHERE project_id = ${turn.projectId}::uuid AND shown_at IS NOT NULL),
        seen AS (
          UPDATE index_now_address a SET looks = a.looks + 1, before = g.before,
            shown_at = CASE WHEN g.kind = 'shown' THEN now() END,
            due_at = coalesce(CASE WHEN g.kind = 'shown' THEN gathering.due_at END, now() + g.after_ms * interval '1 millisecond')
          FROM given g, held, gathering
          WHERE a.project_id = held.project_id AND a.slug = g.slug AND a.event_id = g.event_id AND g.kind <> 'given_up'),
        given_up AS (
          DELETE FROM index_now_address a USING given g, held
          WHERE a.project_id = held.project_id AND a.slug = g.slug AND a.event_id = g.event_id AND g.kind = 'given_up'
          RETURNING a.project_id)
        UPDATE index_now i SET skipped_at = now(), skipped = over.count,
          skipped_detail = 'The site did not show the change at the last look.'
        FROM (SELECT project_id, count(*)::integer FROM given_up GROUP BY project_id) AS over
        WHERE i.project_id = over.project_id`;
    },

    async giveUp(turn, detail) {
      await database.$executeRaw`
        WITH held AS (SELECT i.project_id FROM index_now i WHERE ${held(turn)} FOR UPDATE),
        given_up AS (DELETE FROM index_now_address a USING held WHERE a.project_id = held.project_id RETURNING a.project_id)
        UPDATE index_now i SET skipped_at = now(), skipped = over.count, skipped_detail = ${detail}
        FROM (SELECT project_id, count(*)::integer FROM given_up GROUP BY project_id) AS over
        WHERE i.project_id = over.project_id`;
    },

    beginPing: (turn, perHour) =>
      database.$transaction(async (tx) => {
        const [due] = await tx.$queryRaw<{ isFull: boolean; nextHour: Date }[]>`
          SELECT coalesce(i.hour_began_at > now() - interval '1 hour' AND i.hour_pings >= ${perHour}, false) AS "isFull",
            coalesce(i.hour_began_at, now()) + interval '1 hour' AS "nextHour"
          FROM index_now i WHERE ${held(turn)} AND EXISTS (
            SELECT FROM index_now_address a WHERE a.project_id = i.project_id AND a.shown_at IS NOT NULL AND a.due_at <= now())
          FOR UPDATE`;
        if (due === undefined) return null;
        if (due.isFull) {
          await tx.$executeRaw`
            UPDATE index_now_address SET due_at = ${due.nextHour}
            WHERE project_id = ${turn.projectId}::uuid AND shown_at IS NOT NULL`;
          return null;
        }
        await tx.$executeRaw`
          UPDATE index_now i SET
            hour_pings = CASE WHEN i.hour_began_at > now() - interval '1 hour' THEN i.hour_pings + 1 ELSE 1 END,
            hour_began_at = CASE WHEN i.hour_began_at > now() - interval '1 hour' THEN i.hour_began_at ELSE now() END
          WHERE ${held(turn)}`;
        return tx.$queryRaw<PlacedAddress[]>`
          SELECT ${PLACED} FROM index_now_address a
          WHERE a.project_id = ${turn.projectId}::uuid AND a.shown_at IS NOT NULL ORDER BY a.shown_at, a.slug`;
      }),

    async recordPing(turn, { status, addresses, statusCode, detail, afterMs }) {
      const rows = addresses.map(({ slug, eventId }) => ({ slug, event_id: eventId }));
      await database.$executeRaw`
        WITH held AS (
          UPDATE index_now i SET pinged_at = now(), ping_status = ${status}, ping_addresses = ${addresses.length},
            ping_code = ${statusCode}, ping_detail = ${detail},
            failed_in_row = CASE WHEN ${status} = 'retry' THEN i.failed_in_row + 1 ELSE 0 END
          WHERE ${held(turn)} RETURNING i.project_id),
        given AS (SELECT * FROM jsonb_to_recordset(${rowsOf(rows)}::jsonb) AS g (slug text, event_id uuid)),
        ended AS (
          DELETE FROM index_now_address a USING given g, held
          WHERE a.project_id = held.project_id AND a.slug = g.slug AND a.event_id = g.event_id AND ${status} <> 'retry')
        UPDATE index_now_address a SET due_at = now() + ${afterMs} * interval '1 millisecond' FROM held
        WHERE a.project_id = held.project_id AND a.shown_at IS NOT NULL AND ${status} = 'retry'`;
    },

    async release(turn) {
      await database.$executeRaw`
        UPDATE index_now i SET lease_token = NULL, lease_until = NULL WHERE ${held(turn)}`;
    },

    countWaiting: () => database.indexNowAddress.count(),
  };
}
