/** Where the public API lives (spec §4, §9.1). */
export const PUBLIC_API_PATH = '/blog/api/v1/public';

/** What a path of the public API names. */
export type PublicRoute =
  | { readonly kind: 'list' }
  | { readonly kind: 'sitemap' }
  /** `slug` as decoded; null when its bytes are no text. */
  | { readonly kind: 'blog'; readonly slug: string | null }
  | { readonly kind: 'unknown' }
  /** A `%` that two hexadecimal digits do not follow. */
  | { readonly kind: 'malformed' };

/** True for what this API has to answer, its own 404s included. `target` is path and query as received. */
export function isPublicApiTarget(target: string): boolean {
  return target.startsWith(PUBLIC_API_PATH) && /^[/?]?$/.test(target.charAt(PUBLIC_API_PATH.length));
}

/** The pattern of a target's route, for metrics: one of four. */
export function routePattern(target: string): string {
  const { kind } = matchRoute(target.split('?', 1)[0] ?? '');
  switch (kind) {
    case 'list':
      return `${PUBLIC_API_PATH}/blogs`;
    case 'sitemap':
      return `${PUBLIC_API_PATH}/blogs/sitemap`;
    case 'blog':
    case 'malformed':
      return `${PUBLIC_API_PATH}/blogs/:slug`;
    case 'unknown':
      return PUBLIC_API_PATH;
  }
}

/**
 * Finds the route of a path (spec §4.1–4.3). Paths are matched exactly: no trailing slash, case as written. One segment
 * may be percent-encoded. `path` is as received, without the query.
 */
export function matchRoute(path: string): PublicRoute {
  const [resource, segment, ...rest] = path.slice(PUBLIC_API_PATH.length + 1).split('/');
  if (resource !== 'blogs' || segment === '' || rest.length > 0) return { kind: 'unknown' };
  if (segment === undefined) return { kind: 'list' };
  if (/%(?![0-9a-f]{2})/i.test(segment)) return { kind: 'malformed' };
  const slug = decoded(segment);
  return slug === 'sitemap' ? { kind: 'sitemap' } : { kind: 'blog', slug };
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
