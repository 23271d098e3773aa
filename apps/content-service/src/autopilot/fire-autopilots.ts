import type { Logger } from '@blog-content/service-runtime';
import { claimInTurns, type ItemOfAccount } from '../platform/workload/claim-in-turns.ts';
import type { DueWatch } from '../platform/workload/due-watch-store.ts';
import { startWorkRunner } from '../platform/workload/work-runner.ts';
import { dueAutopilots, type DueAutopilotStore } from './due-autopilot-store.ts';

export interface FireAutopilotsDependencies {
  readonly autopilots: DueAutopilotStore;
  /** Has the job that was made begin. */
  readonly wake: () => void;
  readonly logger: Logger;
  readonly dueWatch: Pick<DueWatch, 'add'>;
  /** Aborted when the process is about to end. */
  readonly stopping: AbortSignal;
}

/** Most autopilots that one look finds. */
const MAX_DUE = 100;

/**
 * Takes a topic for each autopilot that is due, each in a transaction that also makes its job and sets when it is due
 * next. Every replica has a runner; the row's lock decides who takes it.
 */
export function startAutopilots({ autopilots, wake, dueWatch, logger, stopping }: FireAutopilotsDependencies) {
  const take = async (projectId: string, account: string) => {
    try {
      const fired = await autopilots.fire(projectId);
      if (fired === null) return null;
      const { outcome, topicId, jobId } = fired;
      logger.info('autopilot.fired', { project_id: projectId, outcome, topic_id: topicId, job_id: jobId });
      if (jobId !== null) wake();
      return { account };
    } catch (error) {
      logger.error('autopilot.failed', { project_id: projectId, error });
      await autopilots.putOff(projectId);
      return null;
    }
  };
  const runner = startWorkRunner<ItemOfAccount>({
    name: 'autopilot',
    logger,
    stopping,
    claim: claimInTurns(() => autopilots.due(MAX_DUE), take),
  });
  dueWatch.add(dueAutopilots, runner.wake);
  return runner;
}
