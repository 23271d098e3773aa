import type { RequestHandler } from 'express';
import { methodNotAllowed } from '../problem.ts';
import { parseNoFields } from './parse-body.ts';

/** An operation as far as it matters here: `path` has its parameters in braces, `/projects/{projectId}`. */
interface Operation {
  readonly method: string;
  readonly path: string;
  /** What its body is; undefined when it takes none. */
  readonly request?: unknown;
}

/**
 * Refuses the fields of bodies that their operation does not take: `{"publish_at": …}` sent to `/publish` would publish
 * now. Comes after the middleware that reads bodies, and looks at no other requests than those of these operations.
 * Where two paths fit (`/blogs/publish` and `/blogs/{blogId}`), the one with the name counts.
 */
export function refuseFields(operations: readonly Operation[]): RequestHandler {
  const changes = operations
    .filter(({ method }) => method !== 'get')
    // Names come before parameters: a brace sorts after every letter.
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ method, path, request }) => ({
      method: method.toUpperCase(),
      pattern: pathPattern(path),
      takesFields: request !== undefined,
    }));
  return (request, _response, next) => {
    if (request.body === undefined) {
      next();
      return;
    }
    const path = request.baseUrl + request.path;
    const operation = changes.find(({ method, pattern }) => method === request.method && pattern.test(path));
    if (operation?.takesFields === false) parseNoFields(request.body);
    next();
  };
}

/**
 * Answers 405 with `Allow` when there is something at a path, but not for the request's method. `HEAD` is possible
 * wherever `GET` is. Where two paths fit (`/blogs/publish` and `/blogs/{blogId}`), the one with the name rather than
 * the parameter says what is possible. Other requests go on.
 *
 * To come before the routes: routers answer `OPTIONS` by themselves, and a path's refusal is the same for everybody.
 */
export function refuseOtherMethods(operations: readonly Operation[]): RequestHandler {
  const resources = [...Map.groupBy(operations, ({ path }) => path)]
    // Names come before parameters: a brace sorts after every letter.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, ofPath]) => {
      const methods = ofPath.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()));
      return { pattern: pathPattern(path), methods, refuse: methodNotAllowed(...methods) };
    });
  return (request, response, next) => {
    const path = request.baseUrl + request.path;
    const resource = resources.find(({ pattern }) => pattern.test(path));
    if (resource === undefined || resource.methods.includes(request.method)) next();
    else resource.refuse(request, response, next);
  };
}

/**
 * What fits a path with its parameters in braces, `/projects/{projectId}`, as routers read it: upper case is lower case,
 * and one slash at the end is none.
 */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
