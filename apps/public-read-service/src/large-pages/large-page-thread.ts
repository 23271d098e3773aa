import { lowerThreadPriority } from '@blog-content/concurrency';
import { parentPort, workerData } from 'node:worker_threads';
import { openLargePagePool } from '../database/open-read-pool.ts';
import { createPublicReadStore } from '../queries/public-read-store.ts';
import { makeLargePage, type LargePageResult, type LargePageTask } from './make-large-page.ts';

/** What the thread is started with. */
export interface LargePageThreadData {
  readonly databaseUrl: string;
}

/** What it says: the pieces of the page that it was asked for, then how that ended. */
export type LargePageMessage =
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly result: LargePageResult }
  | { readonly failed: unknown };

const { databaseUrl } = workerData as LargePageThreadData;
lowerThreadPriority();
// A statement that fails says what has happened to its connection. Otherwise nobody has to know.
const pool = openLargePagePool(databaseUrl, () => undefined);
const store = createPublicReadStore(pool);
const say = (message: LargePageMessage, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);

parentPort?.on('message', (task: LargePageTask) => {
  makeLargePage(store, task, (piece) => say({ piece }, [piece.buffer])).then(
    (result) => say({ result }),
    (failed: unknown) => say({ failed }),
  );
});
