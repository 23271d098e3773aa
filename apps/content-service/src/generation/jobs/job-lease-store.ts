import { randomUUID } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.ts';
import { longTransaction, type Database, type Transaction } from '../../platform/database/open-database.ts';
import type { DueQuery } from '../../platform/workload/due-watch-store.ts';
import { ownerAccountOf } from '../../projects/project-store.ts';
import { LeaseLost, type ClaimedJob, type JobFailed, type ListedJob, type OnJobEnd, type TurnResult } from './job.ts';
import { endOf, HIDDEN, recordEvent } from './job-store.ts';

/** Most jobs of a project that have begun and not ended. */
const MAX_RUNNING_OF_PROJECT = 2;
/**
 * Most concurrent turns of all the projects that an account owns. Its own model may be silent, and hold each for long.
 */
const MAX_TURNS_OF_ACCOUNT = 2;

/** What an ended job no longer has. */
const NOTHING_LEFT = { work: Prisma.DbNull, sources: Prisma.DbNull };

type JobLease = Pick<ClaimedJob, 'id' | 'leaseToken'>;
type Checkpoint = Extract<TurnResult, { kind: 'checkpoint' }>;
type JobResult = Extract<TurnResult, { kind: 'done' }>;

export const dueSteps: DueQuery = () => Prisma.sql`
  SELECT FROM generation_job WHERE status IN ('waiting', 'running') AND due_at <= clock_timestamp()
    AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
    AND NOT EXISTS (SELECT FROM project WHERE project.id = project_id AND project.suspended IS NOT NULL)`;

/**
 * What runs jobs. A step is claimed under a lease and gives it back with what it has made. Each write names the lease's
 * token, and throws LeaseLost when the row has another: the lease had expired, or the job was cancelled.
 *
 * @param onEnd is called in the transaction in which a job ends.
 */
export function createJobLeaseStore(database: Database, clock: () => Date, onEnd: OnJobEnd) {
  /** Changes the job of a lease, which ends the lease. @throws LeaseLost */
  async function change(
    tx: Transaction,
    { id, leaseToken }: JobLease,
    data: Prisma.GenerationJobUpdateInput,
  ): Promise<ListedJob> {
    const held = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM generation_job WHERE id = ${id}::uuid AND lease_token = ${leaseToken}::uuid FOR UPDATE`;
    if (held.length === 0) throw new LeaseLost();
    return tx.generationJob.update({
      where: { id },
      data: { leaseToken: null, leaseExpiresAt: null, ...data },
      omit: { ...HIDDEN, report: true },
    });
  }

  return {
    /** Takes the next turn; null when none is due. */
    claim: (leaseMs: number): Promise<ClaimedJob | null> =>
      database.$transaction(async (tx) => {
        // One claim at a time: each counts what the ones before it have taken.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('generation claim', 0))`;
        const [next] = await nextTurns(tx);
        if (next === undefined) return null;
        const leaseToken = randomUUID();
        const claimed = await tx.$queryRaw<ClaimedJob[]>`
          UPDATE generation_job SET status = 'running', started_at = coalesce(started_at, ${clock()}),
            tries = tries + 1, turn = nextval('generation_turn'), lease_token = ${leaseToken}::uuid,
            lease_expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
          WHERE id = ${next.id}::uuid AND status IN ('waiting', 'running')
          RETURNING id, project_id AS "projectId", requested_by AS "requestedBy", kind, request, sources, step,
            steps_done AS "stepsDone", work, blog_id AS "blogId", tries, lease_token AS "leaseToken",
            created_at AS "createdAt"`;
        return claimed[0] ?? null;
      }),

    /**
     * A job that is being written is left alone: waiting for it would keep the others from being written.
     * @returns the tokens of the leases that are still held.
     */
    async renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>> {
      const held = await database.$queryRaw<{ token: string }[]>`
        WITH free AS (
          SELECT id FROM generation_job WHERE lease_token = ANY (${tokens}::uuid[]) FOR UPDATE SKIP LOCKED
        ), renewed AS (
          UPDATE generation_job SET lease_expires_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
          FROM free WHERE generation_job.id = free.id
        )
        SELECT lease_token AS token FROM generation_job WHERE lease_token = ANY (${tokens}::uuid[])`;
      return new Set(held.map(({ token }) => token));
    },

    checkpoint: (job: ClaimedJob, { work, sources, step, stepsDone, stepsInAll, writer }: Checkpoint): Promise<void> =>
      database.$transaction(async (tx) => {
        const { sources: _given, ...request } = job.request;
        const data = {
          ...{ step, stepsDone, stepsInAll, writer, tries: 0, work: work as Prisma.InputJsonObject },
          ...(sources && { sources: sources as Prisma.InputJsonArray, request: request as Prisma.InputJsonObject }),
        };
        await recordEvent(tx, await change(tx, job, data));
      }),

    /** Makes what the job was for and ends it, in one transaction. @throws JobFailed when that cannot be made. */
    succeed: (job: JobLease, { writer, report, finish }: JobResult): Promise<{ blogId: string | null }> =>
      database.$transaction(async (tx) => {
        // Before anything is made: the second one makes nothing.
        const { stepsInAll } = await change(tx, job, { status: 'succeeded', ...NOTHING_LEFT });
        const { blogId, proposalId } = await finish(tx);
        const ended = await tx.generationJob.update({
          where: { id: job.id },
          data: {
            ...{ writer, blogId, stepsDone: stepsInAll, finishedAt: clock() },
            ...(proposalId !== undefined && { proposalId }),
            ...(report !== null && { report: report as Prisma.InputJsonObject }),
          },
          omit: { ...HIDDEN, report: true },
        });
        await recordEvent(tx, ended);
        await onEnd(tx, endOf(ended));
        return { blogId };
      }, longTransaction()),

    fail: (job: JobLease, { code, message }: Pick<JobFailed, 'code' | 'message'>): Promise<void> =>
      database.$transaction(async (tx) => {
        const failure = { failureCode: code, failureMessage: message };
        const data = { status: 'failed', ...NOTHING_LEFT, finishedAt: clock(), ...failure };
        const ended = await change(tx, job, data);
        await recordEvent(tx, ended);
        await onEnd(tx, endOf(ended));
      }, longTransaction()),

    /** Has the turn be tried again after that time. */
    postpone: (job: JobLease, delayMs: number): Promise<void> =>
      database.$transaction(async (tx) => {
        await change(tx, job, {});
        await tx.$executeRaw`
          UPDATE generation_job SET due_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
          WHERE id = ${job.id}::uuid`;
      }),

    /** Gives a turn back that was not used. */
    release: (job: JobLease): Promise<void> =>
      database.$transaction(async (tx) => {
        await change(tx, job, { tries: { decrement: 1 } });
      }),
  };
}
export type JobLeaseStore = ReturnType<typeof createJobLeaseStore>;

/**
 * The turn that comes next. Of the accounts with something due, the one comes first of which the fewest turns run, and
 * then the one whose last turn is the longest ago, in whichever of its projects: new projects bring it no new turn. Of
 * its projects the same; of their jobs those that have begun, the oldest first.
 */
function nextTurns(tx: Transaction): Promise<{ id: string }[]> {
  return tx.$queryRaw<{ id: string }[]>`
    WITH open AS MATERIALIZED (
      SELECT project_id, count(*) FILTER (WHERE status = 'running') AS begun,
        count(*) FILTER (WHERE lease_expires_at > clock_timestamp()) AS held,
        (SELECT max(turn) FROM generation_job latest WHERE latest.project_id = job.project_id) AS last_turn,
        ${ownerAccountOf(Prisma.sql`job.project_id`)} AS owner_id
      FROM generation_job job WHERE status IN ('waiting', 'running') GROUP BY project_id),
    account AS MATERIALIZED (
      SELECT owner_id, sum(held) AS held, greatest(max(last_turn), (
        SELECT max((SELECT max(turn) FROM generation_job latest WHERE latest.project_id = owned.project_id))
        FROM project_member owned WHERE owned.account_id = owner_id AND owned.role = 'owner')) AS last_turn
      FROM open GROUP BY owner_id)
    SELECT job.id FROM open
    JOIN account ON account.owner_id = open.owner_id AND account.held < ${MAX_TURNS_OF_ACCOUNT}
    JOIN project ON project.id = open.project_id AND project.deleted_at IS NULL AND project.suspended IS NULL
    JOIN generation_job job ON job.project_id = open.project_id AND job.status IN ('waiting', 'running')
    WHERE job.due_at <= clock_timestamp()
      AND (job.lease_expires_at IS NULL OR job.lease_expires_at <= clock_timestamp())
      AND (job.status = 'running' OR open.begun < ${MAX_RUNNING_OF_PROJECT})
    ORDER BY account.held, account.last_turn NULLS FIRST, open.held, open.last_turn NULLS FIRST,
      job.status = 'running' DESC, job.position
    LIMIT 1`;
}
