import type { BlogGenerateRequest } from '@blog-content/payload-schemas';
import { Prisma, type AutopilotTopic } from '../generated/prisma/client.ts';
import { createJob } from '../generation/jobs/job-store.ts';
import { newPostJob } from '../generation/posts/new-post-job.ts';
import { longTransaction, type Database, type Transaction } from '../platform/database/open-database.ts';
import type { DueQuery } from '../platform/workload/due-watch-store.ts';
import { idsByAccount } from '../platform/workload/ids-by-account.ts';
import { shareLockProject } from '../projects/project-change-store.ts';
import { addStateEvent, halt, haltForBudget, type NotifyOwners } from './autopilot-change-store.ts';
import { settingsOf } from '../autopilot-settings.ts';
import { hasBudget, leftOf, spentIn } from './autopilot-state.ts';
import { nextRun } from './next-run.ts';
import { originOf, requestOf } from './topic-request.ts';

/** How long it waits when too many generations of the project are under way, or something is wrong with it. */
const PUT_OFF_MS = 60_000;
/** Most topics kept of a project that are no longer in the queue. */
const MAX_KEPT_TOPICS = 500;

export interface FireResult {
  readonly projectId: string;
  readonly outcome: 'topic_taken' | 'empty_queue' | 'budget' | 'crowded';
  readonly topicId: string | null;
  readonly jobId: string | null;
}

/** Why generation would not begin a post: `field` is null where no other request would fare better. */
type RefusePost = (
  tx: Transaction,
  projectId: string,
  request: BlogGenerateRequest,
) => Promise<{ readonly field: string | null } | null>;

/** An autopilot takes no topic while a post of it is being written, or while its project is suspended. */
const mayFire = Prisma.sql`
  NOT EXISTS (SELECT FROM autopilot_topic topic
    WHERE topic.project_id = autopilot.project_id AND topic.status = 'writing')
  AND NOT EXISTS (SELECT FROM project WHERE project.id = autopilot.project_id AND project.suspended IS NOT NULL)`;

export const dueAutopilots: DueQuery = (now) => Prisma.sql`
  SELECT FROM autopilot WHERE next_run_at IS NOT NULL AND next_run_at <= ${now} AND ${mayFire}`;

/** Autopilots that are to take a topic. */
export function createDueAutopilotStore(
  database: Database,
  clock: () => Date,
  refusePost: RefusePost,
  notifyOwners: NotifyOwners,
) {
  return {
    /** Projects whose autopilot is due, by who has set it up, the earliest first: `limit` at most, shared evenly. */
    async due(limit: number): Promise<ReadonlyMap<string, readonly string[]>> {
      const rows = await database.$queryRaw<{ id: string; account: string }[]>`
        SELECT project_id AS id, set_by AS account FROM autopilot
        WHERE next_run_at IS NOT NULL AND next_run_at <= ${clock()} AND ${mayFire}
        ORDER BY row_number() OVER (PARTITION BY set_by ORDER BY next_run_at), next_run_at LIMIT ${limit}`;
      return idsByAccount(rows);
    },

    /**
     * Takes the next topic of a due autopilot and makes its job, in one transaction: the topic is taken once, whatever
     * crashes and however many replicas try. However long it was not asked, it takes one. Null when it is not due (any
     * more), or another replica has it.
     */
    fire: (projectId: string): Promise<FireResult | null> =>
      database.$transaction((tx) => fire(tx, projectId, clock(), { refusePost, notifyOwners }), longTransaction()),

    /** Has a due one that could not be fired wait, so that others have their turn. */
    async putOff(projectId: string): Promise<void> {
      const now = clock();
      const nextRunAt = new Date(now.getTime() + PUT_OFF_MS);
      await database.autopilot.updateMany({ where: { projectId, nextRunAt: { lte: now } }, data: { nextRunAt } });
    },
  };
}
export type DueAutopilotStore = ReturnType<typeof createDueAutopilotStore>;

async function fire(
  tx: Transaction,
  projectId: string,
  now: Date,
  { refusePost, notifyOwners }: { refusePost: RefusePost; notifyOwners: NotifyOwners },
): Promise<FireResult | null> {
  if (!(await shareLockProject(tx, projectId))) return null;
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM autopilot WHERE project_id = ${projectId}::uuid AND next_run_at <= ${now} AND enabled AND ${mayFire}
    FOR UPDATE SKIP LOCKED`;
  if (locked.length === 0) return null;
  // After the lock: another replica may have taken a topic meanwhile.
  if ((await tx.autopilotTopic.count({ where: { projectId, status: 'writing' } })) > 0) return null;
  const autopilot = await tx.autopilot.findUniqueOrThrow({ where: { projectId } });
  const settings = settingsOf(autopilot);
  const spent = spentIn(autopilot, now);
  if (!hasBudget(settings, spent)) return waitForBudget();
  const topic = await firstTopic(tx, projectId);
  if (topic === null) {
    await halt(tx, autopilot, { state: 'waiting', reason: 'empty_queue', nextRunAt: null }, now, notifyOwners);
    return { projectId, outcome: 'empty_queue', topicId: null, jobId: null };
  }
  const request = requestOf(topic, settings.defaults);
  const refused = await refusePost(tx, projectId, request);
  if (refused?.field === null) return waitForBudget();
  const job = newPostJob({
    ...{ projectId, request },
    requestedBy: autopilot.setBy,
    origin: originOf(topic.id),
    maxMicros: leftOf(settings, spent),
  });
  const made = await createJob(tx, job, now);
  if (made === 'no_project') return null;
  if (made === 'too_many') {
    const nextRunAt = new Date(now.getTime() + PUT_OFF_MS);
    await tx.autopilot.update({ where: { projectId }, data: { nextRunAt } });
    return { projectId, outcome: 'crowded', topicId: null, jobId: null };
  }
  await tx.autopilotTopic.update({
    where: { id: topic.id },
    data: { status: 'writing', jobId: made.id, failure: null },
  });
  const fired = await tx.autopilot.update({
    where: { projectId },
    // Whether there is budget again is known when the post is made: until then nobody is told again that there is none.
    data: { state: 'running', lastRunAt: now, nextRunAt: nextRun(settings, now) },
  });
  await addStateEvent(tx, fired);
  await deleteOldTopics(tx, projectId);
  return { projectId, outcome: 'topic_taken', topicId: topic.id, jobId: made.id };

  async function waitForBudget(): Promise<FireResult> {
    await haltForBudget(tx, autopilot, now, notifyOwners);
    return { projectId, outcome: 'budget', topicId: null, jobId: null };
  }
}

async function firstTopic(tx: Transaction, projectId: string): Promise<AutopilotTopic | null> {
  const first = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM autopilot_topic WHERE project_id = ${projectId}::uuid AND status = 'queued'
    ORDER BY rank LIMIT 1 FOR UPDATE`;
  const id = first[0]?.id;
  return id === undefined ? null : tx.autopilotTopic.findUnique({ where: { id } });
}

async function deleteOldTopics(tx: Transaction, projectId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM autopilot_topic WHERE id IN (
      SELECT id FROM autopilot_topic
      WHERE project_id = ${projectId}::uuid AND status IN ('made', 'failed', 'cancelled')
      ORDER BY rank DESC OFFSET ${MAX_KEPT_TOPICS} FOR UPDATE SKIP LOCKED)`;
}
