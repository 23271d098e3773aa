import type { FreeSlots } from '../concurrency/slots.ts';
import { busyAccounts } from '../database/busy-accounts-store.ts';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { liveUrlsOf } from './address-store.ts';
import { listGivenUp, trimGivenUp } from './given-up-store.ts';
import type { LookVerdict, WaitingAddress } from './judge-look.ts';

/** A project's turn, claimed: its holder may look at its pages and ping its addresses. */
export interface ClaimedTurn {
  readonly projectId: string;
  readonly accountId: string;
  readonly key: string;
  readonly siteUrl: string | null;
  /** The key file was found at this very site, not long ago. */
  readonly hasKey: boolean;
  /** How often it was not found there since it last was. */
  readonly keyTries: number;
  /** Pings that were not accepted since the last that was. */
  readonly failedInRow: number;
  /** The fencing token: recording and renewing need it. */
  readonly leaseToken: string;
}

export type HeldTurn = Pick<ClaimedTurn, 'projectId' | 'leaseToken'>;
export type TurnOfSite = ClaimedTurn & { readonly siteUrl: string };

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

export interface LookRecord extends AddressRef {
  readonly url: string;
  readonly verdict: LookVerdict;
}

/** What came of a ping. */
export interface PingRecord {
  /** `exhausted`: failed, and no attempt is left. */
  readonly outcome: 'accepted' | 'retry' | 'failed' | 'exhausted';
  readonly addresses: readonly (AddressRef & { readonly url: string })[];
  readonly statusCode: number | null;
  readonly detail: string | null;
  /** Until the next ping of what is left, in milliseconds; for a retry and an exhausted one. */
  readonly afterMs: number;
}

/**
 * The turns of projects: one at a time for each, under a lease. What is recorded without holding it changes nothing.
 * Whoever writes locks the project first, then addresses by their slugs, and then what was given up. Whoever locks
 * several projects takes them in the order of their ids, with SKIP LOCKED too: PostgreSQL waits even there for a row
 * that has just been updated (it locks the newer version without the clause).
 */
export interface TurnStore {
  /** Claims projects with something due whose turn nobody has. Accounts, the tenants of the slots, take turns. */
  claim(free: FreeSlots, leaseMs: number): Promise<ClaimedTurn[]>;
  /** Resolves to the tokens that are still held. */
  renew(turns: readonly HeldTurn[], leaseMs: number): Promise<ReadonlySet<string>>;
  /** Begins anew what was looked at at another site. */
  beginAt(turn: TurnOfSite): Promise<void>;
  /** Whether the key file is at the site. `detail` says why it is not, and no turn comes for `afterMs` then. */
  recordKey(turn: TurnOfSite, detail: string | null, afterMs: number): Promise<void>;
  /** Addresses whose next look is due, the longest due first. */
  toLookAt(projectId: string, limit: number): Promise<AddressToLookAt[]>;
  /** A shown address is due for its ping `quietMs` later, or with those that wait for theirs. */
  recordLooks(turn: TurnOfSite, looked: readonly LookRecord[], quietMs: number): Promise<void>;
  /** Gives up whatever waits. */
  giveUp(turn: HeldTurn, detail: string): Promise<void>;
  /** A ping that is to be made waits for so long at least, in milliseconds. */
  postponePing(turn: HeldTurn, afterMs: number): Promise<void>;
  /**
   * All shown addresses, once their ping is due: it counts as begun. None when none is, when the lease was lost, and
   * when the hour has had its pings: then they wait for the next.
   */
  beginPing(turn: HeldTurn, perHour: number): Promise<PlacedAddress[]>;
  /** After an exhausted ping only those are given up that were shown before the first that failed. */
  recordPing(turn: HeldTurn, ping: PingRecord): Promise<void>;
  release(turn: HeldTurn): Promise<void>;
  /** Addresses that wait, of all projects; {@link MAX_COUNTED} at most. */
  countWaiting(): Promise<number>;
}

/** A key file that was found is not looked for again for so long, in seconds. */
const KEY_SEEN_FOR_S = 3_600;
/** Counting goes no further: a metric needs not, and asks often. */
const MAX_COUNTED = 10_000;

const inMs = (ms: number) => Prisma.sql`now() + ${Math.round(ms)} * interval '1 millisecond'`;
const isFree = Prisma.sql`i.enabled
  AND (i.lease_until IS NULL AND i.next_due_at <= now() OR i.lease_until < now())`;
const held = ({ projectId, leaseToken }: HeldTurn) =>
  Prisma.sql`i.project_id = ${projectId}::uuid AND i.lease_token = ${leaseToken}::uuid`;
const rowsOf = (refs: readonly object[]) => JSON.stringify(refs);
/** Locks the project; addresses are written after that. */
const lockHeld = (turn: HeldTurn) =>
  Prisma.sql`SELECT i.project_id, i.first_failed_at FROM index_now i WHERE ${held(turn)} FOR NO KEY UPDATE`;
const hasShown = Prisma.sql`EXISTS (
  SELECT FROM index_now_address a WHERE a.project_id = i.project_id AND a.shown_at IS NOT NULL)`;

const PLACED = Prisma.sql`a.slug, a.event_id AS "eventId", a.is_gone AS "isGone", a.live_urls AS "liveUrls",
  ${liveUrlsOf(Prisma.sql`a.blog_id`, Prisma.sql`a.project_id`)} AS "liveNow"`;

export function createTurnStore(database: Database): TurnStore {
  return {
    claim: ({ inAll, perTenant, tenants }, leaseMs) => database.$queryRaw<ClaimedTurn[]>`
      WITH busy AS (${busyAccounts(tenants)}),
      due AS (
        SELECT i.project_id, coalesce(i.lease_until, i.next_due_at) AS due_at, coalesce(busy.running, 0) AS running,
          coalesce(busy.free, ${perTenant}) AS free, row_number() OVER (
            PARTITION BY coalesce(p.account_id, p.id)
            ORDER BY coalesce(i.lease_until, i.next_due_at), i.project_id) AS turn
        FROM index_now i
        JOIN project p ON p.id = i.project_id AND NOT p.deleted
        LEFT JOIN busy ON busy.account_id = coalesce(p.account_id, p.id)
        WHERE ${isFree}
      ),
      chosen AS (
        SELECT i.project_id FROM index_now i
        WHERE i.project_id IN (SELECT project_id FROM due WHERE turn <= free ORDER BY turn + running, due_at
          LIMIT ${inAll})
          AND ${isFree}
        ORDER BY i.project_id FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE index_now i SET lease_token = gen_random_uuid(), lease_until = ${inMs(leaseMs)}, next_due_at = NULL
      FROM chosen, project p WHERE i.project_id = chosen.project_id AND p.id = i.project_id
      RETURNING i.project_id AS "projectId", coalesce(p.account_id, p.id) AS "accountId", i.key,
        p.site_url AS "siteUrl",
        coalesce(i.key_site_url = p.site_url
          AND i.key_seen_at > now() - ${KEY_SEEN_FOR_S} * interval '1 second', false) AS "hasKey",
        CASE WHEN i.key_site_url = p.site_url THEN i.key_tries ELSE 0 END AS "keyTries",
        i.failed_in_row AS "failedInRow", i.lease_token AS "leaseToken"`,

    async renew(turns, leaseMs) {
      const rows = await database.$queryRaw<{ token: string }[]>`
        UPDATE index_now SET lease_until = ${inMs(leaseMs)}
        WHERE project_id IN (
          SELECT project_id FROM index_now
          WHERE project_id = ANY (${turns.map(({ projectId }) => projectId)}::uuid[])
            AND lease_token = ANY (${turns.map(({ leaseToken }) => leaseToken)}::uuid[])
          ORDER BY project_id FOR NO KEY UPDATE)
        RETURNING lease_token AS token`;
      return new Set(rows.map(({ token }) => token));
    },

    async beginAt(turn) {
      await database.$executeRaw`
        WITH held AS (${lockHeld(turn)}),
        moved AS (
          SELECT a.slug FROM index_now_address a JOIN held ON held.project_id = a.project_id
          WHERE a.site_url <> ${turn.siteUrl} ORDER BY a.slug FOR UPDATE OF a)
        UPDATE index_now_address a SET site_url = NULL, looks = 0, before = NULL, shown_at = NULL, due_at = now()
        FROM moved WHERE a.project_id = ${turn.projectId}::uuid AND a.slug = moved.slug`;
    },

    async recordKey(turn, detail, afterMs) {
      const isThere = detail === null;
      await database.$executeRaw`
        UPDATE index_now i SET key_site_url = ${turn.siteUrl}, key_tried_at = now(), key_detail = ${detail},
          key_seen_at = CASE WHEN ${isThere} THEN now() END,
          key_tries = CASE WHEN ${isThere} THEN 0 ELSE ${turn.keyTries + 1} END,
          key_due_at = CASE WHEN ${isThere} THEN NULL ELSE ${inMs(afterMs)} END
        WHERE ${held(turn)}`;
    },

    toLookAt: (projectId, limit) => database.$queryRaw<AddressToLookAt[]>`
      SELECT ${PLACED}, a.is_new AS "isNew", a.looks, a.before
      FROM index_now_address a
      WHERE a.project_id = ${projectId}::uuid AND a.shown_at IS NULL AND a.due_at <= now()
      ORDER BY a.due_at, a.slug LIMIT ${limit}`,

    async recordLooks(turn, looked, quietMs) {
      const rows = looked.map(({ slug, eventId, url, verdict }) => ({
        slug,
        event_id: eventId,
        url,
        kind: verdict.kind,
        after_ms: verdict.kind === 'again' ? verdict.afterMs : 0,
        before: verdict.kind === 'again' ? verdict.before : null,
        detail: verdict.kind === 'given_up' ? verdict.detail : null,
      }));
      await database.$executeRaw`
        WITH held AS (${lockHeld(turn)}),
        given AS MATERIALIZED (
          SELECT a.project_id, g.* FROM index_now_address a
          JOIN held ON held.project_id = a.project_id
          JOIN jsonb_to_recordset(${rowsOf(rows)}::jsonb) AS g (slug text, event_id uuid, url text, kind text,
            after_ms float8, before text, detail text) ON g.slug = a.slug AND g.event_id = a.event_id
          ORDER BY a.slug FOR UPDATE OF a),
        seen AS (
          UPDATE index_now_address a SET site_url = ${turn.siteUrl}, looks = a.looks + 1, before = g.before,
            shown_at = CASE WHEN g.kind = 'shown' THEN now() END, due_at = now() + g.after_ms * interval '1 millisecond'
          FROM given g
          WHERE a.project_id = g.project_id AND a.slug = g.slug AND a.event_id = g.event_id AND g.kind <> 'given_up'),
        given_up AS (
          DELETE FROM index_now_address a USING given g
          WHERE a.project_id = g.project_id AND a.slug = g.slug AND a.event_id = g.event_id AND g.kind = 'given_up'),
        listed AS (${listGivenUp(Prisma.sql`SELECT project_id, slug, url, detail FROM given WHERE kind = 'given_up'`)})
        UPDATE index_now i
        SET ping_at = CASE WHEN ${hasShown} AND i.ping_at IS NOT NULL THEN i.ping_at
          ELSE greatest(i.ping_at, ${inMs(quietMs)}) END
        FROM held WHERE i.project_id = held.project_id AND EXISTS (SELECT FROM given WHERE kind = 'shown')`;
      if (rows.some(({ kind }) => kind === 'given_up')) await trimGivenUp(database, [turn.projectId]);
    },

    async giveUp(turn, detail) {
      await database.$executeRaw`
        WITH held AS (${lockHeld(turn)}),
        given AS MATERIALIZED (
          SELECT a.project_id, a.slug FROM index_now_address a JOIN held ON held.project_id = a.project_id
          ORDER BY a.slug FOR UPDATE OF a),
        given_up AS (
          DELETE FROM index_now_address a USING given g WHERE a.project_id = g.project_id AND a.slug = g.slug)
        ${listGivenUp(Prisma.sql`SELECT project_id, slug, NULL AS url, ${detail} AS detail FROM given`)}`;
      await trimGivenUp(database, [turn.projectId]);
    },

    async postponePing(turn, afterMs) {
      await database.$executeRaw`
        UPDATE index_now i SET ping_at = ${inMs(afterMs)} WHERE ${held(turn)} AND i.ping_at < ${inMs(afterMs)}`;
    },

    beginPing: (turn, perHour) => {
      const isOfThisHour = Prisma.sql`coalesce(i.hour_began_at > now() - interval '1 hour', false)`;
      const isFull = Prisma.sql`(${isOfThisHour} AND i.hour_pings >= ${perHour})`;
      return database.$queryRaw<PlacedAddress[]>`
        WITH begun AS (
          UPDATE index_now i SET
            hour_pings = CASE WHEN ${isFull} THEN i.hour_pings WHEN ${isOfThisHour} THEN i.hour_pings + 1 ELSE 1 END,
            hour_began_at = CASE WHEN ${isOfThisHour} THEN i.hour_began_at ELSE now() END,
            ping_at = CASE WHEN ${isFull} THEN i.hour_began_at + interval '1 hour' ELSE i.ping_at END
          WHERE ${held(turn)} AND i.ping_at <= now() AND ${hasShown}
          RETURNING i.project_id, i.ping_at <= now() AS begins)
        SELECT ${PLACED} FROM begun JOIN index_now_address a ON a.project_id = begun.project_id
        WHERE begun.begins AND a.shown_at IS NOT NULL ORDER BY a.shown_at, a.slug`;
    },

    async recordPing(turn, { outcome, addresses, statusCode, detail, afterMs }) {
      const rows = addresses.map(({ slug, eventId, url }) => ({ slug, event_id: eventId, url }));
      const status = outcome === 'exhausted' ? 'failed' : outcome;
      const isExhausted = outcome === 'exhausted';
      await database.$executeRaw`
        WITH held AS (${lockHeld(turn)}),
        ended AS MATERIALIZED (
          SELECT a.project_id, g.* FROM index_now_address a
          JOIN held ON held.project_id = a.project_id
          JOIN jsonb_to_recordset(${rowsOf(rows)}::jsonb) AS g (slug text, event_id uuid, url text)
            ON g.slug = a.slug AND g.event_id = a.event_id
          WHERE ${outcome !== 'retry'}
            AND (NOT ${isExhausted} OR held.first_failed_at IS NULL OR a.shown_at <= held.first_failed_at)
          ORDER BY a.slug FOR UPDATE OF a),
        deleted AS (
          DELETE FROM index_now_address a USING ended e
          WHERE a.project_id = e.project_id AND a.slug = e.slug AND a.event_id = e.event_id),
        listed AS (${listGivenUp(Prisma.sql`
          SELECT project_id, slug, url, ${detail ?? ''} AS detail FROM ended WHERE ${status === 'failed'}`)})
        UPDATE index_now i SET pinged_at = now(), ping_status = ${status}, ping_addresses = ${addresses.length},
          ping_code = ${statusCode}, ping_detail = ${detail},
          failed_in_row = CASE WHEN ${status === 'retry'} THEN i.failed_in_row + 1 ELSE 0 END,
          first_failed_at = CASE WHEN ${status === 'retry'} THEN coalesce(i.first_failed_at, now()) END,
          ping_at = CASE WHEN ${status === 'retry' || isExhausted} THEN ${inMs(afterMs)} END
        FROM held WHERE i.project_id = held.project_id`;
      if (status === 'failed') await trimGivenUp(database, [turn.projectId]);
    },

    async release(turn) {
      // The least of these: what has come meanwhile, the next look, and the ping. Not before the key file is due.
      await database.$executeRaw`
        UPDATE index_now i SET lease_token = NULL, lease_until = NULL,
          next_due_at = CASE WHEN least(i.next_due_at, waits.due_at) IS NOT NULL
            THEN greatest(i.key_due_at, least(i.next_due_at, waits.due_at)) END
        FROM (
          SELECT least(
            (SELECT min(due_at) FROM index_now_address WHERE project_id = ${turn.projectId}::uuid AND shown_at IS NULL),
            (SELECT i.ping_at FROM index_now i WHERE i.project_id = ${turn.projectId}::uuid AND ${hasShown})) AS due_at
        ) AS waits
        WHERE ${held(turn)}`;
    },

    async countWaiting() {
      const [counted] = await database.$queryRaw<{ count: number }[]>`
        SELECT count(*)::integer AS count FROM (SELECT FROM index_now_address LIMIT ${MAX_COUNTED}) AS waiting`;
      return counted?.count ?? 0;
    },
  };
}
