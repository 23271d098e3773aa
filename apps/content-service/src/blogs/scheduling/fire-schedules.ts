import type { Logger } from '@blog-content/service-runtime';
import type { ContentWork } from '../../content/content-work.ts';
import type { PublishStore } from '../publishing/publish-store.ts';
import { withReadyContent } from '../publishing/ready-content.ts';
import type { ScheduleStore } from './schedule-store.ts';

export interface FireSchedulesDependencies {
  readonly schedules: Pick<ScheduleStore, 'due' | 'postpone'>;
  readonly publishing: Pick<PublishStore, 'publishScheduled'>;
  readonly contentWork: Pick<ContentWork, 'publish'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Whether to begin no more. */
  readonly isStopping: () => boolean;
}

/** Most publishes of one round of one replica. */
const MAX_PER_ROUND = 100;

/**
 * One round: publishes what is due, each blog in a transaction that also ends its schedule. Every replica runs rounds;
 * the row's lock decides who publishes. A blog that cannot be published is tried again with backoff, and does not hold
 * up others.
 */
export async function fireSchedules(dependencies: FireSchedulesDependencies): Promise<void> {
  const { schedules, publishing, contentWork, clock, logger, isStopping } = dependencies;
  for (const blogId of await schedules.due(clock(), MAX_PER_ROUND)) {
    if (isStopping()) return;
    try {
      const published = await withReadyContent(contentWork, (ready) => publishing.publishScheduled(blogId, ready));
      if (published === null) continue;
      const { publishId, projectId } = published;
      logger.info('schedule.fired', { project_id: projectId, blog_id: blogId, publish_id: publishId });
    } catch (error) {
      logger.error('schedule.failed', { blog_id: blogId, error });
      await schedules.postpone(blogId, clock());
    }
  }
}
