import type { Logger } from '@blog-content/service-runtime';
import { claimInTurns, type ItemOfAccount } from '../../platform/workload/claim-in-turns.ts';
import type { DueWatch } from '../../platform/workload/due-watch-store.ts';
import { startWorkRunner } from '../../platform/workload/work-runner.ts';
import type { PublishStore } from '../publishing/publish-store.ts';
import { dueSchedules, type ScheduleStore } from './schedule-store.ts';

export interface FireSchedulesDependencies {
  readonly schedules: Pick<ScheduleStore, 'due' | 'isFree' | 'postpone'>;
  readonly publishing: Pick<PublishStore, 'prepare' | 'publishScheduled'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly dueWatch: Pick<DueWatch, 'add'>;
  /** Aborted when the process is about to end. */
  readonly stopping: AbortSignal;
}

interface DueBlog extends ItemOfAccount {
  readonly blogId: string;
}

/** Most blogs that one look finds: of all accounts, and of one. */
const DUE_LIMITS = { inAll: 1_000, ofAccount: 50 };
/** Most scheduled publishes at a time in one process, each of another account: each holds a connection. */
const MAX_FIRED_AT_ONCE = 3;
/** A publish that takes so long waits for its account's turn at the threads, and holds no connection meanwhile. */
const SLOW_AFTER_MS = 500;

/**
 * Publishes what is due, each blog in a transaction that also ends its schedule. Every replica has a runner; the row's
 * lock decides who publishes. A blog that cannot be published is tried again with backoff, and does not hold up others.
 * Nor does an account: it publishes one after the other, and the others do not wait for that.
 */
export function startSchedules(dependencies: FireSchedulesDependencies) {
  const { schedules, publishing, dueWatch, clock, logger, stopping } = dependencies;
  const runner = startWorkRunner<DueBlog>({
    name: 'schedule',
    logger,
    stopping,
    slots: MAX_FIRED_AT_ONCE,
    slowAfterMs: SLOW_AFTER_MS,
    claim: claimInTurns(
      () => schedules.due(clock(), DUE_LIMITS),
      async (blogId, account) => ((await schedules.isFree(blogId, clock())) ? { account, blogId } : null),
    ),
    async run({ blogId }, signal) {
      try {
        const ready = await publishing.prepare({ blogId }, 'publish');
        const published = await publishing.publishScheduled(blogId, ready);
        if (published === null) return;
        if ('heldUntil' in published) {
          logger.info('schedule.held', { blog_id: blogId, held_until: published.heldUntil.toISOString() });
          return;
        }
        const { id: publishId, projectId } = published;
        logger.info('schedule.fired', { project_id: projectId, blog_id: blogId, publish_id: publishId });
      } catch (error) {
        // It may have been given up because this process ends: another one tries it right away.
        if (signal.aborted) {
          logger.info('schedule.given_up', { blog_id: blogId, error });
          return;
        }
        logger.error('schedule.failed', { blog_id: blogId, error });
        await schedules.postpone(blogId, clock());
      }
    },
  });
  dueWatch.add(dueSchedules, runner.wake);
  return runner;
}
