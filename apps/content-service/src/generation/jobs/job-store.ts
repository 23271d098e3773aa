import { randomUUID } from 'node:crypto';
import type { generationListQuery } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { Prisma } from '../../generated/prisma/client.ts';
import { longTransaction, type Database, type Transaction } from '../../platform/database/open-database.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import { shareLockProject } from '../../projects/project-change-store.ts';
import type { JobEnd, JobKind, ListedJob, NewJob, OnJobEnd, ShownJob } from './job.ts';
import { showJobItem } from './show-job.ts';

/** Most jobs of a project that have not ended. */
export const MAX_OPEN_JOBS = 100;
/** Most jobs of a project that are kept, for their reports. */
const MAX_KEPT_JOBS = 500;

export interface JobEvent {
  readonly number: number;
  readonly data: ReturnType<typeof showJobItem>;
}

/** What people and agents ask of jobs; what runs them is in `job-lease-store.ts`. */
export interface JobStore {
  create(job: NewJob): Promise<ShownJob | 'too_many' | 'no_project'>;
  find(projectId: string, jobId: string): Promise<ShownJob | null>;
  /** Newest first, one more than the page holds. */
  list(projectId: string, page: Page, filter: z.infer<typeof generationListQuery>): Promise<ListedJob[]>;
  /** What happened to the job after the event of that number. */
  eventsAfter(jobId: string, number: number): Promise<JobEvent[]>;
  /** `ended`: it has succeeded or failed before. */
  cancel(projectId: string, jobId: string): Promise<ShownJob | 'not_found' | 'ended'>;
}

/** What nobody is shown of a job, and what may be large. */
export const HIDDEN = { work: true, request: true, sources: true } as const;

/** @param onEnd is called in the transaction in which a job is cancelled. */
export function createJobStore(database: Database | Transaction, clock: () => Date, onEnd: OnJobEnd): JobStore {
  return {
    create: (job) => database.$transaction((tx) => createJob(tx, job, clock())),

    find: (projectId, jobId) => database.generationJob.findFirst({ where: { id: jobId, projectId }, omit: HIDDEN }),

    list: (projectId, { from, limit }, { blog_id: blogId, kind }) =>
      database.generationJob.findMany({
        where: {
          projectId,
          ...(from !== null && { position: { lt: BigInt(from) } }),
          ...(blogId !== undefined && { blogId }),
          ...(kind !== undefined && { kind }),
        },
        omit: { ...HIDDEN, report: true },
        orderBy: { position: 'desc' },
        take: limit + 1,
      }),

    eventsAfter: async (jobId, number) =>
      (await database.generationEvent.findMany({
        where: { jobId, number: { gt: number } },
        select: { number: true, data: true },
        orderBy: { number: 'asc' },
      })) as unknown as JobEvent[],

    cancel: (projectId, jobId) =>
      database.$transaction(async (tx) => {
        const cancelled = await tx.$executeRaw`
          UPDATE generation_job SET status = 'cancelled', work = NULL, sources = NULL, lease_token = NULL,
            lease_expires_at = NULL,
            finished_at = ${clock()}
          WHERE id = ${jobId}::uuid AND project_id = ${projectId}::uuid AND status IN ('waiting', 'running')`;
        const job = await tx.generationJob.findFirst({ where: { id: jobId, projectId }, omit: HIDDEN });
        if (job === null) return 'not_found';
        if (cancelled === 0) return job.status === 'cancelled' ? job : 'ended';
        await recordEvent(tx, job);
        await onEnd(tx, endOf(job));
        return job;
      }, longTransaction()),
  };
}

/**
 * Makes a job, in the given transaction: whoever asks for one because of something of their own (a topic of the
 * autopilot) has both happen or neither. Runners find it within `WORK_POLL_MS` of the commit.
 */
export async function createJob(
  tx: Transaction,
  job: NewJob,
  now: Date,
): Promise<ShownJob | 'too_many' | 'no_project'> {
  const { projectId } = job;
  // One at a time in a project, so that the limit holds.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`generation ${projectId}`}, 0))`;
  if (!(await shareLockProject(tx, projectId))) return 'no_project';
  const open = await tx.generationJob.count({ where: { projectId, status: { in: ['waiting', 'running'] } } });
  if (open >= MAX_OPEN_JOBS) return 'too_many';
  await deleteOldJobs(tx, projectId);
  const created = await tx.generationJob.create({
    data: {
      ...job,
      id: randomUUID(),
      topic: typeof job.request['topic'] === 'string' ? job.request['topic'] : '',
      request: job.request as Prisma.InputJsonObject,
      status: 'waiting',
      createdAt: now,
    },
    omit: HIDDEN,
  });
  await recordEvent(tx, created);
  return created;
}

async function deleteOldJobs(tx: Transaction, projectId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM generation_job WHERE project_id = ${projectId}::uuid AND finished_at IS NOT NULL AND position < (
      SELECT position FROM generation_job WHERE project_id = ${projectId}::uuid
      ORDER BY position DESC OFFSET ${MAX_KEPT_JOBS - 2} LIMIT 1)`;
}

/** Tells those who watch the job, in the transaction that has changed it and has its row locked. */
export async function recordEvent(tx: Transaction, job: ListedJob): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO generation_event (job_id, number, data)
    SELECT ${job.id}::uuid, coalesce(max(number), 0) + 1, ${JSON.stringify(showJobItem(job))}::jsonb
    FROM generation_event WHERE job_id = ${job.id}::uuid`;
  const { id, projectId, status, step, blogId, proposalId } = job;
  const what = { generation_id: id, status, step, blog_id: blogId, proposal_id: proposalId };
  await addProjectEvents(tx, [{ projectId, data: { event: 'generation.changed', ...what } }]);
}

/** How a job that has ended did so. */
export function endOf(job: ListedJob): JobEnd {
  const { id, projectId, origin, blogId, writer, failureCode: code, failureMessage: message } = job;
  return {
    ...{ id, projectId, origin, blogId, writer },
    kind: job.kind as JobKind,
    status: job.status as JobEnd['status'],
    failure: code !== null && message !== null ? { code, message } : null,
  };
}
