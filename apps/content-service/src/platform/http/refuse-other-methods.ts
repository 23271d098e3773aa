import { methodNotAllowed } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';

/** An operation as far as it matters here: `path` has its parameters in braces, `/projects/{projectId}`. */
export interface Operation {
  readonly method: string;
  readonly path: string;
}

interface Resource {
  readonly segments: readonly string[];
  /** In capitals, `HEAD` included where there is `GET`. */
  readonly methods: ReadonlySet<string>;
  readonly refuse: RequestHandler;
}

/**
 * Answers 405 with `Allow` when there is something at a path, but not for the request's method. `HEAD` is possible
 * wherever `GET` is. Where two paths fit (`/blogs/publish` and `/blogs/{blogId}`), the one with the name rather than
 * the parameter says what is possible. Other requests go on.
 *
 * To come before the routes: routers answer `OPTIONS` by themselves, and a path's refusal is the same for everybody.
 */
export function refuseOtherMethods(operations: readonly Operation[]): RequestHandler {
  const resources = resourcesOf(operations);
  return (request, response, next) => {
    const segments = segmentsOf(request.baseUrl + request.path);
    const resource = resources.find((known) => fits(known.segments, segments));
    if (resource === undefined || resource.methods.has(request.method)) next();
    else resource.refuse(request, response, next);
  };
}

/** One for each path; where paths differ, names come before parameters. */
function resourcesOf(operations: readonly Operation[]): Resource[] {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return [...byPath]
    .map(([path, ofPath]) => {
      const methods = [
        ...new Set(ofPath.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))),
      ];
      return { segments: segmentsOf(path), methods: new Set(methods), refuse: methodNotAllowed(...methods) };
    })
    .sort((a, b) => (rank(a.segments) < rank(b.segments) ? -1 : 1));
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Sorts names before parameters, segment by segment. */
const rank = (segments: readonly string[]): string =>
  segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');

/** As the router reads paths: upper case is lower case, and one slash at the end is none. */
const segmentsOf = (path: string): string[] =>
  path
    .replace(/\/$/, '')
    .split('/')
    .map((segment) => (isParameter(segment) ? segment : segment.toLowerCase()));

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  );
}
