import type { Invalidated } from '../replicas/replica-lease.ts';
import type { Answer, Representation } from '../http/answer.ts';
import { createClockCache, type Evictable } from './clock-cache.ts';

/** Different spellings of one request that are remembered; more of them are answered all the same, less fast. */
const MAX_SPELLINGS = 8;
/** No reader writes longer ones by accident. */
const MAX_SPELLING_CHARACTERS = 1_024;
/** What an entry takes besides its bytes: objects, headers, places in maps. Measured roughly. */
const OVERHEAD_BYTES = 1_500;
const SPELLING_BYTES = 2 * 300;
/** Projects whose last change is remembered, for answers that were begun before it. */
const MAX_REMEMBERED_CHANGES = 10_000;

/** An answer kept ready, with what belongs to it. */
export interface KeptAnswer extends Evictable {
  readonly project: KeptProject;
  readonly representation: Representation;
  /** False once it was let go. */
  readonly isKept: boolean;
}

/** What came of making an answer. */
export type Made =
  | { readonly representation: Representation; readonly failed: null; readonly kept: KeptAnswer | null }
  | { readonly representation: null; readonly failed: Answer; readonly kept: null };

/** What is known of a project whose key was presented. */
export interface KeptProject {
  readonly projectId: string;
  readonly version: string;
  /** False when something changed since, or when it was never kept: nothing may be kept with it. */
  readonly isKept: boolean;
  /** What is being made, by name: for those who ask meanwhile. */
  readonly making: Map<string, Promise<Made>>;
  /** @param name of the question and the coding */
  find(name: string): KeptAnswer | null;
  /** Keeps an answer; null when the project is not what it was any more, or the answer is too large. */
  keep(name: string, representation: Representation): KeptAnswer | null;
}

/** When something was begun; only what has not changed since may be kept of it. */
export type Beginning = number;

export interface ReadCache extends Invalidated {
  readonly bytes: number;
  readonly entries: number;
  /** The answer to a request that was spelled exactly so before; null when there is none. */
  findSpelled(spelling: string): KeptAnswer | null;
  /** Remembers how a kept answer was asked for. A spelling names coding, target and credential. */
  rememberSpelling(spelling: string, kept: KeptAnswer): void;
  findProject(key: string): KeptProject | null;
  begin(): Beginning;
  /** What a look-up begun at `beginning` found for a key. */
  keepProject(key: string, found: { projectId: string; version: string }, beginning: Beginning): KeptProject;
}

/**
 * Answers kept ready, by project: a change of a project lets everything of it go at once. Bounded in bytes; with 0 nothing is
 * kept. What it holds may be used only under a lease (replica-lease.ts).
 */
export function createReadCache(limitBytes: number): ReadCache {
  const memory = createClockCache(limitBytes);
  const spellings = new Map<string, KeptAnswer>();
  const byKey = new Map<string, Project>();
  const byId = new Map<string, Project>();
  const changedAt = new Map<string, number>();
  /** Grows with every change; {@link Beginning}s are its values. */
  let changes = 0;
  /** What was begun before this cannot be judged any more. */
  let floor = 0;

  interface Project extends KeptProject, Evictable {
    letGo(): void;
  }

  function createProject(key: string, projectId: string, version: string, kept: boolean): Project {
    const answers = new Map<string, KeptAnswer>();
    let isKept = kept;
    const project: Project = {
      projectId,
      version,
      get isKept() {
        return isKept;
      },
      bytes: OVERHEAD_BYTES,
      used: true,
      making: new Map(),
      find(name) {
        const found = answers.get(name);
        if (found === undefined) return null;
        found.used = true;
        return found;
      },
      keep(name, representation) {
        if (!isKept) return null;
        const spelled: string[] = [];
        let isAnswerKept = true;
        const kept: KeptAnswer & { spelled: string[] } = {
          project,
          get isKept() {
            return isAnswerKept;
          },
          representation,
          spelled,
          used: true,
          bytes: OVERHEAD_BYTES + MAX_SPELLINGS * SPELLING_BYTES + 2 * name.length + representation.bytes,
          evict() {
            isAnswerKept = false;
            memory.remove(kept);
            if (answers.get(name) === kept) answers.delete(name);
            for (const spelling of spelled) spellings.delete(spelling);
          },
        };
        answers.get(name)?.evict();
        if (!memory.add(kept)) return null;
        answers.set(name, kept);
        return kept;
      },
      letGo() {
        isKept = false;
        memory.remove(project);
        project.making.clear();
        for (const answer of [...answers.values()]) answer.evict();
        if (byKey.get(key) === project) byKey.delete(key);
        if (byId.get(projectId) === project) byId.delete(projectId);
      },
      evict: () => project.letGo(),
    };
    return project;
  }

  return {
    get bytes() {
      return memory.bytes;
    },
    get entries() {
      return memory.entries;
    },

    findSpelled(spelling) {
      return spellings.get(spelling) ?? null;
    },

    rememberSpelling(spelling, kept) {
      const { spelled } = kept as KeptAnswer & { spelled: string[] };
      if (!kept.isKept || spelled.length >= MAX_SPELLINGS || spelling.length > MAX_SPELLING_CHARACTERS) return;
      if (spellings.has(spelling)) return;
      spellings.set(spelling, kept);
      spelled.push(spelling);
    },

    findProject(key) {
      const project = byKey.get(key);
      if (project === undefined) return null;
      project.used = true;
      return project;
    },

    begin: () => changes,

    keepProject(key, { projectId, version }, beginning) {
      const isCurrent = limitBytes > 0 && beginning >= floor && (changedAt.get(projectId) ?? 0) <= beginning;
      const project = createProject(key, projectId, version, isCurrent);
      if (!isCurrent) return project;
      byId.get(projectId)?.letGo();
      if (!memory.add(project)) return createProject(key, projectId, version, false);
      byKey.set(key, project);
      byId.set(projectId, project);
      return project;
    },

    drop(projectIds) {
      changes += 1;
      for (const projectId of projectIds) {
        byId.get(projectId)?.letGo();
        changedAt.set(projectId, changes);
      }
      if (changedAt.size <= MAX_REMEMBERED_CHANGES) return;
      changedAt.clear();
      floor = changes;
    },

    dropAll() {
      changes += 1;
      floor = changes;
      changedAt.clear();
      for (const project of [...byId.values()]) project.letGo();
    },
  };
}
