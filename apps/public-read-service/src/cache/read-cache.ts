import { LRUCache } from 'lru-cache';
import type { Representation } from '../http/representation.ts';
import type { ProjectVersion } from '../queries/published-blog.ts';

/** One response takes at most this share of the memory, so that it doesn't evict all others. */
const MAX_ENTRY_SHARE = 1 / 4;
/** What an entry takes besides its bytes and its key: objects and headers. Measured roughly. */
const OVERHEAD_BYTES = 1_500;
const MAX_CACHED_PROJECTS = 10_000;
/** Projects whose last change is remembered. */
const MAX_REMEMBERED_CHANGES = 10_000;

/** What is known of a project whose key was presented. */
export interface CachedProject extends ProjectVersion {
  /** The {@link ReadCache.changeCount} from before the lookup. */
  readonly countBefore: number;
  /** Responses that are being rendered, by request: others who send the same request wait for them. */
  readonly rendering: Map<string, Promise<unknown>>;
}

export interface CachedAnswer {
  readonly project: CachedProject;
  readonly representation: Representation;
}

export type ReadCache = ReturnType<typeof createReadCache>;

/**
 * Responses by request and projects by key, bounded in bytes; 0 turns it off. It finds nothing without a lease
 * (replica-lease.ts). A change evicts nothing: what was looked up before it is no longer found.
 */
export function createReadCache(limitBytes: number, monotonicMs: () => number, nowMs: () => number) {
  const maxSize = Math.max(1, limitBytes);
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize,
    maxEntrySize: Math.max(1, Math.floor(maxSize * MAX_ENTRY_SHARE)),
    sizeCalculation: ({ representation }, request) => OVERHEAD_BYTES + 2 * request.length + representation.bytes,
  });
  const projects = new LRUCache<string, CachedProject>({ max: MAX_CACHED_PROJECTS });
  /** Project → the count of its last change; the oldest change comes first. */
  const changedAt = new Map<string, number>();
  let changes = 0;
  /** Lookups from before this count may have missed a change. */
  let oldestKnown = 0;
  let validUntilMs = 0;
  let validUntilTimeMs = 0;
  let isAsked = false;
  let onAsked = (): void => undefined;

  // The time of day as well: a machine's monotonic clock stops while it is suspended.
  const isValid = () => monotonicMs() < validUntilMs && nowMs() < validUntilTimeMs;
  const isCurrent = ({ projectId, countBefore }: CachedProject) =>
    countBefore >= oldestKnown && (changedAt.get(projectId) ?? 0) <= countBefore;

  return {
    get bytes() {
      return answers.calculatedSize;
    },
    get entries() {
      return answers.size + projects.size;
    },
    isValid,
    isCurrent: (project: CachedProject) => isValid() && isCurrent(project),

    /** The lease lasts until then, on both clocks. */
    allowUntil(untilMs: number, untilTimeMs: number): void {
      validUntilMs = untilMs;
      validUntilTimeMs = untilTimeMs;
    },

    /** Whether anything was looked for since this was last called. */
    takeAsked(): boolean {
      const wasAsked = isAsked;
      isAsked = false;
      return wasAsked;
    },

    /** `callback` is called with the next look for a response, instead of an earlier callback. */
    whenAsked(callback: () => void): void {
      onAsked = callback;
    },

    /** The response to an earlier request. The request names everything that a response depends on. */
    find(request: string): CachedAnswer | null {
      if (!isAsked) {
        isAsked = true;
        onAsked();
      }
      const found = answers.get(request);
      return found !== undefined && isValid() && isCurrent(found.project) ? found : null;
    },

    put(request: string, answer: CachedAnswer): void {
      if (isValid() && isCurrent(answer.project)) answers.set(request, answer);
    },

    findProject(key: string): CachedProject | null {
      const found = projects.get(key);
      return found !== undefined && isValid() && isCurrent(found) ? found : null;
    },

    /** How many changes this process has heard of. */
    changeCount: () => changes,

    /** @param countBefore {@link changeCount} from before the lookup: a change since then makes the result stale. */
    putProject(key: string, found: ProjectVersion, countBefore: number): CachedProject {
      const project = { ...found, countBefore, rendering: new Map<string, Promise<unknown>>() };
      if (limitBytes > 0 && isValid()) projects.set(key, project);
      return project;
    },

    drop(projectIds: readonly string[]): void {
      changes += 1;
      for (const projectId of projectIds) {
        changedAt.delete(projectId);
        changedAt.set(projectId, changes);
      }
      for (const [projectId, count] of changedAt) {
        if (changedAt.size <= MAX_REMEMBERED_CHANGES) break;
        changedAt.delete(projectId);
        oldestKnown = count;
      }
    },

    dropAll(): void {
      changes += 1;
      oldestKnown = changes;
      changedAt.clear();
      answers.clear();
      projects.clear();
    },
  };
}
