import { methodNotAllowed, pathPattern } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';

/** An operation as far as it matters here: `path` has its parameters in braces, `/projects/{projectId}`. */
export interface Operation {
  readonly method: string;
  readonly path: string;
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
