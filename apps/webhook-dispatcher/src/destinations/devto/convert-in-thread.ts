import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { moduleEnding, unbuiltArgs } from '@blog-content/concurrency';
import type { ScarceWork } from '../../concurrency/scarce-work.ts';
import { TargetFailure } from '../target-client.ts';

/** How long it takes at most, in milliseconds, and how much memory, in MB. */
const MARKDOWN_DEADLINE_MS = 10_000;
const MARKDOWN_HEAP_MIB = 128;
/** Most tags of the HTML: what one becomes takes memory beside the thread's. */
export const MAX_MARKDOWN_TAGS = 100_000;

/**
 * Makes Markdown of an owner's HTML; owners take turns. What cannot be made is thrown as a `TargetFailure`, and so is
 * what was interrupted: nothing has left then.
 */
export type ConvertToMarkdown = (owner: string, html: string, interrupted: AbortSignal) => Promise<string>;

/**
 * Converts in a thread of its own, which ends with it: how long it takes is for authors to choose, and a dispatcher
 * that has no such post to make needs none of its memory.
 */
export function createConvertToMarkdown(queue: ScarceWork['markdown']): ConvertToMarkdown {
  return async (owner, html, interrupted) => {
    if (html.split('<').length > MAX_MARKDOWN_TAGS) throw tooMuch();
    const release = await queue.enter(owner, interrupted).catch(() => {
      throw notSent();
    });
    try {
      return await convert(html, interrupted);
    } catch {
      throw interrupted.aborted ? notSent() : tooMuch();
    } finally {
      release();
    }
  };
}

const PROGRAM = new URL(`convert${moduleEnding}`, import.meta.url);

async function convert(html: string, interrupted: AbortSignal): Promise<string> {
  const worker = new Worker(PROGRAM, {
    workerData: html,
    // It needs none of the process's keys.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MARKDOWN_HEAP_MIB },
    ...unbuiltArgs(),
  });
  // One that runs out of memory when nobody waits for it any more ends nothing but itself.
  worker.on('error', () => undefined);
  try {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(MARKDOWN_DEADLINE_MS)]);
    const [markdown] = (await once(worker, 'message', { signal })) as [string];
    return markdown;
  } finally {
    await worker.terminate();
  }
}

const notSent = () => new TargetFailure({ kind: 'not_sent' }, null);
const tooMuch = () =>
  new TargetFailure({ kind: 'unsendable', detail: 'The post is too large to convert to Markdown.' }, null);
