import type { GenerationReport } from '@blog-content/payload-schemas';
import { createWorkerPool, WorkLimitExceeded } from '../../platform/workload/worker-pool.ts';
import { JobFailed } from '../jobs/job.ts';
import type { UnsupportedSentence } from './find-unsupported.ts';
import type * as writing from './write-report.ts';

/** Writes reports in a thread, where projects take turns: how long it takes is up to the sources and the model. */
export interface ReportWork {
  /** @throws JobFailed for a draft that takes too long; TooBusy. */
  write(projectId: string, draft: writing.ReportedDraft): Promise<GenerationReport>;
  /** The sentences that nothing supports. @throws the same. */
  compare(projectId: string, texts: writing.ComparedTexts): Promise<UnsupportedSentence[]>;
  close(): Promise<void>;
}

const LIMITS = { threads: 1, slotsEach: 1, waitingEach: 32, waiting: 200 };
const WAIT_MS = 60_000;
const HEAP_MIB = 96;

/** Starts no thread before there is something to report. @param deadlineMs of each report. */
export function createReportWork(deadlineMs: number): ReportWork {
  const module = new URL('write-report', import.meta.url);
  const options = { module, ...LIMITS, deadlineMs, maxWaitMs: WAIT_MS, heapMib: HEAP_MIB };
  const pool = createWorkerPool<typeof writing>(options);
  const refuse = (error: unknown): never => {
    if (!(error instanceof WorkLimitExceeded)) throw error;
    throw new JobFailed('content_refused', 'Comparing the text with its sources takes too long.');
  };
  return {
    write: (projectId, draft) => pool.run(projectId, 'writeReport', draft).catch(refuse),
    compare: (projectId, texts) => pool.run(projectId, 'compareTexts', texts).catch(refuse),
    close: () => pool.close(),
  };
}
