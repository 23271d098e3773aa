import { lowerThreadPriority } from '@blog-content/concurrency';
import type { MessagePort } from 'node:worker_threads';

/** A piece of work as a thread gets it. */
export interface Job {
  /** URL of the module whose function is run. */
  readonly module: string;
  readonly name: string;
  readonly task: unknown;
  /** Told when the work begins. */
  readonly begun: MessagePort;
}

lowerThreadPriority();

/**
 * What a thread of a worker pool runs: loads the module, tells that the work begins, and does it. Not a default export:
 * Piscina loads this by `require`, and a thread that is ended while Node 24 makes a default export ready for that
 * aborts the whole process.
 */
export async function runInThread({ module, name, task, begun }: Job): Promise<unknown> {
  const functions = (await import(module)) as Record<string, (task: unknown) => unknown>;
  begun.postMessage(null);
  return functions[name]?.(task);
}
