import type { RequestHandler } from 'express';
import { parseNoFields } from './parse-body.ts';
import { pathPattern } from './path-pattern.ts';

/** An operation as far as it matters here: `path` has its parameters in braces, `/projects/{projectId}`. */
interface OperationWithBody {
  readonly method: string;
  readonly path: string;
  /** What its body is; undefined when it takes none. */
  readonly request?: unknown;
}

/**
 * Refuses the fields of bodies that their operation does not take: `{"publish_at": …}` sent to `/publish` would publish
 * now. Comes behind whatever reads bodies, and looks at no other requests than those of these operations. Where two
 * paths fit (`/blogs/publish` and `/blogs/{blogId}`), the one with the name counts.
 */
export function refuseFields(operations: readonly OperationWithBody[]): RequestHandler {
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
