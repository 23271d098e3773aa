import { randomUUID } from 'node:crypto';
import { Prisma } from '../generated/prisma/client.ts';
import { busyAccounts } from '../database/busy-accounts-store.ts';
import type { Database } from '../database/open-database.ts';
import type { Verdict } from '../http/judge.ts';
import type { FreeSlots } from '../concurrency/slots.ts';
import { untilDone } from '../database/until-done.ts';
import type { HookMethod } from './settings/build-request.ts';
import { SUPERSEDED_DETAIL } from './changes/change-store.ts';
import type { SealedHook } from './settings/hook-secrets.ts';
import { cancellationOf, lockHooks } from './settings/hook-store.ts';
import type { RequestKind } from './judge-hook.ts';

/** A request that is claimed: its holder may attempt it. */
export interface LeasedRequest {
  readonly id: string;
  readonly projectId: string;
  readonly kind: RequestKind;
  /** Number of the attempt that runs, from 1. */
  readonly attempt: number;
  /** The fencing token: recording and renewing need it. */
  readonly leaseToken: string;
  readonly changes: number;
}

/** A request just claimed, with the hook as it is now. */
export interface ClaimedRequest extends LeasedRequest, SealedHook {
  readonly method: HookMethod;
  /** Whose project it is of. */
  readonly accountId: string;
}

/** Milliseconds from the start of an attempt; null for what it did not get to. */
export interface AttemptTimings {
  readonly connectedMs: number | null;
  readonly answerMs: number | null;
  readonly totalMs: number;
}

/** What an attempt leaves behind. */
export interface HookAttempt {
  readonly verdict: Verdict;
  readonly endedAt: Date;
  readonly statusCode: number | null;
  readonly timings: AttemptTimings | null;
}

export type TestStart =
  | { readonly kind: 'started'; readonly claimed: ClaimedRequest }
  | { readonly kind: 'no_hook' }
  | { readonly kind: 'under_way' }
  | { readonly kind: 'too_many'; readonly retryAfterS: number };

/** Most tests of one project's hook in {@link HOOK_TEST_WINDOW_S}. */
export const MAX_HOOK_TESTS_PER_WINDOW = 10;
const HOOK_TEST_WINDOW_S = 60;

/** The state of the queue, over all replicas. */
export interface RequestCounts {
  /** Requests that gather changes, or wait for a retry or for a free slot. */
  readonly waiting: number;
  /** How long the oldest that is due has been due, in milliseconds; 0 when none is. */
  readonly oldestDueMs: number;
  /** Changes that the public API does not serve yet. */
  readonly unserved: number;
}

/**
 * The queue of requests. Of one project, one `waiting` request gathers changes or waits for its retry, and one is
 * `in_flight`. A claim writes the attempt in the same statement, before any byte can leave.
 */
export interface RequestStore {
  /**
   * Claims what is due, at most one of each project, and none while another of it runs. Accounts, which are the tenants
   * of the slots, take turns, those with the fewest running attempts first.
   */
  claim(free: FreeSlots, leaseMs: number): Promise<ClaimedRequest[]>;
  /**
   * Begins a test of the hook, active or not: claimed immediately, with its attempt written. None while another one
   * runs, or when the project has had too many.
   */
  startTest(projectId: string, leaseMs: number): Promise<TestStart>;
  /** Renews leases; resolves to the tokens of those that are still held. */
  renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>>;
  /**
   * Records an attempt. A retry waits, unless newer changes already do or the hook is gone: it is superseded or
   * cancelled then. Resolves to the status that followed; null when the lease was lost, and nothing was changed.
   */
  record(held: LeasedRequest, attempt: HookAttempt): Promise<string | null>;
  /** Reclaims requests whose lease has expired: their holder can record nothing any more. */
  reclaimExpired(limit: number, leaseMs: number): Promise<LeasedRequest[]>;
  /** Forgets requests that ended more than `days` ago, batch by batch. */
  purge(days: number, stopping?: AbortSignal): Promise<void>;
  counts(): Promise<RequestCounts>;
}

const HELD = Prisma.sql`r.id, r.project_id AS "projectId", r.kind, r.attempts AS attempt, r.lease_token AS "leaseToken",
  r.published + r.unpublished + r.deleted AS changes`;

const HOOK = Prisma.sql`h.method, h.sealed_url AS "sealedUrl", h.sealed_parts AS "sealedParts",
  coalesce(p.account_id, p.id) AS "accountId"`;

const PURGE_BATCH = 1_000;

const leaseUntil = (leaseMs: number) => Prisma.sql`now() + ${leaseMs} * interval '1 millisecond'`;

export function createRequestStore(database: Database): RequestStore {
  return {
    claim: ({ inAll, perTenant, tenants }, leaseMs) => database.$queryRaw<ClaimedRequest[]>`
      WITH busy AS (${busyAccounts(tenants)}),
      due AS (
        SELECT r.id, r.due_at, r.position, coalesce(busy.running, 0) AS running,
          coalesce(busy.free, ${perTenant}) AS free,
          row_number() OVER (PARTITION BY coalesce(p.account_id, p.id) ORDER BY r.due_at, r.position) AS turn
        FROM deploy_hook_request r
        JOIN deploy_hook h ON h.project_id = r.project_id AND h.active
        JOIN project p ON p.id = r.project_id AND NOT p.deleted AND p.suspended IS NULL
        LEFT JOIN busy ON busy.account_id = coalesce(p.account_id, p.id)
        WHERE r.status = 'waiting' AND r.due_at <= now() AND NOT EXISTS (
          SELECT FROM deploy_hook_request other
          WHERE other.project_id = r.project_id AND other.status = 'in_flight' AND other.kind = 'changes')
      ),
      chosen AS (
        SELECT r.id FROM deploy_hook_request r
        WHERE r.id IN (SELECT id FROM due WHERE turn <= free ORDER BY turn + running, due_at, position LIMIT ${inAll})
          AND r.status = 'waiting' AND r.due_at <= now()
        -- In one order: PostgreSQL waits even with SKIP LOCKED for a row that has just been updated.
        ORDER BY r.id FOR UPDATE SKIP LOCKED
      ),
      claimed AS (
        UPDATE deploy_hook_request r SET status = 'in_flight', attempts = r.attempts + 1,
          lease_token = gen_random_uuid(), lease_until = ${leaseUntil(leaseMs)}
        FROM chosen WHERE r.id = chosen.id
        RETURNING r.id, r.project_id, r.kind, r.attempts, r.lease_token, r.published, r.unpublished, r.deleted,
          r.due_at, r.position
      ),
      begun AS (
        INSERT INTO deploy_hook_attempt (request_id, number, started_at) SELECT id, attempts, now() FROM claimed
      )
      SELECT ${HELD}, ${HOOK}
      FROM claimed r JOIN deploy_hook h ON h.project_id = r.project_id JOIN project p ON p.id = r.project_id
      ORDER BY r.due_at, r.position`,

    async startTest(projectId, leaseMs) {
      const [claimed] = await database.$queryRaw<ClaimedRequest[]>`
        WITH hook AS (${hookOf(projectId)} AND (${testsOf(projectId)}) < ${MAX_HOOK_TESTS_PER_WINDOW}),
        r AS (
          INSERT INTO deploy_hook_request (id, project_id, kind, status, attempts, lease_token, lease_until)
          SELECT ${randomUUID()}::uuid, project_id, 'test', 'in_flight', 1, gen_random_uuid(), ${leaseUntil(leaseMs)}
            FROM hook
          ON CONFLICT DO NOTHING
          RETURNING id, project_id, kind, attempts, lease_token, published, unpublished, deleted
        ),
        begun AS (
          INSERT INTO deploy_hook_attempt (request_id, number, started_at) SELECT id, 1, now() FROM r
        )
        SELECT ${HELD}, ${HOOK}
        FROM r JOIN hook h ON h.project_id = r.project_id JOIN project p ON p.id = r.project_id`;
      if (claimed !== undefined) return { kind: 'started', claimed };
      const [hook] = await database.$queryRaw<{ tests: number; oldest_age_s: number | null }[]>`
        SELECT t.* FROM (${hookOf(projectId)}) h CROSS JOIN (
          SELECT count(*)::integer AS tests, extract(epoch FROM now() - min(created_at))::float8 AS oldest_age_s
          FROM (${testsOf(projectId, Prisma.sql`r.created_at`)}) recent) t`;
      if (hook === undefined) return { kind: 'no_hook' };
      if (hook.tests < MAX_HOOK_TESTS_PER_WINDOW) return { kind: 'under_way' };
      return { kind: 'too_many', retryAfterS: Math.max(1, HOOK_TEST_WINDOW_S - (hook.oldest_age_s ?? 0)) };
    },

    async renew(tokens, leaseMs) {
      const rows = await database.$queryRaw<{ token: string }[]>`
        UPDATE deploy_hook_request SET lease_until = ${leaseUntil(leaseMs)}
        WHERE status = 'in_flight' AND lease_token = ANY (${[...tokens]}::uuid[])
        RETURNING lease_token AS token`;
      return new Set(rows.map(({ token }) => token));
    },

    record: (held, attempt) =>
      attempt.verdict.kind === 'retry'
        ? recordRetry(database, held, attempt, attempt.verdict)
        : recordEnd(database, held, attempt, attempt.verdict),

    reclaimExpired: (limit, leaseMs) => database.$queryRaw<LeasedRequest[]>`
      UPDATE deploy_hook_request r SET lease_token = gen_random_uuid(), lease_until = ${leaseUntil(leaseMs)}
      WHERE r.id IN (
        SELECT id FROM deploy_hook_request WHERE status = 'in_flight' AND lease_until < now()
        ORDER BY lease_until LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING ${HELD}`,

    // Attempts and changes go with them.
    purge: (days, stopping) =>
      untilDone(
        PURGE_BATCH,
        () => database.$executeRaw`
          DELETE FROM deploy_hook_request WHERE id IN (
            SELECT id FROM deploy_hook_request WHERE finished_at < now() - ${days} * interval '1 day'
            ORDER BY finished_at LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED)`,
        stopping,
      ),

    async counts() {
      const [counts] = await database.$queryRaw<RequestCounts[]>`
        SELECT count(*)::integer AS waiting,
          coalesce(greatest(0, extract(epoch FROM now() - min(due_at)) * 1000), 0)::float8 AS "oldestDueMs",
          (SELECT count(*)::integer FROM deploy_hook_change WHERE request_id IS NULL) AS unserved
        FROM deploy_hook_request r WHERE status = 'waiting'
          AND NOT EXISTS (SELECT FROM project p WHERE p.id = r.project_id AND p.suspended IS NOT NULL)`;
      return counts ?? { waiting: 0, oldestDueMs: 0, unserved: 0 };
    },
  };
}

async function recordEnd(
  database: Database,
  held: LeasedRequest,
  attempt: HookAttempt,
  verdict: Exclude<Verdict, { kind: 'retry' }>,
): Promise<string | null> {
  const { reason, detail } = verdict.kind === 'failed' ? verdict : { reason: null, detail: null };
  // One statement, so one transaction: all of it happens, or, when the lease was lost, nothing.
  const rows = await database.$queryRaw<unknown[]>`
    WITH ended AS (
      UPDATE deploy_hook_request SET status = ${verdict.kind}, reason = ${reason}, detail = ${detail},
        status_code = ${attempt.statusCode}, finished_at = ${attempt.endedAt}, lease_token = NULL, lease_until = NULL
      WHERE ${heldBy(held)} RETURNING id
    ),
    ended_attempt AS (${endAttempt(held, attempt, reason, detail)})
    SELECT id FROM ended`;
  return rows.length > 0 ? verdict.kind : null;
}

function recordRetry(
  database: Database,
  held: LeasedRequest,
  attempt: HookAttempt,
  { reason, detail, afterMs }: Extract<Verdict, { kind: 'retry' }>,
): Promise<string | null> {
  return database.$transaction(async (tx) => {
    await lockHooks(tx, [held.projectId]);
    const newer = await tx.deployHookRequest.count({ where: { projectId: held.projectId, status: 'waiting' } });
    const cancellation = await cancellationOf(tx, held.projectId);
    const superseded = newer > 0 ? { reason: null, detail: SUPERSEDED_DETAIL } : null;
    const status = cancellation ? 'cancelled' : superseded ? 'superseded' : 'waiting';
    const follows = cancellation ?? superseded ?? { reason, detail };
    const rows = await tx.$queryRaw<unknown[]>`
      WITH ended AS (
        UPDATE deploy_hook_request SET status = ${status}, reason = ${follows.reason}, detail = ${follows.detail},
          status_code = ${attempt.statusCode}, lease_token = NULL, lease_until = NULL,
          due_at = CASE WHEN ${status === 'waiting'} THEN now() + ${Math.round(afterMs)} * interval '1 millisecond'
            ELSE due_at END,
          finished_at = CASE WHEN ${status === 'waiting'} THEN NULL ELSE ${attempt.endedAt}::timestamptz END
        WHERE ${heldBy(held)} RETURNING id
      ),
      ended_attempt AS (${endAttempt(held, attempt, reason, detail)})
      SELECT id FROM ended`;
    return rows.length > 0 ? status : null;
  });
}

const hookOf = (projectId: string) => Prisma.sql`
  SELECT h.project_id, h.method, h.sealed_url, h.sealed_parts
  FROM deploy_hook h JOIN project p ON p.id = h.project_id AND NOT p.deleted
  WHERE h.project_id = ${projectId}::uuid`;

/** Of its tests within the window, how many there are, or what is `asked` of each. */
const testsOf = (projectId: string, asked = Prisma.sql`count(*)`) => Prisma.sql`
  SELECT ${asked} FROM deploy_hook_request r
  WHERE r.project_id = ${projectId}::uuid AND r.kind = 'test'
    AND r.created_at > now() - ${HOOK_TEST_WINDOW_S} * interval '1 second'`;

const heldBy = (held: LeasedRequest) =>
  Prisma.sql`id = ${held.id}::uuid AND status = 'in_flight' AND lease_token = ${held.leaseToken}::uuid`;

const endAttempt = (held: LeasedRequest, attempt: HookAttempt, reason: string | null, detail: string | null) => {
  const { connectedMs = null, answerMs = null, totalMs = null } = attempt.timings ?? {};
  return Prisma.sql`UPDATE deploy_hook_attempt a SET ended_at = ${attempt.endedAt}, status_code = ${attempt.statusCode},
    reason = ${reason}, detail = ${detail}, connected_ms = ${connectedMs}, answer_ms = ${answerMs},
    total_ms = ${totalMs}
    FROM ended WHERE a.request_id = ended.id AND a.number = ${held.attempt}`;
};
