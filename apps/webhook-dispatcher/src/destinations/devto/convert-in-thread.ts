import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createFairQueue } from '@blog-content/service-runtime';
import { TargetFailure } from '../target-client.ts';

/** Posts that become Markdown at once, and how many wait for it. */
export const MARKDOWN_QUEUE = { slots: 1, slotsEach: 1, waitingEach: 16, waiting: 256 } as const;
/** How long they wait at most, in milliseconds. */
export const MARKDOWN_WAIT_MS = 30_000;
/** How long it takes at most, in milliseconds, and how much memory, in MiB. */
export const MARKDOWN_DEADLINE_MS = 10_000;
export const MARKDOWN_HEAP_MIB = 128;

/** Makes Markdown of a project's HTML. What cannot be made is thrown as a `TargetFailure`. */
export type ConvertToMarkdown = (projectId: string, html: string) => Promise<string>;

/** The sources run unbuilt, and a thread does not inherit how. */
const UNBUILT = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];

/**
 * Converts in a thread of its own, which ends with it: how long it takes is for authors to choose, and a dispatcher that
 * has no such post to make needs none of its memory.
 */
export function createConvertToMarkdown(): ConvertToMarkdown {
  const queue = createFairQueue(MARKDOWN_QUEUE);
  const isUnbuilt = import.meta.url.endsWith('.ts');
  const program = new URL(`convert${isUnbuilt ? '.ts' : '.js'}`, import.meta.url);
  return async (projectId, html) => {
    const release = await queue.enter(projectId, AbortSignal.timeout(MARKDOWN_WAIT_MS)).catch(() => {
      // Nothing has left: it may simply go later.
      throw new TargetFailure({ kind: 'not_sent' }, null);
    });
    const worker = new Worker(program, {
      workerData: html,
      resourceLimits: { maxOldGenerationSizeMb: MARKDOWN_HEAP_MIB },
      ...(isUnbuilt && { execArgv: UNBUILT }),
    });
    try {
      const [markdown] = (await once(worker, 'message', { signal: AbortSignal.timeout(MARKDOWN_DEADLINE_MS) })) as [
        string,
      ];
      return markdown;
    } catch {
      throw new TargetFailure(
        { kind: 'unsendable', detail: 'The post is too much for being made into Markdown.' },
        null,
      );
    } finally {
      await worker.terminate();
      release();
    }
  };
}
