/**
 * An attempt that has not ended after so long is slow, in milliseconds: most of them wait for a receiver that says
 * nothing.
 */
const SLOW_AFTER_MS = 2_000;

/** Most attempts at once, fast and slow, for each fast slot: in all, and of one tenant. */
const ALL_PER_FAST_SLOT = 4;
const TENANT_PER_FAST_SLOT = 2;

export interface LaneLimits {
  /** Fast slots: most attempts at once that are not slow. */
  readonly concurrency: number;
  /** Most of them of one tenant. */
  readonly perTenant: number;
  /** When an attempt becomes slow, in milliseconds. */
  readonly slowAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** How many attempts of a tenant run, and how many more may begin. */
export interface TenantSlots {
  readonly running: number;
  readonly free: number;
}

/** How many attempts may begin now. */
export interface FreeSlots {
  readonly inAll: number;
  /** Of a tenant of which none runs. */
  readonly perTenant: number;
  /** Those of which some run. */
  readonly tenants: ReadonlyMap<string, TenantSlots>;
}

/**
 * The slots of this process in which attempts run. An attempt that becomes slow moves to the slow lane: it gives its
 * fast slot back, and only counts towards a larger number from then on, because a socket that nobody answers costs
 * little. A tenant begins nothing that would not find a slot there too, so that no attempt keeps a fast slot for longer
 * than {@link SLOW_AFTER_MS}.
 */
export interface Lanes {
  /** Takes a slot for an attempt of this tenant. The function it returns gives it back. */
  enter(tenantId: string): () => void;
  free(): FreeSlots;
  /** How many are slow. */
  slow(): number;
  /** In how many milliseconds the next one becomes slow; null when none will. */
  nextSlowInMs(): number | null;
}

export function createLanes(limits: LaneLimits): Lanes {
  const { concurrency, slowAfterMs = SLOW_AFTER_MS, now = () => performance.now() } = limits;
  const perTenant = Math.min(limits.perTenant, concurrency);
  /** Oldest first. */
  const occupied = new Set<{ readonly tenantId: string; readonly slowAtMs: number }>();

  const freeOf = (fast: number, all: number, max: number, perFastSlot: number) =>
    Math.max(0, Math.min(max - fast, perFastSlot * max - all));

  return {
    enter(tenantId) {
      const attempt = { tenantId, slowAtMs: now() + slowAfterMs };
      occupied.add(attempt);
      return () => {
        occupied.delete(attempt);
      };
    },
    free() {
      const nowMs = now();
      const counts = new Map<string, { fast: number; all: number }>();
      let allFast = 0;
      for (const { tenantId, slowAtMs } of occupied) {
        const count = counts.get(tenantId) ?? { fast: 0, all: 0 };
        const fast = slowAtMs > nowMs ? 1 : 0;
        counts.set(tenantId, { fast: count.fast + fast, all: count.all + 1 });
        allFast += fast;
      }
      const tenants = new Map<string, TenantSlots>();
      for (const [tenantId, { fast, all }] of counts) {
        const own = freeOf(fast, all, perTenant, TENANT_PER_FAST_SLOT);
        // Never more than is left: however many tenants keep their slots, some remain for one that has none.
        const left = ALL_PER_FAST_SLOT * concurrency - occupied.size;
        tenants.set(tenantId, { running: all, free: Math.max(0, Math.min(own, left - all)) });
      }
      return { inAll: freeOf(allFast, occupied.size, concurrency, ALL_PER_FAST_SLOT), perTenant, tenants };
    },
    slow: () => [...occupied].filter(({ slowAtMs }) => slowAtMs <= now()).length,
    nextSlowInMs() {
      const nowMs = now();
      for (const { slowAtMs } of occupied) if (slowAtMs > nowMs) return slowAtMs - nowMs;
      return null;
    },
  };
}
