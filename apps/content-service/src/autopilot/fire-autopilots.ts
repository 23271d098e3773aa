import type { Logger } from '@blog-content/service-runtime';
import type { DueAutopilotStore } from './due-autopilot-store.ts';

export interface FireAutopilotsDependencies {
  readonly autopilots: DueAutopilotStore;
  /** Has the job that was made begin. */
  readonly wake: () => void;
  readonly logger: Logger;
  /** Whether to begin no more. */
  readonly isStopping: () => boolean;
}

/** Most autopilots of one round of one replica. */
const MAX_PER_ROUND = 100;

/**
 * One round: takes a topic for each autopilot that is due, each in a transaction that also makes its job and sets when
 * it is due next. Every replica runs rounds; the row's lock decides who takes it.
 */
export async function fireAutopilots({
  autopilots,
  wake,
  logger,
  isStopping,
}: FireAutopilotsDependencies): Promise<void> {
  for (const projectId of await autopilots.due(MAX_PER_ROUND)) {
    if (isStopping()) return;
    try {
      const fired = await autopilots.fire(projectId);
      if (fired === null) continue;
      const { outcome, topicId, jobId } = fired;
      logger.info('autopilot.fired', { project_id: projectId, outcome, topic_id: topicId, job_id: jobId });
      if (jobId !== null) wake();
    } catch (error) {
      logger.error('autopilot.failed', { project_id: projectId, error });
      await autopilots.putOff(projectId);
    }
  }
}
