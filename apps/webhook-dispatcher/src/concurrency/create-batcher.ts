import { lull } from './wait-until-quiet.ts';

/** A run of so many items was not the last. */
const BUSY = 8;

export interface Batching<Item, Result> {
  /** Most items of one run. */
  readonly most: number;
  /** After a run of several items so long is waited for more of them at most, in milliseconds. */
  readonly lingerMs: number;
  /** No two items of one run have the same key. */
  readonly keyOf: (item: Item) => string;
  /** Gives one result for each item, in their order. When it rejects, all of its items do, */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** unless one of them may be to blame: then each is run by itself. */
  readonly isOfOneItem: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes of many calls few runs, one at a time: the first call runs at once, those that come meanwhile run together next, in
 * the order they came. A single call costs no delay; when many come, runs wait a moment to be fewer.
 */
export function inBatches<Item, Result>(batching: Batching<Item, Result>): (item: Item) => Promise<Result> {
  const { most, lingerMs, keyOf, run, isOfOneItem } = batching;
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  const takeNext = (): Waiting<Item, Result>[] => {
    const keys = new Set<string>();
    const next: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      const fits = next.length < most && !keys.has(key);
      keys.add(key);
      (fits ? next : later).push(one);
    }
    waiting = later;
    return next;
  };

  const runTogether = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && isOfOneItem(error)) for (const one of batch) await runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  };

  const runAll = async () => {
    isRunning = true;
    // What calls in the same turn is of the first run too.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = takeNext();
      await runTogether(batch);
      if (batch.length >= BUSY && waiting.length < most) await lull(() => waiting.length, lingerMs);
    }
    isRunning = false;
  };

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
