import { backoffMs, type Backoff } from '@blog-content/concurrency';
import { repeat, type Logger } from '@blog-content/service-runtime';
import type { DueWatch } from '../../platform/workload/due-watch-store.ts';
import { startWorkRunner } from '../../platform/workload/work-runner.ts';
import { JobFailed, LeaseLost, TryLater, type ClaimedJob, type TurnResult } from './job.ts';
import { dueSteps, type JobLeaseStore } from './job-lease-store.ts';

/** Does the next step of a job. @throws JobFailed, TryLater; anything else counts as trouble that may pass. */
export type TakeTurn = (job: ClaimedJob, signal: AbortSignal) => Promise<TurnResult>;

export interface JobRunnerOptions {
  readonly jobs: JobLeaseStore;
  readonly takeTurn: TakeTurn;
  /** Most concurrent turns in this process that are not slow; 0: it runs none. */
  readonly slots: number;
  /** When a turn counts as slow, in milliseconds; {@link LONG_TURN_MS} when left out. */
  readonly slowAfterMs?: number;
  readonly leaseMs: number;
  readonly dueWatch: Pick<DueWatch, 'add'>;
  readonly logger: Logger;
}

export interface JobRunner {
  /** Looks for due turns now. */
  readonly wake: () => void;
  /** Gives the job's turn up, if it runs here: it was cancelled. */
  interrupt(jobId: string): void;
  /** Begins no turn, gives up those that run, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** Most tries of one step. A process that dies in it counts too: a step that kills it does not do so for ever. */
const MAX_TRIES = 5;
const RETRY_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000 };
/** Longest wait that a model's server can ask for. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;
/**
 * How long this process leaves between two turns that it begins, in milliseconds. A model's turns take seconds and
 * never notice; those of the offline writer take processor time only, and would take all of it.
 */
const BETWEEN_TURNS_MS = 25;
/**
 * A turn that has taken so long waits for a model's server, and gives its slot back: waiting costs next to nothing, and
 * servers that never answer would stop everybody's generations.
 */
const LONG_TURN_MS = 5_000;
/** How soon a turn ends whose job was cancelled at another replica. */
const MAX_RENEWAL_MS = 1_000;

/**
 * Runs jobs a step at a time.
 *
 *           claim              checkpoint
 *     due ────────▶ running ───────────────▶ due, at the next step
 *      ▲               │ └──────▶ succeeded, failed
 *      └───────────────┘
 *        try later, or the lease ran out: its process died
 *
 * Between two steps a job holds neither lease nor slot, so projects take turns step by step, and what waits for a
 * model's server to recover keeps nobody waiting. Every replica has a runner; whichever claims a turn takes the job up
 * at its last checkpoint.
 */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  const { jobs, takeTurn, slots, slowAfterMs = LONG_TURN_MS, leaseMs, dueWatch, logger } = options;
  const work = async (job: ClaimedJob, abort: AbortSignal): Promise<void> => {
    const fields = { job_id: job.id, project_id: job.projectId, step: job.step, tries: job.tries };
    const startedMs = performance.now();
    try {
      if (job.tries > MAX_TRIES) throw new JobFailed('interrupted', 'The process crashed in this step every time.');
      const result = await takeTurn(job, abort);
      abort.throwIfAborted();
      const end = result.kind === 'checkpoint' ? await jobs.checkpoint(job, result) : await jobs.succeed(job, result);
      const took = { duration_ms: Math.round(performance.now() - startedMs) };
      logger.info('generation.step', { ...fields, ...took, outcome: result.kind, ...(end && { blog_id: end.blogId }) });
    } catch (error) {
      await recordFailure(job, abort, error, fields).catch((failed: unknown) => {
        // The lease runs out, and the turn is taken again.
        if (!(failed instanceof LeaseLost)) logger.warn('generation.not_recorded', { ...fields, error: failed });
      });
    }
  };

  const recordFailure = async (job: ClaimedJob, abort: AbortSignal, error: unknown, fields: object): Promise<void> => {
    if (error instanceof LeaseLost) return;
    if (abort.aborted) {
      await jobs.release(job);
      return;
    }
    const isLast = job.tries >= MAX_TRIES;
    if (error instanceof JobFailed || (error instanceof TryLater && isLast)) {
      logger.info('generation.failed', { ...fields, code: error.code });
      await jobs.fail(job, error);
    } else if (isLast) {
      logger.error('generation.failed', { ...fields, code: 'internal', error });
      await jobs.fail(job, { code: 'internal', message: 'Internal error.' });
    } else {
      const asked = error instanceof TryLater ? (error.afterMs ?? 0) : 0;
      const delayMs = Math.max(Math.min(asked, MAX_RETRY_AFTER_MS), backoffMs(job.tries, RETRY_BACKOFF));
      const because = error instanceof TryLater ? { code: error.code } : { error };
      logger.warn('generation.step_failed', { ...fields, ...because, retry_in_ms: delayMs });
      await jobs.postpone(job, delayMs);
    }
  };

  const runner = startWorkRunner<ClaimedJob>({
    name: 'generation',
    slots,
    slowAfterMs,
    pauseMs: BETWEEN_TURNS_MS,
    logger,
    claim: () => jobs.claim(leaseMs),
    run: work,
  });

  dueWatch.add(dueSteps, runner.wake);

  const renew = async () => {
    // A turn that begins meanwhile was not asked about.
    const asked = new Set(runner.running());
    if (asked.size === 0) return;
    const held = await jobs.renew(
      [...asked].map(({ leaseToken }) => leaseToken),
      leaseMs,
    );
    runner.abort((job) => asked.has(job) && !held.has(job.leaseToken));
  };
  const renewal = repeat('generation.renewal', Math.min(leaseMs / 3, MAX_RENEWAL_MS), renew, logger);

  return {
    wake: runner.wake,
    interrupt(jobId) {
      runner.abort((job) => job.id === jobId);
    },
    async stop() {
      await runner.stop();
      await renewal.stop();
    },
  };
}
