/** As many wait already as may, and of this owner no fewer than of any other; or it took too long to get a slot. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}

/** What is left out has no limit. */
export interface FairQueueLimits {
  /** Most concurrent calls. */
  readonly slots?: number;
  /** Most concurrent calls of one owner. */
  readonly slotsEach?: number;
  /** Most of one owner that wait. */
  readonly waitingEach?: number;
  /** Most that wait in all. */
  readonly waiting?: number;
  /** How long one waits at most, in milliseconds. */
  readonly maxWaitMs?: number;
}

export interface FairQueue {
  /**
   * Waits for a slot. Owners take turns: who has many waiting delays none of the others. Where as many wait as may, one
   * who has fewer waiting than another displaces the last of the other.
   *
   * @param signal gives the wait up.
   * @returns what gives the slot back; calling it again does nothing.
   * @throws TooBusy when too many wait, and when there was no slot in time, or before `signal` was aborted.
   */
  enter(owner: string, signal?: AbortSignal): Promise<() => void>;
  /** Does the work in a slot. @throws TooBusy like `enter`; what the work does. */
  run<Result>(owner: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

interface Waiter {
  readonly enter: () => void;
  readonly giveUp: () => void;
}

/** A bounded number of slots in this process that owners share evenly. */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const { slots = Infinity, slotsEach = Infinity, waitingEach = Infinity, waiting = Infinity, maxWaitMs } = limits;
  let taken = 0;
  let waitingInAll = 0;
  const takenBy = new Map<string, number>();
  /** Those who wait, by owner; the owner whose turn is next comes first. */
  const queues = new Map<string, Set<Waiter>>();

  const isFree = (owner: string) => taken < slots && (takenBy.get(owner) ?? 0) < slotsEach;

  const take = (owner: string): (() => void) => {
    taken += 1;
    takenBy.set(owner, (takenBy.get(owner) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken -= 1;
      const left = (takenBy.get(owner) ?? 1) - 1;
      if (left > 0) takenBy.set(owner, left);
      else takenBy.delete(owner);
      letIn();
    };
  };

  const leave = (owner: string, waiter: Waiter): void => {
    const queue = queues.get(owner);
    if (!queue?.delete(waiter)) return;
    waitingInAll -= 1;
    if (queue.size === 0) queues.delete(owner);
  };

  const letIn = (): void => {
    for (const [owner, queue] of [...queues]) {
      if (taken >= slots) return;
      const [waiter] = queue;
      if (waiter === undefined || !isFree(owner)) continue;
      leave(owner, waiter);
      if (queues.delete(owner)) queues.set(owner, queue);
      waiter.enter();
    }
  };

  /** The last to come of the owner who has most waiting; undefined when nobody has more than `atLeast`. */
  const lastOfLongest = (atLeast: number): Waiter | undefined => {
    let longest: Set<Waiter> | undefined;
    for (const queue of queues.values()) if (queue.size > (longest?.size ?? atLeast)) longest = queue;
    return longest && [...longest].at(-1);
  };

  const queue: FairQueue = {
    async run(owner, work, signal) {
      const leave = await queue.enter(owner, signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },

    enter(owner, signal) {
      if (signal?.aborted) return Promise.reject(new TooBusy());
      if (isFree(owner)) return Promise.resolve(take(owner));
      const ownWaiting = queues.get(owner)?.size ?? 0;
      if (ownWaiting >= waitingEach) return Promise.reject(new TooBusy());
      if (waitingInAll >= waiting) {
        const displaced = lastOfLongest(ownWaiting + 1);
        if (displaced === undefined) return Promise.reject(new TooBusy());
        displaced.giveUp();
      }
      return new Promise((resolve, reject) => {
        const settle = () => {
          clearTimeout(deadline);
          signal?.removeEventListener('abort', waiter.giveUp);
        };
        const waiter: Waiter = {
          enter() {
            settle();
            resolve(take(owner));
          },
          giveUp() {
            settle();
            leave(owner, waiter);
            reject(new TooBusy());
          },
        };
        // Not a signal of `AbortSignal.timeout`: most get in immediately, and its timer and registrations would outlive
        // them.
        const deadline = maxWaitMs === undefined ? undefined : setTimeout(waiter.giveUp, maxWaitMs).unref();
        signal?.addEventListener('abort', waiter.giveUp, { once: true });
        const own = queues.get(owner) ?? new Set();
        queues.set(owner, own.add(waiter));
        waitingInAll += 1;
      });
    },
  };
  return queue;
}
