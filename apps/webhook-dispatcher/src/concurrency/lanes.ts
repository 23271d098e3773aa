/** An attempt that has not ended after so long is slow, in milliseconds: most of them wait for a receiver that says nothing. */
export const SLOW_AFTER_MS = 2_000;

/** Most attempts at once, young and slow, as a multiple of the young ones: in all, and of one tenant. */
const ALL_OF_YOUNG = 4;
const TENANT_OF_YOUNG = 2;

export interface LaneLimits {
  /** Most young attempts at once. */
  readonly concurrency: number;
  /** Most of them of one tenant. */
  readonly perTenant: number;
  /** When an attempt is young no more, in milliseconds. */
  readonly slowAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** What one tenant has under way, and how many attempts more it may begin. */
export interface TenantRoom {
  readonly inFlight: number;
  readonly room: number;
}

/** What may begin now. */
export interface Room {
  readonly inAll: number;
  /** Of a tenant that has nothing under way. */
  readonly perTenant: number;
  /** The tenants that have. */
  readonly tenants: ReadonlyMap<string, TenantRoom>;
}

/**
 * The places of this process in which attempts run. A slow one gives its place among the young ones back, and only counts towards a
 * larger number from then on: a socket that nobody answers costs little. A tenant begins nothing that would not find room there too,
 * so that no place of the young ones is kept for longer than {@link SLOW_AFTER_MS}, whatever receivers do.
 */
export interface Lanes {
  /** Takes a place for an attempt of this tenant. The function it returns gives it back. */
  enter(tenantId: string): () => void;
  room(): Room;
  /** How many are slow. */
  slow(): number;
  /** In how many milliseconds the next one turns slow; null when none is young. */
  nextSlowInMs(): number | null;
}

export function createLanes(limits: LaneLimits): Lanes {
  const { concurrency, slowAfterMs = SLOW_AFTER_MS, now = () => performance.now() } = limits;
  const perTenant = Math.min(limits.perTenant, concurrency);
  /** Oldest first. */
  const occupied = new Set<{ readonly tenantId: string; readonly slowAtMs: number }>();

  const roomFor = (young: number, all: number, most: number, factor: number) =>
    Math.max(0, Math.min(most - young, factor * most - all));

  return {
    enter(tenantId) {
      const place = { tenantId, slowAtMs: now() + slowAfterMs };
      occupied.add(place);
      return () => {
        occupied.delete(place);
      };
    },
    room() {
      const nowMs = now();
      const counts = new Map<string, { young: number; all: number }>();
      let allYoung = 0;
      for (const { tenantId, slowAtMs } of occupied) {
        const count = counts.get(tenantId) ?? { young: 0, all: 0 };
        const young = slowAtMs > nowMs ? 1 : 0;
        counts.set(tenantId, { young: count.young + young, all: count.all + 1 });
        allYoung += young;
      }
      const tenants = new Map<string, TenantRoom>();
      for (const [tenantId, { young, all }] of counts) {
        const own = roomFor(young, all, perTenant, TENANT_OF_YOUNG);
        // Never more than is left: however many tenants hold on to their places, some remain for one that has none.
        const left = ALL_OF_YOUNG * concurrency - occupied.size;
        tenants.set(tenantId, { inFlight: all, room: Math.max(0, Math.min(own, left - all)) });
      }
      return { inAll: roomFor(allYoung, occupied.size, concurrency, ALL_OF_YOUNG), perTenant, tenants };
    },
    slow: () => [...occupied].filter(({ slowAtMs }) => slowAtMs <= now()).length,
    nextSlowInMs() {
      const nowMs = now();
      for (const { slowAtMs } of occupied) if (slowAtMs > nowMs) return slowAtMs - nowMs;
      return null;
    },
  };
}
