import type { ProjectVersion } from './published-blog.ts';

/** Queries under way at once: however many unknown keys come, the database gets no more than it answers. */
const MAX_QUERIES = 2;
const MAX_KEYS_PER_QUERY = 500;
/** Different keys that may wait. */
const MAX_WAITING = 5_000;

/**
 * Finds the project of a key by the key's SHA-256; null when no project has it. Look-ups that come while others are
 * under way go together in one query. Rejects when the database fails, or when thousands are waiting already.
 */
export type FindProject = (keyHash: string) => Promise<ProjectVersion | null>;

/** The store's part of it. */
export interface FindProjects {
  /** The projects whose keys have these SHA-256 (lowercase hexadecimal), by hash. */
  findProjects(keyHashes: readonly string[]): Promise<ReadonlyMap<string, ProjectVersion>>;
}

interface PendingLookup {
  readonly promise: Promise<ProjectVersion | null>;
  readonly resolve: (project: ProjectVersion | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds the queries that keys cause. */
export function createFindProject(store: FindProjects): FindProject {
  const waiting = new Map<string, PendingLookup>();
  let queries = 0;

  async function ask(): Promise<void> {
    const batch = [...waiting].slice(0, MAX_KEYS_PER_QUERY);
    for (const [keyHash] of batch) waiting.delete(keyHash);
    queries += 1;
    try {
      const found = await store.findProjects(batch.map(([keyHash]) => keyHash));
      for (const [keyHash, { resolve }] of batch) resolve(found.get(keyHash) ?? null);
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    } finally {
      queries -= 1;
      if (waiting.size > 0) void ask();
    }
  }

  return (keyHash) => {
    const known = waiting.get(keyHash);
    // Not sent yet, so its answer will be new enough.
    if (known !== undefined) return known.promise;
    if (waiting.size >= MAX_WAITING) return Promise.reject(new Error('Too many keys are being looked up.'));
    const added = Promise.withResolvers<ProjectVersion | null>();
    waiting.set(keyHash, added);
    if (queries < MAX_QUERIES) void ask();
    return added.promise;
  };
}
