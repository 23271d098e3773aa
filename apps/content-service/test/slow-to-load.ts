// What the worker pool's test loads in a thread: the work takes no time, its module does.
import { setTimeout as sleep } from 'node:timers/promises';

await sleep(2_500);

/** The answer at once. */
export function double({ number }: { readonly number: number }): number {
  return 2 * number;
}
