import {
  BLOG_FIELDS,
  FEED_LIMIT,
  REDIRECT_LIMIT,
  RELATED_LIMIT,
  slug as slugSchema,
} from '@blog-content/payload-schemas';
import {
  createParameterReader,
  OFFSET,
  parseListQuery,
  type ChangesQuery,
  type ListQuery,
} from './parse-list-query.ts';

/** Where the public API lives (contract §4, §9.1). */
const PUBLIC_API_PATH = '/blog/api/v1/public';

/** RSS 2.0 or JSON Feed 1.1. */
export type FeedFormat = 'rss' | 'json';

/** What a path of the public API names. */
export type PublicRoute =
  | {
      /** `malformed`: a `%` that two hexadecimal digits do not follow. */
      readonly kind: 'list' | 'sitemap' | 'authors' | 'redirects' | 'llms' | 'sitemap-file' | 'unknown' | 'malformed';
    }
  /** `slug` as decoded; null when its bytes are no text. */
  | { readonly kind: 'blog' | 'related' | 'json-ld'; readonly slug: string | null }
  | { readonly kind: 'feed'; readonly format: FeedFormat };

/** What is right below the API's path, besides the blogs. */
const FILES: ReadonlyMap<string, PublicRoute> = new Map<string, PublicRoute>([
  ['feed.xml', { kind: 'feed', format: 'rss' }],
  ['feed.json', { kind: 'feed', format: 'json' }],
  ['sitemap.xml', { kind: 'sitemap-file' }],
  ['llms.txt', { kind: 'llms' }],
  ['redirects', { kind: 'redirects' }],
  ['authors', { kind: 'authors' }],
]);

/** The paths of routes, for metrics. */
const PATTERNS: Readonly<Record<Exclude<PublicRoute['kind'], 'feed'> | FeedFormat, string>> = {
  list: '/blogs',
  sitemap: '/blogs/sitemap',
  blog: '/blogs/:slug',
  malformed: '/blogs/:slug',
  related: '/blogs/:slug/related',
  'json-ld': '/blogs/:slug/json-ld',
  redirects: '/redirects',
  authors: '/authors',
  llms: '/llms.txt',
  'sitemap-file': '/sitemap.xml',
  rss: '/feed.xml',
  json: '/feed.json',
  unknown: '',
};

/** A field of one blog. */
type BlogField = (typeof BLOG_FIELDS)[number];

/**
 * What a request of the public API asks for, checked. `slug` is null when no blog can have it. Its JSON is the
 * canonical spelling: entity tags go by it.
 */
export type PublicQuery =
  | { readonly kind: 'list'; readonly query: ListQuery }
  | { readonly kind: 'changes'; readonly query: ChangesQuery }
  | { readonly kind: 'blog'; readonly slug: string | null; readonly fields?: readonly BlogField[] }
  | { readonly kind: 'related'; readonly slug: string | null; readonly limit: number }
  | { readonly kind: 'redirects'; readonly limit: number; readonly offset: number }
  | { readonly kind: 'feed'; readonly format: FeedFormat; readonly limit: number; readonly language?: string }
  | { readonly kind: 'json-ld'; readonly slug: string | null }
  | { readonly kind: 'sitemap' | 'sitemap-file' | 'llms'; readonly language?: string }
  | { readonly kind: 'authors' };

/** A query for a page of posts, which may have contents. */
export type PageQuery = Extract<PublicQuery, { kind: 'list' | 'feed' }>;

/** Why a request has no query. */
export interface QueryRefusal {
  readonly kind: 'refusal';
  readonly status: 400 | 404 | 405;
  /** One sentence for the reader. */
  readonly detail: string;
  /** A wrong parameter is named only to who has a valid key: 401 and 429 come first. */
  readonly needsKey: boolean;
}

/** Everything that the first line of a request and its Authorization header say. */
export interface ParsedRequest {
  readonly query: PublicQuery | QueryRefusal;
  /** The key that the request presents, in any form. */
  readonly key: string | null;
  /** For metrics: one of twelve. */
  readonly routePattern: string;
}

/** True for what this API has to answer, its own 404s included. `target` is path and query as received. */
export function isPublicApiTarget(target: string): boolean {
  if (!target.startsWith(PUBLIC_API_PATH)) return false;
  const next = target[PUBLIC_API_PATH.length];
  return next === undefined || next === '/' || next === '?';
}

/** Parses a request of the public API, once (contract §4.1–4.3, §5.1.4, §8). Never throws. */
export function parsePublicQuery(request: {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly authorization: string | undefined;
}): ParsedRequest {
  const { method, target, authorization } = request;
  const [path = ''] = target.split('?', 1);
  const parameters = new URLSearchParams(target.slice(path.length + 1));
  const route = matchRoute(path);
  return {
    query: toQuery(route, method, parameters),
    key: presentedKey(authorization, parameters),
    routePattern: PUBLIC_API_PATH + PATTERNS[route.kind === 'feed' ? route.format : route.kind],
  };
}

/**
 * Finds the route of a path (contract §4.1–4.3 and what this service adds to it). Case as written; one slash at the end
 * of a path below `/blogs` changes nothing. The slug's segment may be percent-encoded. `path` is as received, without
 * the query.
 */
export function matchRoute(path: string): PublicRoute {
  const below = path.slice(PUBLIC_API_PATH.length + 1);
  const isWithSlash = below.startsWith('blogs/') && below.endsWith('/');
  const [resource = '', segment, ofBlog, ...rest] = (isWithSlash ? below.slice(0, -1) : below).split('/');
  if (resource !== 'blogs') return (segment === undefined && FILES.get(resource)) || { kind: 'unknown' };
  if (segment === undefined) return { kind: 'list' };
  if (segment === '' || rest.length > 0) return { kind: 'unknown' };
  if (ofBlog !== undefined && ofBlog !== 'related' && ofBlog !== 'json-ld') return { kind: 'unknown' };
  if (/%(?![0-9a-f]{2})/i.test(segment)) return { kind: 'malformed' };
  const slug = decoded(segment);
  if (ofBlog !== undefined) return { kind: ofBlog, slug };
  return slug === 'sitemap' ? { kind: 'sitemap' } : { kind: 'blog', slug };
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * Finds the project key that a request presents (contract §5.1.4, §4.6). A Bearer header counts alone, even
 * when it holds no token; without one the query parameter `api_key` counts, its last value when it is given twice. A
 * header of another scheme is for somebody on the way, such as a proxy that asks for a password. Null when no key is
 * presented.
 */
export function presentedKey(authorization: string | undefined, query: URLSearchParams): string | null {
  const bearer = /^bearer(?:\s+(\S.*))?$/is.exec(authorization?.trimEnd() ?? '');
  if (bearer === null) return query.getAll('api_key').at(-1) ?? null;
  return bearer[1] ?? null;
}

/**
 * True for a string that could be a project key: everything else, agent keys included, is refused (contract §5.1.2,
 * §5.1.7).
 */
export function isWellFormedKey(key: string): boolean {
  return /^pk_live_[0-9A-Za-z]{32}$/.test(key);
}

function toQuery(route: PublicRoute, method: string, parameters: URLSearchParams): PublicQuery | QueryRefusal {
  if (route.kind === 'unknown') return refusal(404, 'Not found.');
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Only GET and HEAD are allowed here.');
  if (route.kind === 'malformed') return refusal(400, 'The path contains invalid percent-encoding.');
  if (route.kind === 'list') {
    const parsed = parseListQuery(parameters);
    if (!parsed.ok) return refusal(400, parsed.detail, true);
    const { query, changes } = parsed;
    return changes === null ? { kind: 'list', query } : { kind: 'changes', query: changes };
  }
  const read = createParameterReader(parameters);
  const slug = 'slug' in route ? (slugSchema.safeParse(route.slug).data ?? null) : null;
  const query = ((): PublicQuery => {
    switch (route.kind) {
      case 'blog':
        return { kind: 'blog', slug, ...read.fields(BLOG_FIELDS) };
      case 'json-ld':
        return { kind: 'json-ld', slug };
      case 'related':
        return { kind: 'related', slug, limit: read.integer('limit', RELATED_LIMIT) };
      case 'redirects': {
        const limit = read.integer('limit', REDIRECT_LIMIT);
        return { kind: 'redirects', limit, offset: read.integer('offset', OFFSET) };
      }
      case 'feed':
        return { kind: 'feed', format: route.format, limit: read.integer('limit', FEED_LIMIT), ...read.language() };
      case 'sitemap':
      case 'sitemap-file':
      case 'llms':
        return { kind: route.kind, ...read.language() };
      case 'authors':
        return { kind: route.kind };
    }
  })();
  return read.wrong === null ? query : refusal(400, read.wrong, true);
}

function refusal(status: QueryRefusal['status'], detail: string, needsKey = false): QueryRefusal {
  return { kind: 'refusal', status, detail, needsKey };
}
