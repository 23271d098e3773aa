import { createFairQueue, type FairQueue } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import type { PublishStore } from '../publishing/publish-store.ts';
import type { ScheduleStore } from './schedule-store.ts';

export interface FireSchedulesDependencies {
  readonly schedules: Pick<ScheduleStore, 'due' | 'postpone'>;
  readonly publishing: Pick<PublishStore, 'prepare' | 'publishScheduled'>;
  /** Accounts take turns at the connections to the database that work in rounds may hold. */
  readonly transactions: Pick<FairQueue, 'run'>;
  readonly clock: () => Date;
  readonly logger: Logger;
}

export interface ScheduleRounds {
  /**
   * Begins to publish what is due, but of accounts of which an earlier round still publishes. Resolves once it has
   * begun.
   *
   * @param isStopping whether to begin no more.
   */
  fire(isStopping: () => boolean): Promise<void>;
  /** Resolves when nothing is being published. */
  idle(): Promise<void>;
}

/** Most publishes that one round of one replica begins: of all accounts, and of one. */
const DUE_LIMITS = { inAll: 1_000, ofAccount: 50 };
/** Most scheduled publishes at once in one process, each of another account: each may have its content in memory. */
const MAX_FIRED_AT_ONCE = 16;

/**
 * Publishes what is due, each blog in a transaction that also ends its schedule. Every replica runs rounds; the row's
 * lock decides who publishes. A blog that cannot be published is tried again with backoff, and does not hold up others.
 * Nor does an account: it publishes one after the other, and no round waits for that.
 */
export function createScheduleRounds(dependencies: FireSchedulesDependencies): ScheduleRounds {
  const { schedules, publishing, transactions, clock, logger } = dependencies;
  const slots = createFairQueue({ slots: MAX_FIRED_AT_ONCE, slotsEach: 1 });
  const running = new Map<string, Promise<void>>();

  const publishOne = async (account: string, blogId: string, isStopping: () => boolean): Promise<void> => {
    try {
      const ready = await publishing.prepare({ blogId }, 'publish');
      const published = await transactions.run(account, () => publishing.publishScheduled(blogId, ready));
      if (published === null) return;
      const { id: publishId, projectId } = published;
      logger.info('schedule.fired', { project_id: projectId, blog_id: blogId, publish_id: publishId });
    } catch (error) {
      // It may have been given up because this process ends: the next round, of any, tries it at once.
      if (isStopping()) {
        logger.info('schedule.given_up', { blog_id: blogId, error });
        return;
      }
      logger.error('schedule.failed', { blog_id: blogId, error });
      await schedules.postpone(blogId, clock());
    }
  };

  const publishAll = async (account: string, blogIds: readonly string[], isStopping: () => boolean): Promise<void> => {
    try {
      for (const blogId of blogIds) {
        await slots.run(account, async () => {
          if (!isStopping()) await publishOne(account, blogId, isStopping);
        });
      }
    } catch (error) {
      logger.warn('schedule.trouble', { account_id: account, error });
    } finally {
      running.delete(account);
    }
  };

  return {
    async fire(isStopping) {
      for (const [account, blogIds] of await schedules.due(clock(), DUE_LIMITS)) {
        if (!running.has(account)) running.set(account, publishAll(account, blogIds, isStopping));
      }
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}
