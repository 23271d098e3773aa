import { MAX_ANSWER_BYTES } from '../http/exchange.ts';

/**
 * An attempt that has not ended after so long is slow, in milliseconds: most of them wait for a receiver that says
 * nothing.
 */
const SLOW_AFTER_MS = 2_000;

/** Most concurrent attempts, fast and slow, for each fast slot: in all, and of one tenant. */
const ALL_PER_FAST_SLOT = 4;
const TENANT_PER_FAST_SLOT = 2;

export interface LaneLimits {
  /** Fast slots: most concurrent attempts that are not slow. */
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

export type Lanes = ReturnType<typeof createLanes>;

/**
 * The slots of this process in which attempts run. An attempt that becomes slow moves to the slow lane: it gives its
 * fast slot back, and only counts towards a larger number from then on, because a socket that nobody answers costs
 * little. A tenant begins nothing that would not find a slot there too, so that no attempt keeps a fast slot for longer
 * than {@link SLOW_AFTER_MS}.
 */
export function createLanes(limits: LaneLimits) {
  const { concurrency, slowAfterMs = SLOW_AFTER_MS, now = () => performance.now() } = limits;
  const perTenant = Math.min(limits.perTenant, concurrency);
  /** Oldest first. */
  const occupied = new Set<{ readonly tenantId: string; readonly slowAtMs: number }>();

  const freeOf = (fast: number, all: number, max: number, perFastSlot: number) =>
    Math.max(0, Math.min(max - fast, perFastSlot * max - all));

  return {
    /** Takes a slot for an attempt of this tenant. The function it returns gives it back. */
    enter(tenantId: string): () => void {
      const attempt = { tenantId, slowAtMs: now() + slowAfterMs };
      occupied.add(attempt);
      return () => {
        occupied.delete(attempt);
      };
    },
    free(): FreeSlots {
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
    /** How many are slow. */
    slow: (): number => [...occupied].filter(({ slowAtMs }) => slowAtMs <= now()).length,
    /** In how many milliseconds the next one becomes slow; null when none will. */
    nextSlowInMs(): number | null {
      const nowMs = now();
      for (const { slowAtMs } of occupied) if (slowAtMs > nowMs) return slowAtMs - nowMs;
      return null;
    },
  };
}

/** Most that the attempts of this process hold, in bytes, and most that those of one project do. */
export const MAX_HELD_BYTES = 128 * 1024 * 1024;
export const MAX_HELD_BYTES_OF_PROJECT = 32 * 1024 * 1024;

/** A project whose body did not fit gets no more slots than fit by the size of that body, for so long. */
const REFUSAL_KEPT_MS = 60_000;

export interface BudgetLimits {
  readonly inAll: number;
  readonly perProject: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

export interface ReservedBytes {
  /** The body has been built, and comes to so many bytes. */
  resize(bodyBytes: number): void;
  /** Gives all of it back. Only the first call counts. */
  release(): void;
}

export type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * What the attempts of this process hold in memory, bounded in all and for each project. A project holds no more than
 * is left for the others, so that what many with large posts leave free is never nothing. One that holds nothing may
 * have as much as is left, and where nobody holds anything any body has room.
 */
export function createBodyBudget({ inAll, perProject, now = () => performance.now() }: BudgetLimits) {
  const held = new Map<string, number>();
  let heldInAll = 0;
  /** The largest body of a project, and when one last did not fit; the longest ago first. */
  const refused = new Map<string, { readonly bytes: number; readonly atMs: number }>();

  const change = (projectId: string, bytes: number) => {
    heldInAll += bytes;
    const ofProject = (held.get(projectId) ?? 0) + bytes;
    if (ofProject === 0) held.delete(projectId);
    else held.set(projectId, ofProject);
  };

  /** How many attempts that hold so much fit. */
  const slotsFor = (projectId: string, bytes: number): number => {
    const own = held.get(projectId) ?? 0;
    const left = inAll - heldInAll;
    const fitting = Math.max(0, Math.floor(Math.min(perProject - own, left - own) / bytes));
    const mayHaveOne = heldInAll === 0 || (own === 0 && bytes <= left);
    return mayHaveOne ? Math.max(1, fitting) : fitting;
  };

  const refuse = (projectId: string, bytes: number) => {
    const known = refused.get(projectId)?.bytes ?? 0;
    refused.delete(projectId);
    refused.set(projectId, { bytes: Math.max(known, bytes), atMs: now() });
  };

  return {
    /** Takes what an attempt with a body of so many bytes will hold; null when there is no room for it now. */
    take(projectId: string, bodyBytes: number): ReservedBytes | null {
      let bytes = bytesOfAttempt(bodyBytes);
      if (slotsFor(projectId, bytes) === 0) {
        refuse(projectId, bytes);
        return null;
      }
      change(projectId, bytes);
      let isHeld = true;
      return {
        resize(builtBytes) {
          if (!isHeld) return;
          const built = bytesOfAttempt(builtBytes);
          change(projectId, built - bytes);
          bytes = built;
          const known = refused.get(projectId);
          if (known !== undefined && known.bytes < built) refused.set(projectId, { ...known, bytes: built });
        },
        release() {
          if (!isHeld) return;
          isHeld = false;
          change(projectId, -bytes);
        },
      };
    },
    /** How many more attempts may begin of the projects whose bodies did not fit lately. */
    freeSlots(): ReadonlyMap<string, number> {
      const slots = new Map<string, number>();
      for (const [projectId, { bytes, atMs }] of refused) {
        if (now() - atMs < REFUSAL_KEPT_MS) slots.set(projectId, slotsFor(projectId, bytes));
        else refused.delete(projectId);
      }
      return slots;
    },
    heldBytes: (): number => heldInAll,
  };
}

/**
 * The body twice, because TLS encrypts it for each connection, and the system keeps what a receiver does not read: so
 * one that several receivers get counts for each of them. And the answer.
 */
function bytesOfAttempt(bodyBytes: number): number {
  return 2 * bodyBytes + MAX_ANSWER_BYTES;
}
