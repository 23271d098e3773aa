import { unprocessable, refuseWhenBusy } from '@blog-content/service-runtime';
import { createWorkerPool, WorkLimitExceeded } from '../../../platform/workload/worker-pool.ts';
import type * as archiveFunctions from './archive-functions.ts';
import type { PackedPlan } from './pack-plan.ts';

/** Reads archives in a thread of their own, one after the other. */
export interface ArchiveReader {
  /**
   * What becomes of an archive's files.
   * @param signal ends the wait for those before it.
   * @throws a 422 problem for an archive that is refused, or takes too long; 429 while too many others wait.
   */
  plan(projectId: string, bytes: Buffer, now: Date, signal: AbortSignal): Promise<PackedPlan>;
  close(): Promise<void>;
}

/** Most archives that wait for their turn, each of which is in memory. */
const MAX_WAITING = 2;
/** More than the two readings may take together. */
const DEADLINE_MS = 25_000;
/** As long as those that may wait before it take. */
const WAIT_MS = MAX_WAITING * DEADLINE_MS;
const HEAP_MIB = 128;
const RETRY_AFTER_S = 10;

/** Starts no thread before there is something to read. */
export function createArchiveReader(): ArchiveReader {
  const module = new URL('archive-functions', import.meta.url);
  const limits = { threads: 1, slotsEach: 1, waitingEach: 1, waiting: MAX_WAITING };
  const pool = createWorkerPool<typeof archiveFunctions>({
    module,
    ...limits,
    deadlineMs: DEADLINE_MS,
    maxWaitMs: WAIT_MS,
    heapMib: HEAP_MIB,
  });
  const refuse = refuseWhenBusy('Other archives are being read. Try again shortly.', RETRY_AFTER_S);
  return {
    async plan(projectId, bytes, now, signal) {
      const made = await pool.run(projectId, 'planArchive', { bytes, now }, signal).catch((error: unknown) => {
        if (error instanceof WorkLimitExceeded) throw unprocessable([TOO_SLOW]);
        return refuse(error);
      });
      if ('refused' in made) throw unprocessable(made.refused);
      return made.plan;
    },
    close: () => pool.close(),
  };
}

const TOO_SLOW = {
  field: 'body',
  message: 'takes too long or too much memory to read: split it into several archives',
};
