import { setTimeout as sleep } from 'node:timers/promises';

export interface Turn {
  /** Whose request it is: few of one caller's wait at the same time. */
  readonly callerId: string;
  /** What only one request is at, at any time. */
  readonly key: string;
}

/**
 * Has requests for the same thing come one after the other, with those that wait holding no connection to the database.
 */
export interface Turns {
  /**
   * Calls `attempt` until it gives a result, with pauses; never while another request of this process has the same key.
   *
   * @param attempt gives null, quickly, when another process has the key.
   * @returns null when the time is up, or at once when as many requests of the caller wait already.
   */
  take<Result>(turn: Turn, attempt: () => Promise<Result | null>): Promise<Result | null>;
}

export interface TurnsOptions {
  /** Longest wait. */
  readonly waitMs: number;
  readonly pauseMs: number;
  /** Most requests of one caller that wait in this process. */
  readonly maxWaiting: number;
}

/** Turns among the requests of this process. */
export function createTurns({ waitMs, pauseMs, maxWaiting }: TurnsOptions): Turns {
  const taken = new Set<string>();
  const waiting = new Map<string, number>();

  const tryOnce = async <Result>(key: string, attempt: () => Promise<Result | null>): Promise<Result | null> => {
    if (taken.has(key)) return null;
    taken.add(key);
    try {
      return await attempt();
    } finally {
      taken.delete(key);
    }
  };

  return {
    async take({ callerId, key }, attempt) {
      const first = await tryOnce(key, attempt);
      if (first !== null) return first;
      const others = waiting.get(callerId) ?? 0;
      if (others >= maxWaiting) return null;
      waiting.set(callerId, others + 1);
      try {
        const deadline = performance.now() + waitMs;
        while (performance.now() < deadline) {
          await sleep(pauseMs);
          const result = await tryOnce(key, attempt);
          if (result !== null) return result;
        }
        return null;
      } finally {
        const left = (waiting.get(callerId) ?? 1) - 1;
        if (left > 0) waiting.set(callerId, left);
        else waiting.delete(callerId);
      }
    },
  };
}
