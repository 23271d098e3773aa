import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { moduleEnding, unbuiltArgs } from '@blog-content/concurrency';
import type { LargePageMessage, LargePageThreadData } from './large-page-thread.ts';
import type { LargePageResult, LargePageTask } from './make-large-page.ts';

/** Makes large pages beside what answers requests, one at a time. */
export interface LargePages {
  /**
   * @param keep gets the page's bytes, in pieces; when it throws, no more of the page is made.
   * @throws what the database, or `keep`, has thrown.
   */
  make(task: LargePageTask, keep: (piece: Buffer) => void): Promise<LargePageResult>;
  close(): Promise<void>;
}

/** An idle thread ends after this, and frees its memory. */
const IDLE_MS = 30_000;
/** Most memory of the thread, in MB: the pieces are outside of it. */
const HEAP_MIB = 128;
/** Most memory of it for young objects, in MB. */
const YOUNG_HEAP_MIB = 16;

/**
 * Reading, rendering and encoding a post of half a megabyte takes milliseconds. Collecting what that leaves behind
 * takes V8 many more, and stops the whole thread. So it is done in a thread that answers nobody, which is started when
 * it is first needed.
 */
export function startLargePages(databaseUrl: string): LargePages {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  };

  return {
    async make(task, keep) {
      clearTimeout(idle);
      thread ??= begin(databaseUrl);
      try {
        const result = await run(thread, task, keep);
        idle = setTimeout(() => void end(), IDLE_MS).unref();
        return result;
      } catch (error) {
        // It may still be at work.
        await end();
        throw error;
      }
    },
    close: end,
  };
}

function begin(databaseUrl: string): Worker {
  const module = new URL(`large-page-thread${moduleEnding}`, import.meta.url);
  return new Worker(fileURLToPath(module), {
    workerData: { databaseUrl } satisfies LargePageThreadData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_HEAP_MIB },
    ...unbuiltArgs(),
  });
}

async function run(thread: Worker, task: LargePageTask, keep: (piece: Buffer) => void): Promise<LargePageResult> {
  const settled = Promise.withResolvers<LargePageResult>();
  const heard = (message: LargePageMessage) => {
    if ('result' in message) settled.resolve(message.result);
    else if ('failed' in message) settled.reject(message.failed);
    else {
      try {
        keep(Buffer.from(message.piece.buffer));
      } catch (error) {
        settled.reject(error);
      }
    }
  };
  const ended = () => {
    settled.reject(new Error('The thread that renders large pages has exited.'));
  };
  thread.on('message', heard).once('error', settled.reject).once('exit', ended);
  try {
    thread.postMessage(task);
    return await settled.promise;
  } finally {
    thread.off('message', heard).off('error', settled.reject).off('exit', ended);
  }
}
