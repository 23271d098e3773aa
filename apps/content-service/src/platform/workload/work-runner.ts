import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { createWakeSignal } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';

/** One kind of work that becomes due: emails, image variants, steps of generations, schedules, clean-ups. */
export interface DueWork<Item> {
  /** Its name in the log. */
  readonly name: string;
  /** How often it claims without being woken, in milliseconds: a {@link DueWatch} wakes most kinds. */
  readonly pollMs?: number;
  /** Most items at a time in this process that aren't slow; 1 by default, and with 0 it runs none. */
  readonly slots?: number;
  /**
   * After this time, in milliseconds, an item is slow and gives its slot back: it waits for a server or for a thread,
   * and servers that never answer would stop everybody's items. By default no item is slow.
   */
  readonly slowAfterMs?: number;
  /** Shortest time between two starts, in milliseconds. */
  readonly pauseMs?: number;
  /** How long an item may still run after `stop`, in milliseconds, until its signal is aborted. */
  readonly lastMs?: number;
  /** Starts no more items and aborts those that run, ahead of `stop`. */
  readonly stopping?: AbortSignal;
  /**
   * Takes the next due item, by a lease or a row's lock, so that it isn't due again until it has ended. Null when none
   * is due. An item that one transaction can finish may be finished here.
   *
   * @param running the items that run in this process.
   */
  readonly claim: (running: ReadonlySet<Item>) => Promise<Item | null>;
  /** Does what is left to do. */
  readonly run?: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

export interface WorkRunner<Item> {
  /** Looks for due items now. */
  readonly wake: () => void;
  running(): Item[];
  /** Aborts the signals of running items. */
  abort(isMeant: (item: Item) => boolean): void;
  /** Starts no more items, and resolves when those that run have ended. */
  stop(): Promise<void>;
}

/** Longest sleep of a runner, in milliseconds. */
const UNWOKEN_MS = 60_000;
/** Most items at a time for each slot, slow ones included. */
const MAX_ITEMS_OF_SLOT = 8;

/**
 * Claims due items and runs them. Every replica has a runner of each kind; a claim decides which of them runs an item.
 * An item that ends frees its slot and is followed by the next claim. Each kind promises itself what a crash may not
 * lose or repeat: by its lease, its token, or one transaction.
 */
export function startWorkRunner<Item>(work: DueWork<Item>): WorkRunner<Item> {
  const { name, pollMs = UNWOKEN_MS, slots = 1, slowAfterMs = Infinity, pauseMs = 0, lastMs = 0 } = work;
  const { stopping, claim, run, logger } = work;
  const signal = createWakeSignal();
  const running = new Map<Item, { readonly abort: AbortController; readonly startedMs: number }>();
  const settled = new Set<Promise<void>>();
  let isStopping = false;

  const runOne = async (item: Item): Promise<void> => {
    const abort = new AbortController();
    running.set(item, { abort, startedMs: performance.now() });
    try {
      await run?.(item, abort.signal);
      running.delete(item);
      signal.wake();
    } catch (error) {
      // Without a wake: an item that fails immediately must not be tried in a tight loop.
      running.delete(item);
      logger.warn(`${name}.failed`, { error });
    }
  };

  const start = (item: Item): void => {
    const ended: Promise<void> = runOne(item).finally(() => settled.delete(ended));
    settled.add(ended);
  };

  const hasFreeSlot = (): boolean => {
    if (running.size >= slots * MAX_ITEMS_OF_SLOT) return false;
    const fast = [...running.values()].filter(({ startedMs }) => performance.now() - startedMs < slowAfterMs);
    return fast.length < slots;
  };

  const loop = async (): Promise<void> => {
    while (!isStopping) {
      let item: Item | null = null;
      try {
        if (hasFreeSlot()) item = await claim(new Set(running.keys()));
      } catch (error) {
        logger.warn(`${name}.claim_failed`, { error });
      }
      if (item === null) {
        await signal.sleep(pollMs);
      } else {
        start(item);
        // Everything else of this process comes in between, also where nothing makes items wait: a timer may be due
        // again in the same iteration of the event loop.
        await nextIteration();
        if (pauseMs > 0) await sleep(pauseMs);
      }
    }
  };
  const looping = slots > 0 ? loop() : Promise.resolve();

  const abort = (isMeant: (item: Item) => boolean): void => {
    for (const [item, one] of running) if (isMeant(item)) one.abort.abort();
  };
  stopping?.addEventListener('abort', () => {
    isStopping = true;
    abort(() => true);
  });
  return {
    wake: signal.wake,
    running: () => [...running.keys()],
    abort,
    async stop() {
      isStopping = true;
      signal.wake();
      await looping;
      const last = setTimeout(() => abort(() => true), lastMs);
      await Promise.all(settled);
      clearTimeout(last);
    },
  };
}
