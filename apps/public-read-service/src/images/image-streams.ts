import { createFairQueue } from '@blog-content/concurrency';

/** Images that are read from the storage and sent at once, of all accounts and of one; others wait their turn. */
export const IMAGE_STREAMS = { slots: 128, slotsEach: 48, waitingEach: 256, waiting: 1_024 };
/** How long a request waits for its turn. */
const MAX_IMAGE_WAIT_MS = 10_000;
/** A reader who has been waited for longer gives its slot to the next, and goes on beside the slots. */
const IMAGE_SLOW_AFTER_MS = 2_000;
/** Readers beside the slots. One more cuts off the one that has been there longest. */
const MAX_SLOW_IMAGES = 256;
/** The same of one account. */
const MAX_SLOW_IMAGES_EACH = 64;

/** The right to send one image. */
export interface ImageStream {
  /**
   * Waits for the reader to take what was sent. A reader who takes too long leaves its slot, and is cut off after
   * `maxMs` in all.
   */
  awaitReader(hasTaken: Promise<unknown>, maxMs: number): Promise<void>;
  /** Gives it back. A second call does nothing. */
  end(): void;
}

export interface ImageStreams {
  /** How many are being sent. */
  readonly count: number;
  /**
   * Waits for a slot. Accounts take turns.
   *
   * @param cutOff ends the reader's connection, when it has to make room for another slow one.
   * @param signal gives the wait up.
   * @throws TooBusy
   */
  begin(accountId: string, cutOff: () => void, signal: AbortSignal): Promise<ImageStream>;
}

interface SlowReader {
  readonly accountId: string;
  readonly cutOff: () => void;
}

/** Bounds the images that are being sent, so that slow readers of one account hold up neither it nor the others. */
export function createImageStreams(
  monotonicMs: () => number,
  { slowAfterMs = IMAGE_SLOW_AFTER_MS, maxWaitMs = MAX_IMAGE_WAIT_MS } = {},
): ImageStreams {
  const queue = createFairQueue({ ...IMAGE_STREAMS, maxWaitMs });
  /** The ones that have been there longest come first. */
  const slow = new Set<SlowReader>();
  let count = 0;

  /** The reader of the account that has most who has been there longest. */
  function firstOfMost(): SlowReader | undefined {
    const firsts = new Map<string, { first: SlowReader; readers: number }>();
    for (const reader of slow) {
      const known = firsts.get(reader.accountId);
      if (known === undefined) firsts.set(reader.accountId, { first: reader, readers: 1 });
      else known.readers += 1;
    }
    return [...firsts.values()].reduce<{ first: SlowReader; readers: number } | undefined>(
      (most, next) => (most && most.readers >= next.readers ? most : next),
      undefined,
    )?.first;
  }

  function addSlow(reader: SlowReader): void {
    const own = [...slow].filter(({ accountId }) => accountId === reader.accountId);
    const leaves =
      own.length >= MAX_SLOW_IMAGES_EACH ? own[0] : slow.size >= MAX_SLOW_IMAGES ? firstOfMost() : undefined;
    if (leaves !== undefined) {
      slow.delete(leaves);
      leaves.cutOff();
    }
    slow.add(reader);
  }

  return {
    get count() {
      return count;
    },
    async begin(accountId, cutOff, signal) {
      const release = await queue.enter(accountId, signal);
      count += 1;
      const reader: SlowReader = { accountId, cutOff };
      let isOver = false;
      let isSlow = false;
      let waitedMs = 0;
      return {
        async awaitReader(hasTaken, maxMs) {
          const sinceMs = monotonicMs();
          const leave = setTimeout(
            () => {
              if (isOver || isSlow) return;
              isSlow = true;
              addSlow(reader);
              release();
            },
            Math.max(0, slowAfterMs - waitedMs),
          );
          const deadline = setTimeout(cutOff, Math.max(0, maxMs - waitedMs));
          try {
            await hasTaken;
          } finally {
            clearTimeout(leave);
            clearTimeout(deadline);
            waitedMs += monotonicMs() - sinceMs;
          }
        },
        end() {
          if (isOver) return;
          isOver = true;
          count -= 1;
          slow.delete(reader);
          release();
        },
      };
    },
  };
}
