import { waitUntilQuiet } from './wait-until-quiet.ts';

/** A batch of so many items was not the last. */
const BUSY = 8;

export interface BatcherOptions<Item, Result> {
  /** A batch is full from this size on: that of its items together. */
  readonly maxSize: number;
  /** 1 for each unless given: the size of a batch is the number of its items then. */
  readonly sizeOf?: (item: Item) => number;
  /** After a batch of several items the next one waits for more of them at most so long, in milliseconds; default 0. */
  readonly lingerMs?: number;
  /** No two items of one batch have the same key. */
  readonly keyOf?: (item: Item) => string;
  /** Gives one result for each item, in their order. When it rejects, so do all of the batch, */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** unless one of them may be to blame: then each is run by itself. */
  readonly isOfOneItem?: (error: unknown) => boolean;
}

export interface Batcher<Item, Result> {
  readonly add: (item: Item) => Promise<Result>;
  /** Resolves when nothing runs or waits. */
  readonly idle: () => Promise<void>;
}

interface PendingCall<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes of many calls few runs, one at a time. The calls of one iteration of the event loop run together immediately;
 * those that come during it run together next, in the order they came. A single call costs no delay.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { maxSize, sizeOf = () => 1, lingerMs = 0, keyOf, run, isOfOneItem = () => false } = options;
  let waiting: PendingCall<Item, Result>[] = [];
  let running: Promise<void> | undefined;

  const takeNext = (): PendingCall<Item, Result>[] => {
    const keys = new Set<string>();
    const next: PendingCall<Item, Result>[] = [];
    const later: PendingCall<Item, Result>[] = [];
    let size = 0;
    for (const one of waiting) {
      const key = keyOf?.(one.item);
      const fits = size < maxSize && !(key !== undefined && keys.has(key));
      if (key !== undefined) keys.add(key);
      if (fits) size += sizeOf(one.item);
      (fits ? next : later).push(one);
    }
    waiting = later;
    return next;
  };

  const runTogether = async (batch: readonly PendingCall<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && isOfOneItem(error)) for (const one of batch) await runTogether([one]);
      else for (const { reject } of batch) reject(error);
    }
  };

  const runAll = async () => {
    // The other calls of this iteration join the first batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = takeNext();
      await runTogether(batch);
      const mayLinger = lingerMs > 0 && batch.length >= BUSY && waiting.length < maxSize;
      if (mayLinger) await waitUntilQuiet(() => waiting.length, lingerMs);
    }
    running = undefined;
  };

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= runAll();
      }),
    idle: () => running ?? Promise.resolve(),
  };
}
