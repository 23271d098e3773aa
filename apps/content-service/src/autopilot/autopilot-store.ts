import {
  autopilotTopic,
  type AutopilotReason,
  type AutopilotSettings,
  type AutopilotStoppedEvent,
  type BlogGenerateRequest,
  type ShownAutopilot,
} from '@blog-content/payload-schemas';
import type { EmailQueue } from '../email/email-queue-store.ts';
import type { Autopilot, AutopilotTopic, Prisma } from '../generated/prisma/client.ts';
import type { JobEnd } from '../generation/jobs/job.ts';
import { createJob } from '../generation/jobs/job-store.ts';
import { newPostJob } from '../generation/posts/new-post-job.ts';
import { OFFLINE } from '../generation/writing/offline-writer.ts';
import { LONG_TRANSACTION, type Database, type Transaction } from '../platform/database/open-database.ts';
import { emit } from '../platform/database/outbox-store.ts';
import { addProjectEvents } from '../project-events/project-event-store.ts';
import { lockProjectAsOwner, shareLockProject, type ProjectActor } from '../projects/project-change-store.ts';
import { detailOf, hasBudget, leftOf, monthOf, settingsOf, spentIn } from './autopilot-state.ts';
import { nextRun } from './next-run.ts';
import { originOf, requestOf, topicIdOf } from './topic-request.ts';

/** So many posts in a row that could not be made stop the autopilot. */
const MAX_FAILURES = 3;
/** How long it waits when too many generations of the project are under way, or something is wrong with it. */
const PUT_OFF_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Most topics kept of a project that are no longer in the queue. */
const MAX_KEPT_TOPICS = 500;

export interface FireResult {
  readonly projectId: string;
  readonly outcome: 'topic_taken' | 'empty_queue' | 'budget' | 'crowded';
  readonly topicId: string | null;
  readonly jobId: string | null;
}

/** The autopilots of projects. Each change locks the project's row of it. */
export interface AutopilotStore {
  find(projectId: string): Promise<{ autopilot: Autopilot | null; queued: number }>;
  /** False when the project is gone, or the actor is no owner of it (any more). */
  set(owner: ProjectActor, settings: AutopilotSettings): Promise<boolean>;
  /** Takes no more topics, and keeps drafts that wait for their review window to end. Null when it is off. */
  pause(projectId: string): Promise<true | null>;
  /** Goes on at its next time. Null when it is off. */
  resume(projectId: string): Promise<true | null>;
  /** Projects whose autopilot is due, in turns of who has set them up: the earliest first, `limit` at most. */
  due(limit: number): Promise<string[]>;
  /**
   * Takes the next topic of a due autopilot and makes its job, in one transaction: the topic is taken once, whatever
   * crashes and however many replicas try. However long it was not asked, it takes one. Null when it is not due (any
   * more), or another replica has it.
   */
  fire(projectId: string): Promise<FireResult | null>;
  /** Has a due one that could not be fired wait, so that others have their turn. */
  putOff(projectId: string): Promise<void>;
}

/** Why generation would not begin a post: `field` is null where no other request would fare better. */
type RefusePost = (
  tx: Transaction,
  projectId: string,
  request: BlogGenerateRequest,
) => Promise<{ readonly field: string | null } | null>;

/** Tells owners by email that their autopilot has stopped. */
type NotifyOwners = EmailQueue['notifyOwners'];

export function createAutopilotStore(
  database: Database,
  clock: () => Date,
  refusePost: RefusePost,
  notifyOwners: NotifyOwners,
): AutopilotStore {
  return {
    async find(projectId) {
      const autopilot = await database.autopilot.findUnique({ where: { projectId } });
      return { autopilot, queued: await database.autopilotTopic.count({ where: { projectId, status: 'queued' } }) };
    },

    set: (owner, { enabled, ...settings }) =>
      database.$transaction(async (tx) => {
        const { projectId, id: setBy } = owner;
        if (!(await lockProjectAsOwner(tx, owner))) return false;
        const now = clock();
        const before = await lockAutopilot(tx, projectId);
        // Off and on again is a new beginning.
        const isHeld = before?.enabled === true && (before.state === 'paused' || before.state === 'stopped');
        const goesOn = enabled && !isHeld;
        const data = {
          ...{ enabled, setBy },
          settings: settings as Prisma.InputJsonObject,
          nextRunAt: goesOn ? nextRun(settings, now) : null,
          ...(!(enabled && isHeld) && { state: 'running', reason: null, failuresInARow: 0 }),
        };
        const changed = await tx.autopilot.upsert({
          where: { projectId },
          create: { ...data, projectId, state: 'running', month: monthOf(now) },
          update: data,
        });
        await addStateEvent(tx, changed);
        if (!enabled || settings.publish === 'draft_only') await keepDrafts(tx, projectId);
        return true;
      }),

    pause: (projectId) =>
      database.$transaction(async (tx) => {
        const autopilot = await lockAutopilot(tx, projectId);
        if (autopilot?.enabled !== true) return null;
        await keepDrafts(tx, projectId);
        if (autopilot.state === 'stopped') return true;
        const data = { state: 'paused', reason: null, nextRunAt: null };
        await addStateEvent(tx, await tx.autopilot.update({ where: { projectId }, data }));
        return true;
      }),

    resume: (projectId) =>
      database.$transaction(async (tx) => {
        const autopilot = await lockAutopilot(tx, projectId);
        if (autopilot?.enabled !== true) return null;
        if (autopilot.state === 'running') return true;
        const nextRunAt = nextRun(settingsOf(autopilot), clock());
        const data = { state: 'running', reason: null, failuresInARow: 0, nextRunAt };
        await addStateEvent(tx, await tx.autopilot.update({ where: { projectId }, data }));
        return true;
      }),

    async due(limit) {
      const rows = await database.$queryRaw<{ projectId: string }[]>`
        SELECT project_id AS "projectId" FROM autopilot
        WHERE next_run_at IS NOT NULL AND next_run_at <= ${clock()} AND NOT EXISTS (
          SELECT FROM autopilot_topic topic WHERE topic.project_id = autopilot.project_id AND topic.status = 'writing')
        ORDER BY row_number() OVER (PARTITION BY set_by ORDER BY next_run_at), next_run_at LIMIT ${limit}`;
      return rows.map(({ projectId }) => projectId);
    },

    fire: (projectId) =>
      database.$transaction((tx) => fire(tx, projectId, clock(), { refusePost, notifyOwners }), LONG_TRANSACTION),

    async putOff(projectId) {
      const now = clock();
      const nextRunAt = new Date(now.getTime() + PUT_OFF_MS);
      await database.autopilot.updateMany({ where: { projectId, nextRunAt: { lte: now } }, data: { nextRunAt } });
    },
  };
}

async function fire(
  tx: Transaction,
  projectId: string,
  now: Date,
  { refusePost, notifyOwners }: { refusePost: RefusePost; notifyOwners: NotifyOwners },
): Promise<FireResult | null> {
  if (!(await shareLockProject(tx, projectId))) return null;
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM autopilot WHERE project_id = ${projectId}::uuid AND next_run_at <= ${now} AND enabled
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

/** At each of its times it looks whether there is budget again: of a new month, or because somebody has raised one. */
async function haltForBudget(
  tx: Transaction,
  autopilot: Autopilot,
  now: Date,
  notifyOwners: NotifyOwners,
): Promise<void> {
  const nextRunAt = nextRun(settingsOf(autopilot), now);
  await halt(tx, autopilot, { state: 'waiting', reason: 'budget', nextRunAt }, now, notifyOwners);
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

/** Has it make no more posts, and tells why, once. */
async function halt(
  tx: Transaction,
  { projectId, reason: before }: Pick<Autopilot, 'projectId' | 'reason'>,
  to: { state: 'waiting' | 'stopped'; reason: AutopilotReason; nextRunAt: Date | null },
  now: Date,
  notifyOwners: NotifyOwners,
): Promise<void> {
  const halted = await tx.autopilot.update({ where: { projectId }, data: to });
  if (before === to.reason) return;
  const event: AutopilotStoppedEvent = {
    event: 'autopilot.stopped',
    project_id: projectId,
    reason: to.reason,
    detail: detailOf(to.reason),
    goes_on: to.state === 'waiting' ? 'by_itself' : 'when_resumed',
    stopped_at: now.toISOString(),
  };
  await emit(tx, autopilotTopic, event, now);
  const { project_id, reason, detail, goes_on } = event;
  await notifyOwners(tx, { kind: 'autopilot_stopped', project_id, reason, detail, goes_on });
  await addStateEvent(tx, halted);
}

/** Tells who watches the project how its autopilot stands now. */
async function addStateEvent(
  tx: Transaction,
  { projectId, enabled, state, reason }: Pick<Autopilot, 'projectId' | 'enabled' | 'state' | 'reason'>,
): Promise<void> {
  const status = enabled ? (state as ShownAutopilot['status']) : 'off';
  await addProjectEvents(tx, [{ projectId, data: { event: 'autopilot.changed', status, reason } }]);
}

/** An autopilot that waits for topics goes on at its next time, in the transaction that adds some. */
export async function goOnWithTopics(tx: Transaction, projectId: string, now: Date): Promise<void> {
  const autopilot = await lockAutopilot(tx, projectId);
  if (autopilot?.enabled !== true || autopilot.reason !== 'empty_queue') return;
  const nextRunAt = nextRun(settingsOf(autopilot), now);
  const data = { state: 'running', reason: null, nextRunAt };
  await addStateEvent(tx, await tx.autopilot.update({ where: { projectId }, data }));
}

/** Hears how the job of a topic has ended, in the transaction in which it does: see `OnJobEnd`. */
export async function hearJobEnd(tx: Transaction, end: JobEnd, now: Date, notifyOwners: NotifyOwners): Promise<void> {
  const topicId = topicIdOf(end.origin);
  if (topicId === null) return;
  const { projectId, status, blogId, failure, writer } = end;
  const autopilot = await lockAutopilot(tx, projectId);
  const outcome = ({ succeeded: 'made', failed: 'failed', cancelled: 'cancelled' } as const)[status];
  // It is no fault of the topic, which comes first again.
  const lacksBudget = failure?.code === 'month_budget';
  const { count } = await tx.autopilotTopic.updateMany({
    where: { id: topicId, projectId, jobId: end.id, status: 'writing' },
    data: { status: lacksBudget ? 'queued' : outcome, blogId, failure: failure?.message ?? null },
  });
  if (autopilot === null || count === 0) return;
  const { posts, micros } = spentIn(autopilot, now);
  const { chargedMicros } = await tx.generationJob.findUniqueOrThrow({
    where: { id: end.id },
    select: { chargedMicros: true },
  });
  const settings = settingsOf(autopilot);
  const failuresInARow = {
    made: 0,
    failed: autopilot.failuresInARow + Number(!lacksBudget),
    cancelled: autopilot.failuresInARow,
  };
  const counted = await tx.autopilot.update({
    where: { projectId },
    data: {
      failuresInARow: failuresInARow[outcome],
      ...(outcome === 'made' && autopilot.reason === 'budget' && { reason: null }),
      month: monthOf(now),
      monthPosts: posts + Number(status === 'succeeded'),
      monthMicros: micros + chargedMicros,
    },
  });
  await addStateEvent(tx, counted);
  const isGoing = autopilot.enabled && autopilot.state !== 'paused' && autopilot.state !== 'stopped';
  if (!isGoing) return;
  if (lacksBudget) {
    await haltForBudget(tx, autopilot, now, notifyOwners);
    return;
  }
  if (failuresInARow[outcome] >= MAX_FAILURES) {
    await halt(tx, autopilot, { state: 'stopped', reason: 'repeated_failure', nextRunAt: null }, now, notifyOwners);
    return;
  }
  // What the offline writer makes is an outline, which says so at the top: only a person publishes one.
  const isPost = status === 'succeeded' && writer !== OFFLINE;
  if (isPost && blogId !== null && settings.publish === 'after_review') {
    const publishAt = new Date(now.getTime() + settings.review_hours * HOUR_MS);
    await tx.blog.updateMany({
      where: { id: blogId, projectId, state: 'draft' },
      data: { publishAt, publishAtSetBy: autopilot.setBy, publishAtTrigger: 'autopilot', publishRetryAt: null },
    });
    const schedule = { blog_id: blogId, publish_at: publishAt.toISOString() };
    await addProjectEvents(tx, [{ projectId, data: { event: 'schedule.changed', ...schedule } }]);
  }
}

/** Whatever waits for the end of its review window stays a draft. */
async function keepDrafts(tx: Transaction, projectId: string): Promise<void> {
  const kept = await tx.blog.updateManyAndReturn({
    where: { projectId, publishAt: { not: null }, publishAtTrigger: 'autopilot' },
    data: { publishAt: null, publishAtSetBy: null, publishAtTrigger: null, publishRetryAt: null },
    select: { id: true },
  });
  await addProjectEvents(
    tx,
    kept.map(({ id }) => ({ projectId, data: { event: 'schedule.changed', blog_id: id, publish_at: null } })),
  );
}

async function lockAutopilot(tx: Transaction, projectId: string): Promise<Autopilot | null> {
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM autopilot WHERE project_id = ${projectId}::uuid FOR UPDATE`;
  return locked.length === 0 ? null : tx.autopilot.findUnique({ where: { projectId } });
}
