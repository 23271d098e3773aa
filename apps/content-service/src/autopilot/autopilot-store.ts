import type { AutopilotSettings } from '@blog-content/payload-schemas';
import type { Autopilot, Prisma } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { addProjectEvents } from '../project-events/project-event-store.ts';
import { lockProjectAsOwner, type ProjectActor } from '../projects/project-change-store.ts';
import { addStateEvent, lockAutopilot } from './autopilot-change-store.ts';
import { settingsOf } from '../autopilot-settings.ts';
import { monthOf } from './autopilot-state.ts';
import { nextRun } from './next-run.ts';

/** The autopilots of projects. Each change locks the project's row of it. */
export interface AutopilotStore {
  find(projectId: string): Promise<{ autopilot: Autopilot | null; queued: number }>;
  /** False when the project is gone, or the actor is no owner of it (any more). */
  set(owner: ProjectActor, settings: AutopilotSettings): Promise<boolean>;
  /** Takes no more topics, and keeps drafts that wait for their review window to end. False when it is off. */
  pause(projectId: string): Promise<boolean>;
  /** Goes on at its next time. False when it is off. */
  resume(projectId: string): Promise<boolean>;
}

export function createAutopilotStore(database: Database, clock: () => Date): AutopilotStore {
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
        if (autopilot?.enabled !== true) return false;
        await keepDrafts(tx, projectId);
        if (autopilot.state === 'stopped') return true;
        const data = { state: 'paused', reason: null, nextRunAt: null };
        await addStateEvent(tx, await tx.autopilot.update({ where: { projectId }, data }));
        return true;
      }),

    resume: (projectId) =>
      database.$transaction(async (tx) => {
        const autopilot = await lockAutopilot(tx, projectId);
        if (autopilot?.enabled !== true) return false;
        if (autopilot.state === 'running') return true;
        const nextRunAt = nextRun(settingsOf(autopilot), clock());
        const data = { state: 'running', reason: null, failuresInARow: 0, nextRunAt };
        await addStateEvent(tx, await tx.autopilot.update({ where: { projectId }, data }));
        return true;
      }),
  };
}

/** An autopilot that waits for topics goes on at its next time, in the transaction that adds some. */
export async function goOnWithTopics(tx: Transaction, projectId: string, now: Date): Promise<void> {
  const autopilot = await lockAutopilot(tx, projectId);
  if (autopilot?.enabled !== true || autopilot.reason !== 'empty_queue') return;
  const nextRunAt = nextRun(settingsOf(autopilot), now);
  const data = { state: 'running', reason: null, nextRunAt };
  await addStateEvent(tx, await tx.autopilot.update({ where: { projectId }, data }));
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
