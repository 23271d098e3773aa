/** An entry of a cache. */
export interface Evictable {
  /** The account whose share of the memory it takes. */
  readonly accountId: string;
  /** Estimate, in bytes. */
  readonly bytes: number;
  /** Set by each use, cleared when the hand passes. */
  used: boolean;
  /** Whether it has entries of its own. They go first. */
  readonly isNeeded: boolean;
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

/** An account that holds more gives way first: its reads push out nothing that is others'. */
const MAX_ACCOUNT_SHARE = 1 / 2;

/** Entries in the order of being added: moving the first to the end moves the clock's hand. */
interface Ring {
  readonly entries: Set<Evictable>;
  bytes: number;
}

/**
 * A cache's memory under a bound, by the CLOCK algorithm: what was used since the hand passed last gets another round,
 * so a use costs one assignment. An account may have all of it as long as it is not full, and then keeps half.
 */
export function createClockCache(limitBytes: number): ClockCache {
  const all: Ring = { entries: new Set(), bytes: 0 };
  const rings = new Map<string, Ring>();
  /** Which one holds more than half, if any does. */
  let largest: Ring = { entries: new Set(), bytes: 0 };

  function ringOf(accountId: string): Ring {
    const ring = rings.get(accountId) ?? { entries: new Set(), bytes: 0 };
    rings.set(accountId, ring);
    return ring;
  }

  function remove(entry: Evictable): void {
    if (!all.entries.delete(entry)) return;
    all.bytes -= entry.bytes;
    const own = ringOf(entry.accountId);
    own.entries.delete(entry);
    own.bytes -= entry.bytes;
    if (own.entries.size === 0) rings.delete(entry.accountId);
  }

  function evictFrom({ entries }: Ring, kept: Evictable, isTooMuch: () => boolean): void {
    for (const candidate of entries) {
      if (!isTooMuch()) break;
      if (candidate === kept) continue;
      if (candidate.used || candidate.isNeeded) {
        candidate.used = false;
        entries.delete(candidate);
        entries.add(candidate);
      } else {
        candidate.evict();
        remove(candidate);
      }
    }
  }

  return {
    get bytes() {
      return all.bytes;
    },
    get entries() {
      return all.entries.size;
    },
    add(entry) {
      if (entry.bytes > limitBytes * MAX_ENTRY_SHARE) return false;
      const own = ringOf(entry.accountId);
      for (const ring of [all, own]) {
        ring.entries.add(entry);
        ring.bytes += entry.bytes;
      }
      if (own.bytes > largest.bytes) largest = own;
      const isFull = () => all.bytes > limitBytes;
      evictFrom(largest, entry, () => isFull() && largest.bytes > limitBytes * MAX_ACCOUNT_SHARE);
      evictFrom(all, entry, isFull);
      return true;
    },
    remove,
  };
}
