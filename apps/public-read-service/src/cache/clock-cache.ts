/** An entry of a cache. */
export interface Evictable {
  /** Estimate, in bytes. */
  readonly bytes: number;
  /** Set by each use, cleared when the hand passes. */
  used: boolean;
  /** Takes it out of everything that holds it; calls {@link ClockCache.remove} for itself and whatever goes with it. */
  evict(): void;
}

/** Bounds a cache by its bytes. */
export interface ClockCache {
  readonly bytes: number;
  readonly entries: number;
  /** False, and nothing is added, when it is larger than one entry may be. */
  add(entry: Evictable): boolean;
  remove(entry: Evictable): void;
}

/** The share of the memory that one entry may take, so that a large answer does not evict all others. */
const MAX_ENTRY_SHARE = 1 / 4;

/**
 * A cache's memory under a bound, by the CLOCK algorithm: what was used since the hand passed last gets another round,
 * so a use costs one assignment.
 */
export function createClockCache(limitBytes: number): ClockCache {
  // In the order of being added: moving the first to the end moves the clock's hand.
  const entries = new Set<Evictable>();
  let bytes = 0;

  const remove = (entry: Evictable): void => {
    if (entries.delete(entry)) bytes -= entry.bytes;
  };
  return {
    get bytes() {
      return bytes;
    },
    get entries() {
      return entries.size;
    },
    add(entry) {
      if (entry.bytes > limitBytes * MAX_ENTRY_SHARE) return false;
      entries.add(entry);
      bytes += entry.bytes;
      for (const candidate of entries) {
        if (bytes <= limitBytes) break;
        if (candidate === entry) continue;
        if (candidate.used) {
          candidate.used = false;
          entries.delete(candidate);
          entries.add(candidate);
        } else {
          candidate.evict();
          remove(candidate);
        }
      }
      return true;
    },
    remove,
  };
}
