import type { Express, Request } from 'express';

/** In a router's mount path Express keeps values, not the pattern: what may be one must not reach a label. */
const LOOKS_LIKE_A_VALUE = /^(?=.*\d)(?!v\d+$)/;

const MATCHED = Symbol('matched route');

interface RouteOfRequest {
  readonly path: string | RegExp | readonly string[];
}

interface WatchedRequest extends Request {
  [MATCHED]?: { readonly route: RouteOfRequest; readonly baseUrl: string };
}

/**
 * Has an app's requests note which route the router chooses for them, and where it is mounted, at the moment it does:
 * later, in error handlers, the mount path that belongs to it is gone.
 */
export function watchRoutes(app: Express): void {
  // On the prototype, once: a property defined on each request would cost every one of them.
  Object.defineProperty(app.request, 'route', {
    configurable: true,
    get(this: WatchedRequest) {
      return this[MATCHED]?.route;
    },
    set(this: WatchedRequest, route: RouteOfRequest | undefined) {
      if (route === undefined) delete this[MATCHED];
      else this[MATCHED] = { route, baseUrl: this.baseUrl };
    },
  });
}

/**
 * The pattern of the route that a request has matched, such as `/projects/:projectId`; undefined when there is none.
 */
export function matchedRoute(request: Request): string | undefined {
  const matched = (request as WatchedRequest)[MATCHED];
  return matched && withoutValues(matched.baseUrl) + matched.route.path.toString();
}

function withoutValues(mountPath: string): string {
  return mountPath
    .split('/')
    .map((segment) => (LOOKS_LIKE_A_VALUE.test(segment) ? ':value' : segment))
    .join('/');
}
