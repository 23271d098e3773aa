import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createFairQueue, moduleEnding, unbuiltArgs, type FairQueueLimits } from '@blog-content/concurrency';
import type { LimitFunction } from 'p-limit';
import { EXIT_TOO_MUCH_MEMORY, type EncodedImage, type EncodingAnswer, type EncodingTask } from './encoding-task.ts';

export interface EncoderOptions extends Required<FairQueueLimits> {
  /** Most time of one image from when a process begins it; then the process is ended. */
  readonly deadlineMs: number;
  /** Both stand behind what answers requests, `lowest` behind the other too. */
  readonly priority: 'low' | 'lowest';
  /** Most memory of a process. */
  readonly memoryMib: number;
  /** Where an image goes that takes more; it is refused without one. */
  readonly large?: LargeImages;
  /** How long a process without work is kept. */
  readonly idleMs?: number;
  /** The module that a process runs, without its extension. */
  readonly module?: URL;
}

/** What images that take more memory than others may take. Encoders share it, so that the memory of all is bounded. */
export interface LargeImages {
  readonly memoryMib: number;
  readonly limit: LimitFunction;
}

/** Re-encodes images in processes of their own, as many as it has slots; none before the first image. */
export interface Encoder {
  /**
   * @param owner whose image it is: owners take turns.
   * @throws ImageRefused; TooBusy when too much waits already, or it has waited too long.
   */
  encode(owner: string, task: EncodingTask): Promise<EncodedImage>;
  close(): Promise<void>;
}

/** The image is not stored. The message is a clause about it. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

const IDLE_MS = 60_000;
class TooMuchMemory extends ImageRefused {}

/** For the heap of JavaScript: images are outside of it. */
const HEAP_MIB = 128;
/** As nice values: Linux gives 18 some 2 % of a processor beside a process that has not been made nicer. */
const PRIORITIES = { low: constants.priority.PRIORITY_LOW - 1, lowest: constants.priority.PRIORITY_LOW };
/**
 * The same of sessions: a third and a tenth of a processor beside another session. With less, an upload would take
 * longer than it may as soon as the machine has other work.
 */
const SESSION_PRIORITIES = { low: 5, lowest: 10 };

/**
 * Whatever an image does to its process (a crash, a loop, too much memory) costs that image and no other: a process
 * works on one at a time, and the next image has a new one.
 */
export function startEncoder(options: EncoderOptions): Encoder {
  const { deadlineMs, idleMs = IDLE_MS, memoryMib, large, priority, module } = options;
  const queue = createFairQueue(options);
  const idle = new Set<EncodingProcess>();
  const all = new Set<EncodingProcess>();
  let isClosed = false;

  const begin = (mib: number): EncodingProcess => {
    const started = startProcess({ priority, module, memoryMib: mib }, () => {
      idle.delete(started);
      all.delete(started);
    });
    all.add(started);
    return started;
  };

  const encodeInKept = async (task: EncodingTask): Promise<EncodingAnswer> => {
    const [kept = begin(memoryMib)] = idle;
    idle.delete(kept);
    const answer = await kept.run(task, deadlineMs);
    if (all.has(kept)) {
      idle.add(kept);
      kept.endAfter(idleMs);
    }
    return answer;
  };

  const encodeAlone = async (task: EncodingTask, mib: number): Promise<EncodingAnswer> => {
    const own = begin(mib);
    try {
      return await own.run(task, deadlineMs);
    } finally {
      await own.end();
    }
  };

  const unlessClosed = <Result>(work: () => Result): Result => {
    if (isClosed) throw new Error('The encoder is closed.');
    return work();
  };
  /** How much memory an image takes shows while it is read. It keeps its slot: of an account only one can wait. */
  const encodeOnce = async (task: EncodingTask): Promise<EncodingAnswer> => {
    try {
      return await unlessClosed(() => encodeInKept(task));
    } catch (error) {
      if (!(error instanceof TooMuchMemory) || large === undefined) throw error;
      return large.limit(() => unlessClosed(() => encodeAlone(task, large.memoryMib)));
    }
  };

  return {
    async encode(owner, task) {
      const answer = await queue.run(owner, () => encodeOnce(task));
      if ('refused' in answer) throw new ImageRefused(answer.refused);
      return answer.image;
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

interface StartOptions extends Pick<EncoderOptions, 'priority' | 'memoryMib'> {
  readonly module: URL | undefined;
}

function startProcess({ priority, memoryMib, module }: StartOptions, onEnd: () => void): EncodingProcess {
  const url = module ?? new URL('encoder-process', import.meta.url);
  const child = fork(fileURLToPath(`${url.href}${moduleEnding}`), [String(memoryMib)], {
    // No secret of the service is within reach of what reads strangers' files.
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...(unbuiltArgs().execArgv ?? [])],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A session of its own, see lowerPriority.
    detached: true,
  });
  lowerPriority(child, priority);
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
          if (isLate) reject(new ImageRefused(tooSlow(deadlineMs)));
          else reject(code === EXIT_TOO_MUCH_MEMORY ? new TooMuchMemory(TOO_LARGE) : new ImageRefused(BROKE));
        };
        const failed = (error: Error) => {
          settle();
          reject(new Error('The encoding process cannot be started.', { cause: error }));
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

function lowerPriority({ pid }: ChildProcess, priority: EncoderOptions['priority']): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, PRIORITIES[priority]);
    // Linux may share the processors out by sessions first: how nice a process is then counts within its session only.
    writeFileSync(`/proc/${pid}/autogroup`, String(SESSION_PRIORITIES[priority]));
  } catch {
    // It has ended already, or the system does not let us, or knows nothing of it: then it works as it is.
  }
}

const tooSlow = (deadlineMs: number) => `takes more than ${deadlineMs / 1_000} s to read: send a smaller one`;
const TOO_LARGE = 'takes too much memory to read: send a smaller one';
const BROKE = 'could not be decoded: save it again with another program';
