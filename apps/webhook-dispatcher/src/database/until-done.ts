/**
 * Calls `batch` until one did less than `size`, or the process stops. Each batch is
 * a statement of its own, so that no lock is held for long and the process does its other work in between.
 */
export async function untilDone(size: number, batch: () => Promise<number>, stopping?: AbortSignal): Promise<void> {
  while (stopping?.aborted !== true && (await batch()) >= size);
}
