import type { InvalidationTarget } from '../replicas/replica-lease.ts';
import type { Answer, Representation } from '../http/answer.ts';
import type { ProjectVersion } from '../queries/published-blog.ts';
import { createClockCache, type ClockCache, type Evictable } from './clock-cache.ts';

/** Request keys that are remembered for one answer. Requests with others are answered less fast. */
const MAX_REQUEST_KEYS = 8;
/** Longer request keys are not remembered: no reader sends them by accident. */
const MAX_REQUEST_KEY_LENGTH = 1_024;
/** What an entry takes besides its bytes: objects, headers, entries of maps. Measured roughly. */
const OVERHEAD_BYTES = 1_500;
const REQUEST_KEY_BYTES = 2 * 300;
/** Projects whose last change is remembered, for answers that were begun before it. */
const MAX_REMEMBERED_CHANGES = 10_000;

/** An answer in the cache. */
export interface CachedAnswer extends Evictable {
  readonly project: CachedProject;
  readonly representation: Representation;
  /** False once it was evicted. */
  readonly isCached: boolean;
}

/** What came of rendering an answer. */
export type RenderResult =
  | { readonly representation: Representation; readonly failed: null; readonly cached: CachedAnswer | null }
  | { readonly representation: null; readonly failed: Answer; readonly cached: null };

/** What is known of a project whose key was presented. */
export interface CachedProject extends ProjectVersion {
  /** False when something has changed since, or when it never was in the cache: no answer is put into it then. */
  readonly isCached: boolean;
  /** Answers that are being rendered, by name: whoever asks meanwhile waits for the same. */
  readonly rendering: Map<string, Promise<RenderResult>>;
  /** @param name of the query and the content coding */
  find(name: string): CachedAnswer | null;
  /** Null when the project is not in the cache any more, or the answer is too large. */
  put(name: string, representation: Representation): CachedAnswer | null;
}

/** How many changes this process has heard of. A look-up notes it when it begins. */
export type ChangeCount = number;

export interface ReadCache extends InvalidationTarget {
  readonly bytes: number;
  readonly entries: number;
  /** The answer to an earlier request with exactly this key; null when there is none. */
  findByRequest(requestKey: string): CachedAnswer | null;
  /** Remembers which request an answer belongs to. The key names coding, target and credential. */
  rememberRequest(requestKey: string, answer: CachedAnswer): void;
  findProject(key: string): CachedProject | null;
  changeCount(): ChangeCount;
  /**
   * What a look-up of a public key has found, and {@link changeCount} from before it: what changed since is not cached.
   */
  putProject(key: string, found: ProjectVersion, countBefore: ChangeCount): CachedProject;
}

/**
 * Answers by project: a change of a project evicts all of them at once. Bounded in bytes; with 0 nothing is cached.
 * What it holds may be used only under a lease (replica-lease.ts).
 *
 *     a key is looked up ─┬─▶ cached ── the project changes, the key is looked up anew, or memory is short ──▶ uncached
 *                         └─▶ uncached: the project has changed since the look-up began, or the cache has no room
 */
export function createReadCache(limitBytes: number): ReadCache {
  const memory = createClockCache(limitBytes);
  const answersByRequest = new Map<string, CachedAnswer>();
  const byKey = new Map<string, Project>();
  const byId = new Map<string, Project>();
  const entries: Entries = { memory, answersByRequest, byKey, byId };
  const changedAt = new Map<string, ChangeCount>();
  let changes: ChangeCount = 0;
  /** For look-ups from before this count it is not known what has changed since. */
  let oldestKnown: ChangeCount = 0;

  return {
    get bytes() {
      return memory.bytes;
    },
    get entries() {
      return memory.entries;
    },

    findByRequest(requestKey) {
      return answersByRequest.get(requestKey) ?? null;
    },

    rememberRequest(requestKey, answer) {
      const { requestKeys } = answer as AnswerEntry;
      if (!answer.isCached || requestKeys.length >= MAX_REQUEST_KEYS) return;
      if (requestKey.length > MAX_REQUEST_KEY_LENGTH || answersByRequest.has(requestKey)) return;
      answersByRequest.set(requestKey, answer);
      requestKeys.push(requestKey);
    },

    findProject(key) {
      const project = byKey.get(key);
      if (project === undefined) return null;
      project.used = true;
      return project;
    },

    changeCount: () => changes,

    putProject(key, found, countBefore) {
      const { projectId } = found;
      const isCurrent = countBefore >= oldestKnown && (changedAt.get(projectId) ?? 0) <= countBefore;
      if (limitBytes === 0 || !isCurrent) return createProject(entries, key, found, 'uncached');
      const project = createProject(entries, key, found, 'cached');
      byId.get(projectId)?.evict();
      if (!memory.add(project)) return createProject(entries, key, found, 'uncached');
      byKey.set(key, project);
      byId.set(projectId, project);
      return project;
    },

    drop(projectIds) {
      changes += 1;
      for (const projectId of projectIds) {
        byId.get(projectId)?.evict();
        changedAt.set(projectId, changes);
      }
      if (changedAt.size <= MAX_REMEMBERED_CHANGES) return;
      changedAt.clear();
      oldestKnown = changes;
    },

    dropAll() {
      changes += 1;
      oldestKnown = changes;
      changedAt.clear();
      for (const project of [...byId.values()]) project.evict();
    },
  };
}

/** Where entries are found, and what bounds them. */
interface Entries {
  readonly memory: ClockCache;
  readonly answersByRequest: Map<string, CachedAnswer>;
  readonly byKey: Map<string, Project>;
  readonly byId: Map<string, Project>;
}

interface Project extends CachedProject, Evictable {}

interface AnswerEntry extends CachedAnswer {
  readonly requestKeys: string[];
}

type State = 'cached' | 'uncached';

function createProject(entries: Entries, key: string, found: ProjectVersion, firstState: State): Project {
  const { memory, byKey, byId } = entries;
  const { projectId, accountId, version } = found;
  const answers = new Map<string, CachedAnswer>();
  let state = firstState;
  const project: Project = {
    projectId,
    accountId,
    version,
    get isCached() {
      return state === 'cached';
    },
    bytes: OVERHEAD_BYTES,
    used: true,
    /** Hits mark answers alone: without this the project would go, and answers that are in use with it. */
    get isNeeded() {
      return answers.size > 0;
    },
    rendering: new Map(),
    find(name) {
      const answer = answers.get(name);
      if (answer === undefined) return null;
      answer.used = true;
      return answer;
    },
    put(name, representation) {
      if (state === 'uncached') return null;
      const answer = createAnswer(entries, project, answers, name, representation);
      answers.get(name)?.evict();
      // First, so that no change of the project misses it, whatever goes to make room for it.
      answers.set(name, answer);
      if (memory.add(answer)) return answer;
      answers.delete(name);
      return null;
    },
    evict() {
      state = 'uncached';
      memory.remove(project);
      project.rendering.clear();
      for (const answer of [...answers.values()]) answer.evict();
      if (byKey.get(key) === project) byKey.delete(key);
      if (byId.get(projectId) === project) byId.delete(projectId);
    },
  };
  return project;
}

function createAnswer(
  { memory, answersByRequest }: Entries,
  project: Project,
  answers: Map<string, CachedAnswer>,
  name: string,
  representation: Representation,
): AnswerEntry {
  const requestKeys: string[] = [];
  let state: State = 'cached';
  const answer: AnswerEntry = {
    accountId: project.accountId,
    project,
    get isCached() {
      return state === 'cached';
    },
    representation,
    requestKeys,
    used: false,
    isNeeded: false,
    bytes: OVERHEAD_BYTES + MAX_REQUEST_KEYS * REQUEST_KEY_BYTES + 2 * name.length + representation.bytes,
    evict() {
      state = 'uncached';
      memory.remove(answer);
      if (answers.get(name) === answer) answers.delete(name);
      for (const requestKey of requestKeys) answersByRequest.delete(requestKey);
    },
  };
  return answer;
}
