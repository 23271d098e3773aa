/** Where the public API lives (contract §4, §9.1). */
const PUBLIC_API_PATH = '/blog/api/v1/public';

/** What a path of the public API names. */
export type PublicRoute =
  | { readonly kind: 'list' }
  | { readonly kind: 'sitemap' }
  /** `slug` as decoded; null when its bytes are no text. */
  | { readonly kind: 'blog'; readonly slug: string | null }
  /** What is related to the blog with that slug. */
  | { readonly kind: 'related'; readonly slug: string | null }
  /** The blog with that slug for machines that read pages. */
  | { readonly kind: 'json-ld'; readonly slug: string | null }
  | { readonly kind: 'feed'; readonly format: FeedFormat }
  /** Earlier slugs and the present ones. */
  | { readonly kind: 'redirects' }
  /** The posts for language models. */
  | { readonly kind: 'llms' }
  /** The sitemap as a file for search engines. */
  | { readonly kind: 'sitemap-file' }
  | { readonly kind: 'unknown' }
  /** A `%` that two hexadecimal digits do not follow. */
  | { readonly kind: 'malformed' };

/** RSS 2.0 or JSON Feed 1.1. */
export type FeedFormat = 'rss' | 'json';

/** What stands right below the API's path, besides the blogs. */
const FILES: ReadonlyMap<string, PublicRoute> = new Map<string, PublicRoute>([
  ['feed.xml', { kind: 'feed', format: 'rss' }],
  ['feed.json', { kind: 'feed', format: 'json' }],
  ['sitemap.xml', { kind: 'sitemap-file' }],
  ['llms.txt', { kind: 'llms' }],
  ['redirects', { kind: 'redirects' }],
]);

/** True for what this API has to answer, its own 404s included. `target` is path and query as received. */
export function isPublicApiTarget(target: string): boolean {
  if (!target.startsWith(PUBLIC_API_PATH)) return false;
  const next = target[PUBLIC_API_PATH.length];
  return next === undefined || next === '/' || next === '?';
}

/** The pattern of a route, for metrics: one of eleven. */
export function patternOf(route: PublicRoute): string {
  switch (route.kind) {
    case 'list':
      return `${PUBLIC_API_PATH}/blogs`;
    case 'sitemap':
      return `${PUBLIC_API_PATH}/blogs/sitemap`;
    case 'blog':
    case 'malformed':
      return `${PUBLIC_API_PATH}/blogs/:slug`;
    case 'related':
      return `${PUBLIC_API_PATH}/blogs/:slug/related`;
    case 'json-ld':
      return `${PUBLIC_API_PATH}/blogs/:slug/json-ld`;
    case 'redirects':
      return `${PUBLIC_API_PATH}/redirects`;
    case 'llms':
      return `${PUBLIC_API_PATH}/llms.txt`;
    case 'feed':
      return `${PUBLIC_API_PATH}/${route.format === 'rss' ? 'feed.xml' : 'feed.json'}`;
    case 'sitemap-file':
      return `${PUBLIC_API_PATH}/sitemap.xml`;
    case 'unknown':
      return PUBLIC_API_PATH;
  }
}

/**
 * Finds the route of a path (contract §4.1–4.3 and what this service adds to it). Case as written; one slash at the end
 * of a path below `/blogs` changes nothing. The slug's segment may be percent-encoded. `path` is as received, without
 * the query.
 */
export function matchRoute(path: string): PublicRoute {
  const [resource = '', segment, below, ...rest] = withoutLastSlash(path.slice(PUBLIC_API_PATH.length + 1)).split('/');
  if (resource !== 'blogs') return (segment === undefined && FILES.get(resource)) || { kind: 'unknown' };
  if (segment === undefined) return { kind: 'list' };
  if (segment === '' || rest.length > 0 || !(below === undefined || isBelowBlog(below))) return { kind: 'unknown' };
  if (/%(?![0-9a-f]{2})/i.test(segment)) return { kind: 'malformed' };
  const slug = decoded(segment);
  if (below !== undefined) return { kind: below, slug };
  return slug === 'sitemap' ? { kind: 'sitemap' } : { kind: 'blog', slug };
}

const isBelowBlog = (below: string) => below === 'related' || below === 'json-ld';

function withoutLastSlash(path: string): string {
  return path.startsWith('blogs/') && path.endsWith('/') ? path.slice(0, -1) : path;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
