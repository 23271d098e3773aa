import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { createFairQueue, moduleEnding, unbuiltArgs, type FairQueueLimits } from '@blog-content/concurrency';
import type { Piscina } from 'piscina';
import type * as threadEntry from './run-in-thread.ts';

/** The work took longer than it may, or more memory: its thread was ended. */
export class WorkLimitExceeded extends Error {
  override readonly name = 'WorkLimitExceeded';
}

// Any function that one thread can hand to another.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Work = Record<string, (task: any) => unknown>;

export interface WorkerPoolOptions extends Required<Omit<FairQueueLimits, 'slots'>> {
  /** The module whose functions are run, without its extension. Loaded in each thread. */
  readonly module: URL;
  readonly threads: number;
  /** Most time of one piece of work from when a thread begins it; then the thread is ended. */
  readonly deadlineMs: number;
  /** Most memory of a thread for what the work makes, in MB. */
  readonly heapMib: number;
}

export interface WorkerPool<Functions extends Work> {
  /**
   * Runs a function of the module in a thread.
   *
   * @param owner whose work it is: owners take turns.
   * @param signal ends the wait for a thread.
   * @throws WorkLimitExceeded; TooBusy when too much waits already, or it has waited too long; else what the function
   * has thrown.
   */
  run<Name extends keyof Functions & string>(
    owner: string,
    name: Name,
    task: Parameters<Functions[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Functions[Name]>>>;
  close(): Promise<void>;
}

/** Idle threads end after this, and free their memory. */
const IDLE_MS = 30_000;
const ENTRY = 'runInThread' satisfies keyof typeof threadEntry;

/** Threads for work whose time depends on what a caller has sent. They start when they are first needed. */
export function createWorkerPool<Functions extends Work>(options: WorkerPoolOptions): WorkerPool<Functions> {
  const { module, threads, deadlineMs, heapMib, ...limits } = options;
  const open = async () => {
    // An idle service does without it (ADR 17).
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename: fileURLToPath(new URL(`run-in-thread${moduleEnding}`, import.meta.url)),
      name: ENTRY,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
      ...unbuiltArgs(),
    });
  };
  let pool: Promise<Piscina> | undefined;
  const queue = createFairQueue({ slots: threads, ...limits });
  return {
    async run(owner, name, task, signal) {
      const release = await queue.enter(owner, signal);
      const deadline = new AbortController();
      const { port1: heard, port2: begun } = new MessageChannel();
      let timer: NodeJS.Timeout | undefined;
      heard.once('message', () => {
        timer = setTimeout(() => deadline.abort(), deadlineMs);
      });
      const job: threadEntry.Job = { module: `${module.href}${moduleEnding}`, name, task, begun };
      try {
        const opened = await (pool ??= open());
        return (await opened.run(job, { signal: deadline.signal, transferList: [begun] })) as never;
      } catch (error) {
        if (deadline.signal.aborted || isOutOfMemory(error)) throw new WorkLimitExceeded();
        throw error;
      } finally {
        clearTimeout(timer);
        heard.close();
        release();
      }
    },
    close: async () => (await pool)?.destroy(),
  };
}

function isOutOfMemory(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
