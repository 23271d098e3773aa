import { createFairQueue, TooBusy } from '@blog-content/concurrency';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { logUnexpected, type Metrics, type ObserveRequest } from '@blog-content/service-runtime';
import type { CachedAnswer, ReadCache } from '../cache/read-cache.ts';
import { budgetExhausted, serverError, tooManyRequests, unauthorized, type Answer } from '../http/answer.ts';
import type { Cors } from '../http/cors.ts';
import { SMALL_BYTES, type LargeAnswers } from '../http/large-answers.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { chooseCoding, type ContentCoding } from '../http/representation.ts';
import { LARGE_PAGE_CONNECTIONS } from '../database/open-database.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';
import { renderInChunks } from '../rendering/render-in-chunks.ts';
import { isPublicApiTarget, parsePublicQuery } from '../request/parse-public-query.ts';
import type { createAnswerRequest, LargeBody, PublicAnswer } from './answer-request.ts';

export interface PublicApiDependencies {
  readonly answerRequest: ReturnType<typeof createAnswerRequest>;
  readonly store: Pick<PublicReadStore, 'openPage'>;
  readonly largeAnswers: LargeAnswers;
  readonly cache: ReadCache;
  readonly rateLimit: RateLimit | null;
  readonly cors: Cors | null;
  /** Called with each answer that a valid key got. */
  readonly countUse: (projectId: string, isNotModified: boolean) => void;
  readonly observe: ObserveRequest;
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'>;
  readonly nowMs: () => number;
}

/** Different Accept-Encoding headers whose coding is remembered. */
const MAX_REMEMBERED_CODINGS = 200;

/** The headers that an answer depends on. */
interface RelevantHeaders {
  authorization: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  ifModifiedSince: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
}

/** A slot for each connection for large pages, one of an account at a time: accounts take turns. */
const LARGE_PAGES = {
  slots: LARGE_PAGE_CONNECTIONS,
  slotsEach: 1,
  waitingEach: 50,
  waiting: 1_000,
  maxWaitMs: 10_000,
} as const;

/**
 * The public API as a function of Node's request and response, free of any framework; other requests go to `next`.
 * Reads no request body.
 *
 * A request that is the same as an earlier one, byte by byte, is answered from the cache while the lease lasts: it is
 * counted, and has no line in the log, no request id and no trace.
 */
export function createPublicApi(dependencies: PublicApiDependencies, next: RequestListener): RequestListener {
  const { answerRequest, store, largeAnswers, cache, rateLimit, cors, countUse, observe, metrics, nowMs } =
    dependencies;
  const codings = new Map<string | undefined, ContentCoding>();
  const pageSlots = createFairQueue(LARGE_PAGES);
  let fromMemory = 0;
  const answers = metrics.counter('public_read_answers_total', 'Responses with a valid key.', ['from'], (counter) => {
    counter.inc({ from: 'memory' }, fromMemory);
    fromMemory = 0;
  });
  const gauge = (name: string, help: string, value: () => number) =>
    metrics.gauge(`public_read_${name}`, help, [], (collected) => collected.set(value()));
  gauge('cache_bytes', 'Estimated memory used by the cache.', () => cache.bytes);
  gauge('cache_entries', 'Projects and responses in the cache.', () => cache.entries);
  gauge('answer_bytes', 'Responses sent but not fully read.', () => largeAnswers.bytes);
  gauge('lease', '1 while the cache can be used.', () => Number(cache.isValid()));

  function codingOf(acceptEncoding: string | undefined): ContentCoding {
    let coding = codings.get(acceptEncoding);
    if (coding === undefined) {
      coding = chooseCoding(acceptEncoding);
      if (codings.size < MAX_REMEMBERED_CODINGS) codings.set(acceptEncoding, coding);
    }
    return coding;
  }

  const allowed = (answer: Answer, origin: string | undefined): Answer =>
    cors === null ? answer : { ...answer, headers: [...answer.headers, ...cors.headersFor(origin)] };

  /** @param accountId null when the request had no valid key */
  function send(response: ServerResponse, answer: Answer, origin: string | undefined, accountId: string | null): void {
    const body = response.req.method === 'HEAD' ? null : answer.body;
    if (accountId !== null && body !== null && body.length >= SMALL_BYTES) {
      largeAnswers.send(response, allowed(answer, origin), accountId);
    } else response.writeHead(answer.status, allowed(answer, origin).headers as string[]).end(body);
  }

  function answerFromCache(response: ServerResponse, found: CachedAnswer, headers: RelevantHeaders): void {
    const { projectId, accountId } = found.project;
    const answer = (waitS: number): void => {
      fromMemory += 1;
      if (waitS > 0) return send(response, tooManyRequests(waitS), headers.origin, accountId);
      const known = found.representation.answer(headers, nowMs());
      if (!isOwnPage(headers)) countUse(projectId, known.status === 304);
      send(response, known, headers.origin, accountId);
    };
    if (rateLimit === null) answer(0);
    else void rateLimit.take(projectId).then(answer);
  }

  async function answerObserved(response: ServerResponse, target: string, headers: RelevantHeaders): Promise<void> {
    const { authorization, acceptEncoding, origin } = headers;
    const { method = '' } = response.req;
    const coding = codingOf(acceptEncoding);
    const { query, key, routePattern } = parsePublicQuery({ method, target, authorization });
    const observed = observe(response.req, response, target, () => routePattern);
    try {
      const cacheKey = cacheKeyOf(coding, target, authorization);
      const { answer, project, large } = await answerRequest({ ...headers, query, key, coding, cacheKey });
      if (project !== null) {
        const { projectId } = project;
        observed.log['project_id'] = projectId;
        if (answer.status < 400 && !isOwnPage(headers)) countUse(projectId, answer.status === 304);
        answers.inc({ from: 'database' });
        if (large !== undefined && answer.status === 200 && method !== 'HEAD') {
          return await sendPage(response, project, large, origin);
        }
      }
      send(response, answer, origin, project?.accountId ?? null);
    } catch (error) {
      if (response.closed) return;
      logUnexpected(observed.logger, error);
      if (response.headersSent) response.destroy();
      else send(response, serverError, origin, null);
    }
  }

  /** Waits for a slot before it holds memory. The slot is free again once the page needs its snapshot no more. */
  async function sendPage(
    response: ServerResponse,
    { projectId, accountId }: NonNullable<PublicAnswer['project']>,
    { page, coding, answerOf }: LargeBody,
    origin: string | undefined,
  ): Promise<void> {
    const leave = await pageSlots.enter(accountId).catch((error: unknown) => {
      if (error instanceof TooBusy) return null;
      throw error;
    });
    if (leave === null) return send(response, budgetExhausted, origin, null);
    try {
      await largeAnswers.stream(response, accountId, page.contentBytes, async () => {
        const opened = await store.openPage(projectId, page.listQuery, leave);
        if (opened === null) return unauthorized;
        const answer = allowed(answerOf(opened.page.version), origin);
        return { answer, coding, texts: renderInChunks(page.query, opened.page, opened.blogs) };
      });
    } finally {
      leave();
    }
  }

  return (request, response) => {
    const target = request.url ?? '';
    if (!isPublicApiTarget(target)) return next(request, response);
    const { method } = request;
    const headers = relevantHeaders(request);
    const isRead = method === 'GET' || method === 'HEAD';
    const { acceptEncoding, authorization } = headers;
    const found = isRead ? cache.find(cacheKeyOf(codingOf(acceptEncoding), target, authorization)) : null;
    if (found !== null) answerFromCache(response, found, headers);
    else if (cors !== null && isPreflight(request)) {
      response.writeHead(204, cors.preflightHeaders(headers.origin) as string[]).end();
    } else void answerObserved(response, target, headers);
  };
}

const isPreflight = ({ method, headers }: IncomingMessage) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Names everything that an answer from the cache depends on. No target has a blank or a line break in it. */
function cacheKeyOf(coding: ContentCoding, target: string, authorization: string | undefined): string {
  return authorization === undefined ? `${coding} ${target}` : `${coding} ${target}\n${authorization}`;
}

/** Finds the headers without having Node make an object of all of them, unless one comes twice. */
function relevantHeaders(request: IncomingMessage): RelevantHeaders {
  const { rawHeaders } = request;
  const found: RelevantHeaders = {
    authorization: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    ifModifiedSince: undefined,
    origin: undefined,
    fetchSite: undefined,
  };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = relevantName(rawHeaders[at] ?? '');
    if (name === undefined) continue;
    if (found[name] !== undefined) return joinedHeaders(request);
    found[name] = rawHeaders[at + 1];
  }
  return found;
}

const joinedHeaders = ({ headers }: IncomingMessage): RelevantHeaders => ({
  authorization: headers.authorization,
  acceptEncoding: [headers['accept-encoding'] ?? []].flat().join(',') || undefined,
  ifNoneMatch: headers['if-none-match'],
  ifModifiedSince: headers['if-modified-since'],
  origin: headers.origin,
  fetchSite: [headers['sec-fetch-site']].flat()[0],
});

/** Compared, not looked up in a map: that would work out the hash of each name. */
function relevantName(name: string): keyof RelevantHeaders | undefined {
  switch (name.toLowerCase()) {
    case 'authorization':
      return 'authorization';
    case 'accept-encoding':
      return 'acceptEncoding';
    case 'if-none-match':
      return 'ifNoneMatch';
    case 'if-modified-since':
      return 'ifModifiedSince';
    case 'origin':
      return 'origin';
    case 'sec-fetch-site':
      return 'fetchSite';
    default:
      return undefined;
  }
}

/** Whether a page of this origin, the dashboard, asks: its previews are not a site's use of the key (Fetch Metadata). */
const isOwnPage = ({ fetchSite }: RelevantHeaders) => fetchSite === 'same-origin';
