interface PendingLookUp<Found> {
  readonly promise: Promise<Found | null>;
  readonly resolve: (found: Found | null) => void;
  readonly reject: (error: unknown) => void;
}

export interface LookUpLimits {
  /** Concurrent queries: however many unknown names come, the database gets no more than it answers. */
  readonly queries: number;
  readonly namesPerQuery: number;
  /** Different names that may wait. */
  readonly waiting: number;
}

/**
 * Looks names up that strangers choose. Look-ups that come while others are under way go together in one query. Null
 * for what `find` has not found. Rejects when `find` does, or when too many names are waiting already.
 */
export function createLookUps<Found>(
  find: (names: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
  limits: LookUpLimits,
): (name: string) => Promise<Found | null> {
  const waiting = new Map<string, PendingLookUp<Found>>();
  let queries = 0;

  async function ask(): Promise<void> {
    const batch = [...waiting].slice(0, limits.namesPerQuery);
    for (const [name] of batch) waiting.delete(name);
    queries += 1;
    try {
      const found = await find(batch.map(([name]) => name));
      for (const [name, { resolve }] of batch) resolve(found.get(name) ?? null);
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    } finally {
      queries -= 1;
      if (waiting.size > 0) void ask();
    }
  }

  return (name) => {
    const known = waiting.get(name);
    // Not sent yet, so its answer will be new enough.
    if (known !== undefined) return known.promise;
    if (waiting.size >= limits.waiting) return Promise.reject(new Error('Too many concurrent lookups.'));
    const added = Promise.withResolvers<Found | null>();
    waiting.set(name, added);
    if (queries < limits.queries) void ask();
    return added.promise;
  };
}
