/** Slots that tenants hold for a while, so that none holds all of them. */
export interface Slots {
  /** Takes one. The function it returns gives it back; null when there is none to be had. */
  enter(tenantId: string): (() => void) | null;
}

/** @param max slots in all. @param maxPerTenant most of them of one tenant. */
export function createSlots(max: number, maxPerTenant: number): Slots {
  const held = new Map<string, number>();
  let all = 0;
  return {
    enter(tenantId) {
      const own = held.get(tenantId) ?? 0;
      if (all >= max || own >= maxPerTenant) return null;
      held.set(tenantId, own + 1);
      all += 1;
      return () => {
        const left = (held.get(tenantId) ?? 1) - 1;
        if (left === 0) held.delete(tenantId);
        else held.set(tenantId, left);
        all -= 1;
      };
    },
  };
}
