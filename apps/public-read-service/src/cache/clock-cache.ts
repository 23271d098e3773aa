/** Something that takes memory and can be let go. */
export interface Evictable {
  /** Estimate, in bytes. */
  readonly bytes: number;
  /** Set by each use, cleared when the hand passes. */
  used: boolean;
  /** Lets go of it everywhere; calls {@link ClockCache.remove} for itself and whatever goes with it. */
  evict(): void;
}

/** Bounds what is kept by its bytes. */
export interface ClockCache {
  readonly bytes: number;
  readonly entries: number;
  /** False when it is larger than the bound allows one entry to be; it is not kept then. */
  add(entry: Evictable): boolean;
  remove(entry: Evictable): void;
}

/** No entry may take more than this share, so that one large answer does not throw all others out. */
const MAX_ENTRY_SHARE = 1 / 4;

/**
 * A cache's memory under a bound, by the CLOCK algorithm: what was used since the hand passed last gets another round, so a
 * use costs one assignment.
 */
export function createClockCache(limitBytes: number): ClockCache {
  // In the order of being added: taking the first and adding it again moves the hand on.
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
