import { createFairQueue, TooBusy } from '@blog-content/concurrency';
import { sha256Hex } from '@blog-content/credentials';
import type { CachedProject, ReadCache } from '../cache/read-cache.ts';
import { failure, suspended, tooManyReads, tooManyRequests, unauthorized, type Answer } from '../http/answer.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import {
  createRepresentation,
  encode,
  entityTag,
  listsTag,
  type Conditions,
  type ContentCoding,
  type Representation,
} from '../http/representation.ts';
import type { FindProject } from './find-project.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';
import {
  isWellFormedKey,
  type ParsedRequest,
  type PublicQuery,
  type QueryRefusal,
} from '../request/parse-public-query.ts';
import { runPublicQuery, type LargePage, type NothingFound } from './run-public-query.ts';

/** What an answer depends on. */
export interface PublicRequest extends Pick<ParsedRequest, 'query' | 'key'>, Conditions {
  readonly coding: ContentCoding;
  /** Names all of it but the conditions. */
  readonly cacheKey: string;
}

/** An answer, with what the caller needs to send it. */
export interface PublicAnswer {
  readonly answer: Answer;
  /** The project of the key. Null for a request without a valid one. */
  readonly project: Pick<CachedProject, 'projectId' | 'accountId'> | null;
  /** Streamed as the body of the answer, if that is 200. */
  readonly large?: LargeBody;
}

/** A page that is read while it is sent. */
export interface LargeBody {
  readonly page: LargePage;
  readonly coding: ContentCoding;
  /** The answer when the page is of this version. */
  readonly answerOf: (version: string) => Answer;
}

type Rendered =
  | { readonly kind: 'whole'; readonly representation: Representation }
  | { readonly kind: 'failed'; readonly answer: Answer }
  | LargePage;

export interface AnswerRequestDependencies {
  readonly store: PublicReadStore;
  /** Of the store's pool. */
  readonly connections: number;
  readonly findProject: FindProject;
  readonly cache: ReadCache;
  readonly rateLimit: RateLimit | null;
  readonly nowMs: () => number;
}

/** Connections that reads leave to the lookups of keys. */
const KEY_CONNECTIONS = 2;
/** Reads that may wait. One account has as many as a site's build requests concurrently. */
const WAITING = { waitingEach: 5_000, waiting: 20_000, maxWaitMs: 10_000 } as const;
/** A request without a usable key looks this up: it takes the same work as one with a wrong key. */
const NO_KEY_HASH = sha256Hex('no usable key');

/**
 * Answers requests of the public API that the cache has no answer to (contract §4.1–4.3, §5.1, §7.1): key, rate limit,
 * parameters, then a 304 by the project's version alone, or one read, rendered and compressed, for all who ask for the
 * same meanwhile. Rejects with the store's errors, for which the caller answers 500.
 *
 * Under the lease, what one request has found out answers others, too. Without it each request asks the database.
 * Either way, when the call that rotates or revokes a key has returned, every replica refuses that key.
 */
export function createAnswerRequest(dependencies: AnswerRequestDependencies) {
  const { store, connections, findProject, cache, rateLimit, nowMs } = dependencies;
  /** One account has at most half of the connections: reads that take long leave some to others. */
  const reads = createFairQueue({
    ...WAITING,
    slots: Math.max(1, connections - KEY_CONNECTIONS),
    slotsEach: Math.max(1, Math.floor(connections / 2)),
  });

  async function authenticate(key: string | null): Promise<CachedProject | null> {
    if (key === null || !isWellFormedKey(key)) {
      await findProject(NO_KEY_HASH);
      return null;
    }
    const known = cache.findProject(key);
    if (known !== null) return known;
    const countBefore = cache.changeCount();
    const found = await findProject(sha256Hex(key));
    return found && cache.putProject(key, found, countBefore);
  }

  /** Holds its slot until it is compressed: else any number of answers would wait for that, in memory. */
  function render(project: CachedProject, query: PublicQuery, { coding, cacheKey }: PublicRequest, name: string) {
    const { projectId } = project;
    return reads.run(project.accountId, async (): Promise<Rendered> => {
      const found = await runPublicQuery(store, projectId, query);
      if (found.kind === 'large_page') return found;
      if (found.kind !== 'text') return { kind: 'failed', answer: nothingFound(found) };
      const { version, contentType, text } = found;
      // A change may have been committed since the key was looked up: the tag is that of what was read.
      const etag = entityTag({ projectId, version }, name, coding);
      const body = await encode(text, coding);
      const representation = createRepresentation({ etag, version, contentType, coding, body });
      if (version === project.version) cache.put(cacheKey, { project, representation });
      return { kind: 'whole', representation };
    });
  }

  /** Renders it, or waits for a request that renders the same. */
  function renderOnce(project: CachedProject, query: PublicQuery, request: PublicRequest, name: string) {
    const { rendering } = project;
    if (!cache.isCurrent(project)) return render(project, query, request, name);
    const underWay = rendering.get(request.cacheKey) as Promise<Rendered> | undefined;
    if (underWay !== undefined) return underWay;
    const rendered = render(project, query, request, name).finally(() => rendering.delete(request.cacheKey));
    rendering.set(request.cacheKey, rendered);
    return rendered;
  }

  return async (request: PublicRequest): Promise<PublicAnswer> => {
    const { query, key, coding } = request;
    if (query.kind === 'refusal' && !query.needsKey) return { answer: refused(query), project: null };
    const project = await authenticate(key);
    if (project === null) return { answer: unauthorized, project };

    const { projectId } = project;
    const waitS = (await rateLimit?.take(projectId)) ?? 0;
    if (waitS > 0) return { answer: tooManyRequests(waitS), project };
    if (project.isSuspended) return { answer: suspended, project };
    if (query.kind === 'refusal') return { answer: refused(query), project };

    const name = `${coding} ${JSON.stringify(query)}`;
    const answerOf = (version: string, contentType = '') => {
      const etag = entityTag({ projectId, version }, name, coding);
      return createRepresentation({ etag, version, contentType, coding, body: null }).answer(request, nowMs());
    };
    if (listsTag(request.ifNoneMatch, entityTag(project, name, coding))) {
      return { answer: answerOf(project.version), project };
    }
    try {
      const rendered = await renderOnce(project, query, request, name);
      if (rendered.kind === 'failed') return { answer: rendered.answer, project };
      if (rendered.kind === 'whole') return { answer: rendered.representation.answer(request, nowMs()), project };
      const answerOfPage = (version: string) => answerOf(version, rendered.contentType);
      return {
        answer: answerOfPage(rendered.version),
        project,
        large: { page: rendered, coding, answerOf: answerOfPage },
      };
    } catch (error) {
      if (error instanceof TooBusy) return { answer: tooManyReads, project };
      throw error;
    }
  };
}

function nothingFound(found: NothingFound): Answer {
  if (found.kind !== 'no_such_blog') return NOTHING_FOUND[found.kind];
  return found.movedTo === null ? NO_SUCH_BLOG : failure(404, `${NO_BLOG_TEXT} The post moved to "${found.movedTo}".`);
}

const NO_BLOG_TEXT = 'No published post has this slug.';
const NO_SUCH_BLOG = failure(404, NO_BLOG_TEXT);

const NOTHING_FOUND: Readonly<Record<Exclude<NothingFound['kind'], 'no_such_blog'>, Answer>> = {
  no_such_project: unauthorized,
  position_gone: failure(410, 'The position in `since` is too old. Start over with since=0.'),
  no_site_address: failure(404, 'The project has no site URL, which absolute links require. An owner can set one.'),
};

function refused({ status, detail }: QueryRefusal): Answer {
  return failure(status, detail, ...(status === 405 ? ['allow', 'GET, HEAD'] : []));
}
