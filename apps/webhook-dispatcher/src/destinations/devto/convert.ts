import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '@blog-content/concurrency';
import { toMarkdown } from './to-markdown.ts';

// What the thread of `convert-in-thread.ts` runs.
lowerThreadPriority();
parentPort?.postMessage(toMarkdown(String(workerData)));
