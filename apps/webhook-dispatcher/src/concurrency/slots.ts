/** Places that tenants hold for a while, so that none holds all of them. */
export interface Places {
  /** Takes one. The function it returns gives it back; null when there is none to be had. */
  enter(tenantId: string): (() => void) | null;
}

/** @param most places in all. @param perTenant most of them of one tenant. */
export function createPlaces(most: number, perTenant: number): Places {
  const held = new Map<string, number>();
  let all = 0;
  return {
    enter(tenantId) {
      const own = held.get(tenantId) ?? 0;
      if (all >= most || own >= perTenant) return null;
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
