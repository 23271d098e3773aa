import { setImmediate as nextIteration } from 'node:timers/promises';

/** After so long the event loop serves everything else, in milliseconds. */
const SLICE_MS = 5;

/**
 * Yields the items in slices of about five milliseconds, or of one item that takes longer, and lets the event loop
 * serve others between slices. How many items there are, and how long each takes, may be up to strangers.
 */
export async function* inSlices<Item>(
  items: readonly Item[],
  monotonicMs: () => number = () => performance.now(),
): AsyncGenerator<Item, void, undefined> {
  let beganMs = monotonicMs();
  for (const item of items) {
    if (monotonicMs() - beganMs >= SLICE_MS) {
      await nextIteration();
      beganMs = monotonicMs();
    }
    yield item;
  }
}

/** What `make` makes of each item, in slices. */
export async function mapInSlices<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for await (const item of inSlices(items)) made.push(make(item));
  return made;
}
