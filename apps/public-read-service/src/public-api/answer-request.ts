import { slug as slugSchema } from '@blog-content/payload-schemas';
import { createHash } from 'node:crypto';
import { failure, notModified, success, unauthorized, type Answer } from './answer.ts';
import { chooseCoding, encode } from './content-coding.ts';
import { entityTag, isAnyTag, listsTag } from './entity-tag.ts';
import { matchRoute, type PublicRoute } from './match-route.ts';
import { parseListQuery, type ListQuery } from './parse-list-query.ts';
import { isWellFormedKey, presentedKey } from './presented-key.ts';
import type { ProjectVersion, PublicReadStore } from './public-read-store.ts';
import { renderBlog, renderList, renderSitemap } from './render.ts';

/** What an answer depends on. */
export interface PublicRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly authorization: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** A route that can be asked with a key. */
type AnswerableRoute = Extract<PublicRoute, { kind: 'list' | 'blog' | 'sitemap' }>;

/** An answer, and for the log whose it is: null for a request without a valid key. */
export interface Answered {
  readonly answer: Answer;
  readonly projectId: string | null;
}

/** What is asked for, checked. `slug` is null when no blog can have it. */
type Question =
  | { readonly kind: 'list'; readonly query: ListQuery }
  | { readonly kind: 'blog'; readonly slug: string | null }
  | { readonly kind: 'sitemap' };

/** What a read found: a body that belongs to `version`, or why there is none. */
type Found = { readonly version: string; readonly body: object } | 'no such blog' | 'no such project';

/** What a request without a usable key looks up, so that it takes the same work as one with a wrong key. */
const NO_KEY = 'no usable key';

/**
 * Answers one request of the public API (spec §4.1–4.3, §5.1, §7.1): route, key, parameters, then a 304 by the project's
 * version alone, or one read, rendered and compressed.
 *
 * Nothing is remembered between requests: the key is asked for in the database each time, so when the call that rotates
 * or revokes it has returned, every replica refuses it.
 *
 * @throws whatever the store throws; the caller turns it into a 500
 */
export async function answerRequest(store: PublicReadStore, request: PublicRequest): Promise<Answered> {
  const { path, parameters } = split(request.target);
  const route = matchRoute(path);
  if (!isAnswerable(route) || !isReading(request.method)) {
    return { answer: refusal(route, request.method), projectId: null };
  }

  const project = await authenticate(store, presentedKey(request.authorization, parameters));
  if (!project) return { answer: unauthorized, projectId: null };

  const question = toQuestion(route, parameters);
  const answer =
    'detail' in question ? failure(400, question.detail) : await answerQuestion(store, project, question, request);
  return { answer, projectId: project.projectId };
}

function split(target: string): { path: string; parameters: URLSearchParams } {
  const queryAt = target.indexOf('?');
  if (queryAt === -1) return { path: target, parameters: new URLSearchParams() };
  return { path: target.slice(0, queryAt), parameters: new URLSearchParams(target.slice(queryAt + 1)) };
}

function isAnswerable(route: PublicRoute): route is AnswerableRoute {
  return route.kind !== 'unknown' && route.kind !== 'malformed';
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The answer to what no key makes possible: an unknown route, then another method, then a malformed path. */
function refusal(route: PublicRoute, method: string): Answer {
  if (route.kind === 'unknown') return failure(404, 'There is nothing at this path.');
  if (!isReading(method)) return failure(405, 'Only GET and HEAD are possible here.', { allow: 'GET, HEAD' });
  return failure(400, 'The path has a malformed percent-encoding.');
}

async function authenticate(store: PublicReadStore, key: string | null): Promise<ProjectVersion | null> {
  const usable = key !== null && isWellFormedKey(key);
  const keyHash = createHash('sha256')
    .update(usable ? key : NO_KEY)
    .digest('hex');
  const project = await store.findProject(keyHash);
  return usable ? project : null;
}

function toQuestion(route: AnswerableRoute, parameters: URLSearchParams): Question | { readonly detail: string } {
  switch (route.kind) {
    case 'list': {
      const parsed = parseListQuery(parameters);
      return parsed.ok ? { kind: 'list', query: parsed.query } : parsed;
    }
    case 'blog':
      return { kind: 'blog', slug: slugSchema.safeParse(route.slug).data ?? null };
    case 'sitemap':
      return { kind: 'sitemap' };
  }
}

async function answerQuestion(
  store: PublicReadStore,
  project: ProjectVersion,
  question: Question,
  { acceptEncoding, ifNoneMatch }: PublicRequest,
): Promise<Answer> {
  const representation = JSON.stringify(question);
  const coding = chooseCoding(acceptEncoding);
  const known = entityTag(project, representation, coding);
  if (listsTag(ifNoneMatch, known)) return notModified(known);

  const found = await read(store, project.projectId, question);
  if (found === 'no such blog') return failure(404, 'No published blog has this slug.');
  // It was deleted, and its key with it, since the key was looked up.
  if (found === 'no such project') return unauthorized;
  // A change may have been committed since the key was looked up: the tag is that of what was read.
  const etag = entityTag({ ...project, version: found.version }, representation, coding);
  if (isAnyTag(ifNoneMatch) || listsTag(ifNoneMatch, etag)) return notModified(etag);
  return success(await encode(Buffer.from(JSON.stringify(found.body)), coding), etag, coding);
}

async function read(store: PublicReadStore, projectId: string, question: Question): Promise<Found> {
  switch (question.kind) {
    case 'list': {
      const page = await store.listBlogs(projectId, question.query);
      return page ? { version: page.version, body: renderList(page, question.query) } : 'no such project';
    }
    case 'blog': {
      // No question to the database that cannot have an answer: it refuses some texts, NUL among them.
      if (question.slug === null) return 'no such blog';
      const found = await store.findBlog(projectId, question.slug);
      if (!found) return 'no such project';
      return found.blog ? { version: found.version, body: renderBlog(found.blog, found) } : 'no such blog';
    }
    case 'sitemap': {
      const sitemap = await store.listSitemap(projectId);
      return sitemap ? { version: sitemap.version, body: renderSitemap(sitemap) } : 'no such project';
    }
  }
}
