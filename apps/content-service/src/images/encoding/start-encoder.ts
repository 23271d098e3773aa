import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createFairQueue, type FairQueueLimits } from '@blog-content/service-runtime';
import { EXIT_TOO_MUCH_MEMORY, type EncodedImage, type EncodingAnswer, type EncodingTask } from './encoding-task.ts';

export interface EncoderOptions extends FairQueueLimits {
  /** Most time of one image from when a process begins it; then the process is ended. */
  readonly deadlineMs: number;
  /** Most time that an image waits for its turn. */
  readonly waitMs: number;
  /** `low` stands behind everything else on the machine. */
  readonly priority: 'below_normal' | 'low';
  /** Most memory of a process. */
  readonly memoryMib?: number;
  /** How long a process without work is kept. */
  readonly idleMs?: number;
  /** The module that a process runs, without its extension. */
  readonly module?: URL;
}

/** Makes images anew in processes of their own, as many as it has slots; none before the first image. */
export interface Encoder {
  /**
   * @param project whose image it is: projects take turns.
   * @throws ImageRefused; TooBusy when too much waits already, or it has waited too long.
   */
  encode(project: string, task: EncodingTask): Promise<EncodedImage>;
  close(): Promise<void>;
}

/** The image is not stored. The message is a clause about it. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

const MAX_MEMORY_MIB = 1_024;
const IDLE_MS = 60_000;
/** For the heap of JavaScript: images are outside of it. */
const HEAP_MIB = 128;
/** The sources run unbuilt, and a process is not to inherit how. */
const UNBUILT = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];
const PRIORITIES = {
  below_normal: constants.priority.PRIORITY_BELOW_NORMAL,
  low: constants.priority.PRIORITY_LOW,
};

/**
 * Whatever an image does to its process (a crash, a loop, too much memory) costs that image and no other: a process
 * works on one at a time, and the next image has a new one.
 */
export function startEncoder(options: EncoderOptions): Encoder {
  const { deadlineMs, waitMs, idleMs = IDLE_MS, ...start } = options;
  const queue = createFairQueue(options);
  const idle = new Set<EncodingProcess>();
  const all = new Set<EncodingProcess>();
  let isClosed = false;

  const take = (): EncodingProcess => {
    const [kept] = idle;
    if (kept !== undefined) {
      idle.delete(kept);
      return kept;
    }
    const started = startProcess(start, () => {
      idle.delete(started);
      all.delete(started);
    });
    all.add(started);
    return started;
  };

  return {
    async encode(project, task) {
      const release = await queue.enter(project, AbortSignal.timeout(waitMs));
      try {
        if (isClosed) throw new Error('The encoder is closed.');
        const worker = take();
        const answer = await worker.run(task, deadlineMs);
        if (all.has(worker)) {
          idle.add(worker);
          worker.endAfter(idleMs);
        }
        if ('refused' in answer) throw new ImageRefused(answer.refused);
        return answer.image;
      } finally {
        release();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((worker) => worker.end()));
    },
  };
}

interface EncodingProcess {
  /** @throws ImageRefused when the process ends over it. */
  run(task: EncodingTask, deadlineMs: number): Promise<EncodingAnswer>;
  endAfter(idleMs: number): void;
  end(): Promise<void>;
}

type StartOptions = Pick<EncoderOptions, 'priority' | 'memoryMib' | 'module'>;

function startProcess(
  { priority, memoryMib = MAX_MEMORY_MIB, module }: StartOptions,
  onEnd: () => void,
): EncodingProcess {
  const isUnbuilt = import.meta.url.endsWith('.ts');
  const url = module ?? new URL('encoder-process', import.meta.url);
  const child = fork(fileURLToPath(`${url.href}${isUnbuilt ? '.ts' : '.js'}`), [String(memoryMib)], {
    // No secret of the service is within reach of what reads strangers' files.
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...(isUnbuilt ? UNBUILT : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  lowerPriority(child, PRIORITIES[priority]);
  rest(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  void ended.then(onEnd);
  let idleTimer: NodeJS.Timeout | undefined;

  return {
    run(task, deadlineMs) {
      clearTimeout(idleTimer);
      child.ref();
      child.channel?.ref();
      return new Promise((resolve, reject) => {
        let isLate = false;
        const deadline = setTimeout(() => {
          isLate = true;
          child.kill('SIGKILL');
        }, deadlineMs);
        const settle = () => {
          clearTimeout(deadline);
          child.off('message', answered).off('exit', exited).off('error', failed);
          rest(child);
        };
        const answered = (answer: Serializable) => {
          settle();
          resolve(answer as unknown as EncodingAnswer);
        };
        const exited = (code: number | null) => {
          settle();
          reject(new ImageRefused(isLate ? tooSlow(deadlineMs) : code === EXIT_TOO_MUCH_MEMORY ? TOO_LARGE : BROKE));
        };
        const failed = (error: Error) => {
          settle();
          reject(new Error('The encoding process cannot be run.', { cause: error }));
        };
        child.on('message', answered).on('exit', exited).on('error', failed);
        // What cannot be sent has no process any more: `exited` hears of it.
        child.send(task, () => undefined);
      });
    },
    endAfter(idleMs) {
      idleTimer = setTimeout(() => {
        // Before it has ended: nobody is to get it any more.
        onEnd();
        child.kill('SIGKILL');
      }, idleMs).unref();
    },
    async end() {
      clearTimeout(idleTimer);
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A process without work does not keep the service from ending. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function lowerPriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
  } catch {
    // It has ended already, or the system does not let us: then it works as it is.
  }
}

const tooSlow = (deadlineMs: number) => `takes more than ${deadlineMs / 1_000} s to read: send it smaller`;
const TOO_LARGE = 'takes too much memory to read: send it smaller';
const BROKE = 'broke what reads it: save it anew with another program';
