import { createFairQueue, TooBusy } from '@blog-content/concurrency';
import { sha256Hex } from '@blog-content/credentials';
import type { CachedAnswer, CachedProject, ReadCache, RenderResult } from '../cache/read-cache.ts';
import type { ReplicaLease } from '../replicas/replica-lease.ts';
import type { AnswerBudget, Reservation } from '../http/answer-budget.ts';
import {
  createRepresentation,
  failure,
  budgetExhausted,
  tooManyReads,
  tooManyRequests,
  unauthorized,
  type Answer,
  type Representation,
} from '../http/answer.ts';
import { encode, type ContentCoding } from '../http/content-coding.ts';
import { entityTag, isAnyTag, listsTag } from '../http/entity-tag.ts';
import type { FindProject } from '../queries/find-project.ts';
import { isWellFormedKey } from '../request/presented-key.ts';
import { LARGE_PAGE_CONNECTIONS } from '../database/open-read-pool.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';
import type { ReadSlots } from './read-slots.ts';
import type { ParsedRequest, PublicQuery, QueryRefusal } from '../request/parse-public-query.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { runPublicQuery, type LargePage, type NothingFound } from './run-public-query.ts';
import type { LargePages } from '../large-pages/start-large-pages.ts';

/** What an answer depends on. */
export interface PublicRequest extends Pick<ParsedRequest, 'query' | 'key'> {
  readonly coding: ContentCoding;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
}

/** An answer, with what the caller needs to send and to remember it. */
export interface PublicAnswer {
  readonly answer: Answer;
  /** The project of the key. Null for a request without a valid one. */
  readonly project: Pick<CachedProject, 'projectId' | 'accountId'> | null;
  /** What may answer the same request next time, under a lease. */
  readonly cached: CachedAnswer | null;
  /** A large answer's. The caller releases it when the answer was sent. */
  readonly reservation?: Reservation | null;
}

/** Answers one request of the public API. Rejects with whatever the store throws: the caller answers 500. */
export type AnswerRequest = (request: PublicRequest) => Promise<PublicAnswer>;

export interface AnswerRequestDependencies {
  readonly store: PublicReadStore;
  readonly slots: ReadSlots;
  readonly largePages: Pick<LargePages, 'make'>;
  readonly findProject: FindProject;
  readonly cache: ReadCache;
  readonly lease: Pick<ReplicaLease, 'isValid'>;
  readonly rateLimit: RateLimit | null;
  readonly budget: AnswerBudget;
  readonly nowMs: () => number;
}

/** A request without a usable key looks this up: it takes the same work as one with a wrong key. */
const NO_KEY_HASH = sha256Hex('no usable key');
const SECOND_MS = 1_000;
/** A slot for each connection for large pages, one of an account at a time: accounts take turns. */
const LARGE_PAGES = {
  slots: LARGE_PAGE_CONNECTIONS,
  slotsEach: 1,
  waitingEach: 50,
  waiting: 1_000,
  maxWaitMs: 10_000,
} as const;

/**
 * Answers requests of the public API (contract §4.1–4.3, §5.1, §7.1): key, rate limit, parameters, then a 304 by the
 * project's version alone, or one read, rendered and compressed, for all who ask for the same meanwhile.
 *
 * Under the lease, what one request has found out answers others, too. Without it each request asks the database.
 * Either way, when the call that rotates or revokes a key has returned, every replica refuses that key.
 */
export function createAnswerRequest(dependencies: AnswerRequestDependencies): AnswerRequest {
  const { store, slots, largePages, findProject, cache, lease, rateLimit, budget, nowMs } = dependencies;
  const largePageSlots = createFairQueue(LARGE_PAGES);

  async function authenticate(key: string | null): Promise<CachedProject | null> {
    if (key === null || !isWellFormedKey(key)) {
      await findProject(NO_KEY_HASH);
      return null;
    }
    const known = lease.isValid() ? cache.findProject(key) : null;
    if (known !== null) return known;
    const countBefore = cache.changeCount();
    const found = await findProject(sha256Hex(key));
    return found && cache.putProject(key, found, countBefore);
  }

  async function render(
    project: CachedProject,
    query: PublicQuery,
    name: string,
    coding: ContentCoding,
  ): Promise<RenderResult> {
    const read = await readInSlot(project, query, coding);
    const encoded = read.kind === 'large_page' ? await encodeLarge(project, read, coding) : read;
    if (encoded.kind === 'failed') return { representation: null, failed: encoded.answer, cached: null };
    const { version } = encoded;
    const representation = createRepresentation({
      ...encoded,
      coding,
      // A change may have been committed since the key was looked up: the tag is that of what was read.
      ...validators(project.projectId, version, name, coding),
    });
    const cached = version === project.version ? project.put(name, representation) : null;
    return { representation, failed: null, cached };
  }

  /** Holds its slot until it is compressed: else any number of answers would wait for that, in memory. */
  async function readInSlot({ projectId, accountId }: CachedProject, query: PublicQuery, coding: ContentCoding) {
    const leave = await slots.enter(accountId, query).catch((error: unknown) => {
      if (error instanceof TooBusy) return null;
      throw error;
    });
    if (leave === null) return failed(tooManyReads);
    try {
      const found = await runPublicQuery(store, projectId, query);
      if (found.kind === 'large_page') return found;
      if (found.kind !== 'text') return failed(nothingFound(found));
      const { version, contentType, text } = found;
      return { kind: 'encoded', version, contentType, body: await encode(Buffer.from(text), coding) } as const;
    } finally {
      leave();
    }
  }

  /** Waits for a slot before it reserves memory: who waits holds nothing. */
  async function encodeLarge(project: CachedProject, page: LargePage, coding: ContentCoding) {
    try {
      const make = () => makeLarge(project, page, coding);
      return await largePageSlots.run(project.accountId, make);
    } catch (error) {
      if (error instanceof TooBusy) return failed(budgetExhausted);
      throw error;
    }
  }

  async function makeLarge({ projectId, accountId }: CachedProject, page: LargePage, coding: ContentCoding) {
    const { query, listQuery, contentType, contentBytes } = page;
    const reservation = budget.reserve(accountId, contentBytes);
    if (reservation === null) return failed(budgetExhausted);
    const body: Buffer[] = [];
    let bytes = 0;
    const keep = (piece: Buffer): void => {
      body.push(piece);
      bytes += piece.length;
      // What is rendered may be larger than what is stored: links grow by the site's address.
      if (bytes > reservation.bytes && !reservation.resize(bytes)) throw new TooBusy();
    };
    try {
      const result = await largePages.make({ projectId, query, listQuery, coding }, keep);
      if (result === null) return failed(unauthorized);
      reservation.resize(bytes);
      return { kind: 'encoded', ...result, body, contentType, reservation } as const;
    } finally {
      // Those who wait for this answer hold the reservation by then.
      setImmediate(() => reservation.release());
    }
  }

  /** Renders it, or waits for whoever renders the same. */
  function renderOnce(project: CachedProject, query: PublicQuery, name: string, coding: ContentCoding) {
    if (!project.isCached || !lease.isValid()) return render(project, query, name, coding);
    const underWay = project.rendering.get(name);
    if (underWay !== undefined) return underWay;
    const rendering = render(project, query, name, coding);
    const done = rendering.finally(() => project.rendering.delete(name));
    done.catch(() => undefined);
    project.rendering.set(name, rendering);
    return rendering;
  }

  return async (request) => {
    const { query, key, coding } = request;
    if (query.kind === 'refusal' && !query.needsKey) return { answer: refused(query), project: null, cached: null };
    const project = await authenticate(key);
    if (project === null) return { answer: unauthorized, project: null, cached: null };

    const { projectId } = project;
    const waitS = rateLimit?.take(projectId, nowMs()) ?? 0;
    if (waitS > 0) return { answer: tooManyRequests(waitS), project, cached: null };
    if (query.kind === 'refusal') return { answer: refused(query), project, cached: null };

    const name = `${coding} ${JSON.stringify(query)}`;
    const hit = project.isCached && lease.isValid() ? project.find(name) : null;
    if (hit !== null) return { answer: conditional(hit.representation, request), project, cached: hit };

    const expected = validators(projectId, project.version, name, coding);
    if (listsTag(request.ifNoneMatch, expected.etag)) {
      const nothing = { body: Buffer.alloc(0), contentType: '', coding };
      return {
        answer: createRepresentation({ ...nothing, ...expected }).notModified(nowMs()),
        project,
        cached: null,
      };
    }
    const { representation, failed, cached } = await renderOnce(project, query, name, coding);
    if (representation === null) return { answer: failed, project, cached: null };
    const { reservation } = representation;
    reservation?.retain();
    return { answer: conditional(representation, request), project, cached, reservation };
  };

  function conditional(representation: Representation, { ifNoneMatch, ifModifiedSince }: PublicRequest): Answer {
    const isKnown = isUnchanged(representation, ifNoneMatch, ifModifiedSince);
    return isKnown ? representation.notModified(nowMs()) : representation.full(nowMs());
  }
}

const failed = (answer: Answer) => ({ kind: 'failed', answer }) as const;

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

/** What Last-Modified looks like (RFC 9110 §5.6.7). `Date.parse` alone takes `2099` for a time to come. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Whether the reader's conditions say that it has this representation already (RFC 9110 §13.2.2): If-Modified-Since
 * counts only without an If-None-Match.
 */
export function isUnchanged(
  { etag, lastModifiedMs }: Representation,
  ifNoneMatch: string | undefined,
  ifModifiedSince: string | undefined,
): boolean {
  if (ifNoneMatch !== undefined) return ifNoneMatch === etag || isAnyTag(ifNoneMatch) || listsTag(ifNoneMatch, etag);
  return (
    ifModifiedSince !== undefined && HTTP_DATE.test(ifModifiedSince) && Date.parse(ifModifiedSince) >= lastModifiedMs
  );
}

/**
 * The entity tag, and the end of the second in which the version came about, so that no version of a later second can
 * have the same (a version is never below the clock's milliseconds at the change).
 */
function validators(projectId: string, version: string, name: string, coding: ContentCoding) {
  return {
    etag: entityTag({ projectId, version }, name, coding),
    lastModifiedMs: (Math.floor(Number(version) / SECOND_MS) + 1) * SECOND_MS,
  };
}

function refused({ status, detail }: QueryRefusal): Answer {
  return failure(status, detail, ...(status === 405 ? ['allow', 'GET, HEAD'] : []));
}
