import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { logUnexpected, type Metrics, type ObserveRequest } from '@blog-content/service-runtime';
import type { ReadCache } from '../cache/read-cache.ts';
import type { ReplicaLease } from '../replicas/replica-lease.ts';
import { isUnchanged, type PublicAnswer, type AnswerRequest } from './answer-request.ts';
import { serverError, tooManyRequests, type Answer } from '../http/answer.ts';
import { chooseCoding, type ContentCoding } from '../http/content-coding.ts';
import type { Cors } from '../http/cors.ts';
import { isPublicApiTarget } from '../request/match-route.ts';
import { parsePublicQuery } from '../request/parse-public-query.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { sendWithin, type SendDependencies } from '../http/send-within.ts';

export interface PublicApiDependencies extends SendDependencies {
  readonly answerRequest: AnswerRequest;
  readonly cache: ReadCache;
  readonly lease: Pick<ReplicaLease, 'isValid'>;
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

/**
 * The public API as a function of Node's request and response, free of any framework. False for what is not a request
 * of this API. Reads no request body.
 *
 * A request that is the same as an earlier one, byte by byte, is answered from the cache while the lease lasts: it is
 * counted, and has no line in the log, no request id and no trace.
 */
export function createPublicApi(
  dependencies: PublicApiDependencies,
): (...parameters: Parameters<RequestListener>) => boolean {
  const { answerRequest, cache, lease, rateLimit, budget, cors, countUse, observe, metrics, nowMs } = dependencies;
  const codings = new Map<string | undefined, ContentCoding>();
  let fromMemory = 0;
  const answers = metrics.counter('public_read_answers', 'Responses with a valid key.', ['from'], (counter) => {
    counter.inc({ from: 'memory' }, fromMemory);
    fromMemory = 0;
  });
  metrics.gauge('public_read_cache_bytes', 'Estimated memory used by the cache.', [], (gauge) =>
    gauge.set(cache.bytes),
  );
  metrics.gauge('public_read_cache_entries', 'Projects and responses in the cache.', [], (gauge) =>
    gauge.set(cache.entries),
  );
  metrics.gauge('public_read_answer_bytes', 'Responses being rendered, or sent but not fully read.', [], (gauge) =>
    gauge.set(budget.bytes),
  );
  metrics.gauge('public_read_lease', '1 while the cache can be used.', [], (gauge) =>
    gauge.set(Number(lease.isValid())),
  );

  function codingOf(acceptEncoding: string | undefined): ContentCoding {
    let coding = codings.get(acceptEncoding);
    if (coding === undefined) {
      coding = chooseCoding(acceptEncoding);
      if (codings.size < MAX_REMEMBERED_CODINGS) codings.set(acceptEncoding, coding);
    }
    return coding;
  }

  function answerFromCache(request: IncomingMessage, response: ServerResponse, target: string): boolean {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const headers = relevantHeaders(request.rawHeaders);
    if (headers === null) return false;
    const cached = cache.findByRequest(requestKey(codingOf(headers.acceptEncoding), target, headers.authorization));
    if (cached === null || !lease.isValid()) return false;
    cached.used = true;
    const { projectId, accountId } = cached.project;
    const now = nowMs();
    const waitS = rateLimit === null ? 0 : rateLimit.take(projectId, now);
    let answer: Answer;
    if (waitS > 0) answer = tooManyRequests(waitS);
    else {
      const { representation } = cached;
      const isKnown = isUnchanged(representation, headers.ifNoneMatch, headers.ifModifiedSince);
      answer = isKnown ? representation.notModified(now) : representation.full(now);
      if (!isOwnPage(headers.fetchSite)) countUse(projectId, isKnown);
    }
    fromMemory += 1;
    sendWithin(dependencies, response, allowed(answer, headers.origin), { method, accountId, reservation: null });
    return true;
  }

  async function answerObserved(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const {
      authorization,
      origin,
      'if-none-match': ifNoneMatch,
      'if-modified-since': ifModifiedSince,
      'sec-fetch-site': fetchSite,
    } = request.headers;
    const acceptEncoding = [request.headers['accept-encoding'] ?? []].flat().join(',') || undefined;
    const method = request.method ?? '';
    const coding = codingOf(acceptEncoding);
    const { query, key, routePattern } = parsePublicQuery({ method, target, authorization });
    const observed = observe(request, response, target, () => routePattern);
    let publicAnswer: PublicAnswer;
    try {
      const publicRequest = { query, key, coding, ifNoneMatch, ifModifiedSince };
      publicAnswer = await answerRequest(publicRequest);
    } catch (error) {
      logUnexpected(observed.logger, error);
      publicAnswer = { answer: serverError, project: null, cached: null };
    }
    const { answer, project, cached, reservation = null } = publicAnswer;
    if (project !== null) {
      const { projectId } = project;
      observed.log['project_id'] = projectId;
      if (answer.status < 400 && !isOwnPage(fetchSite)) countUse(projectId, answer.status === 304);
      answers.inc({ from: 'database' });
    }
    if (cached !== null) cache.rememberRequest(requestKey(coding, target, authorization), cached);
    sendWithin(dependencies, response, allowed(answer, origin), {
      method,
      accountId: project?.accountId ?? null,
      reservation,
    });
  }

  function allowed(answer: Answer, origin: string | undefined): Answer {
    return cors === null ? answer : withHeaders(answer, cors.headersFor(origin));
  }

  function answer(request: IncomingMessage, response: ServerResponse, target: string): void {
    if (answerFromCache(request, response, target)) return;
    if (
      cors !== null &&
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined
    ) {
      response.writeHead(204, cors.preflightHeaders(request.headers.origin) as string[]).end();
    } else void answerObserved(request, response, target);
  }

  return (request, response) => {
    const target = request.url ?? '';
    if (!isPublicApiTarget(target)) return false;
    answer(request, response, target);
    return true;
  };
}

/** Names everything that an answer from the cache depends on. No target has a blank or a line break in it. */
function requestKey(coding: ContentCoding, target: string, authorization: string | undefined): string {
  return authorization === undefined ? `${coding} ${target}` : `${coding} ${target}\n${authorization}`;
}

/** Finds the headers without having Node make an object of all of them. Null when one comes twice. */
function relevantHeaders(rawHeaders: readonly string[]): RelevantHeaders | null {
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
    if (found[name] !== undefined) return null;
    found[name] = rawHeaders[at + 1];
  }
  return found;
}

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
function isOwnPage(fetchSite: string | undefined): boolean {
  return fetchSite === 'same-origin';
}

function withHeaders(answer: Answer, headers: readonly string[]): Answer {
  return headers.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...headers] };
}
