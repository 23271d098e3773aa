import { getPriority } from 'node:os';

// What the worker pool's test runs in threads.

/** The answer of work that ends. */
export function double({ number }: { readonly number: number }): number {
  return 2 * number;
}

/** How nice its thread is. */
export function niceness(_task: object): number {
  return getPriority();
}

/** Never gives its thread back. */
export function spin(_task: object): never {
  for (;;);
}

/** Takes all the memory that there is. */
export function swell(_task: object): never {
  for (const kept: string[][] = []; ;)
    kept.push(Array.from({ length: 100_000 }, (_, index) => `${kept.length} ${index}`));
}

/** Breaks. */
export function fail({ message }: { readonly message: string }): never {
  throw new Error(message);
}

/** What the module that its thread was started with exports. */
export async function exportsOfEntry(_task: object): Promise<string[]> {
  return Object.keys(await import('../src/platform/workload/run-in-thread.ts'));
}
