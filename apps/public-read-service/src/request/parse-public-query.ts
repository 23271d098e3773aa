import {
  BLOG_FIELDS,
  FEED_LIMIT,
  REDIRECT_LIMIT,
  RELATED_LIMIT,
  slug as slugSchema,
} from '@blog-content/payload-schemas';
import { matchRoute, patternOf, type FeedFormat, type PublicRoute } from './match-route.ts';
import { parseListQuery, type ChangesQuery, type ListQuery } from './parse-list-query.ts';
import { presentedKey } from './presented-key.ts';
import { readFields, type BlogField } from './read-fields.ts';
import { OFFSET, readInteger } from './read-integer.ts';

/**
 * What a request of the public API asks for, checked. `slug` is null when no blog can have it. Its JSON is the
 * canonical spelling: entity tags and the cache go by it.
 */
export type PublicQuery =
  | { readonly kind: 'list'; readonly query: ListQuery }
  | { readonly kind: 'changes'; readonly query: ChangesQuery }
  | { readonly kind: 'blog'; readonly slug: string | null; readonly fields?: readonly BlogField[] }
  | { readonly kind: 'sitemap' }
  | { readonly kind: 'related'; readonly slug: string | null; readonly limit: number }
  | { readonly kind: 'redirects'; readonly limit: number; readonly offset: number }
  | { readonly kind: 'feed'; readonly format: FeedFormat; readonly limit: number }
  | { readonly kind: 'sitemap-file' }
  | { readonly kind: 'json-ld'; readonly slug: string | null }
  | { readonly kind: 'llms' };

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
  /** The key that the request presents, of whatever form. */
  readonly key: string | null;
  /** For metrics: one of eleven. */
  readonly routePattern: string;
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
    routePattern: patternOf(route),
  };
}

function toQuery(route: PublicRoute, method: string, parameters: URLSearchParams): PublicQuery | QueryRefusal {
  if (route.kind === 'unknown') return refuse(404, 'Not found.');
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'Only GET and HEAD are allowed here.');
  switch (route.kind) {
    case 'malformed':
      return refuse(400, 'The path contains invalid percent-encoding.');
    case 'list': {
      const parsed = parseListQuery(parameters);
      if (!parsed.ok) return refuseParameter(parsed.detail);
      const { query, changes } = parsed;
      return changes === null ? { kind: 'list', query } : { kind: 'changes', query: changes };
    }
    case 'blog': {
      const fields = readFields(parameters, BLOG_FIELDS);
      if (fields !== undefined && 'detail' in fields) return refuseParameter(fields.detail);
      return { kind: 'blog', slug: slugOrNull(route.slug), ...(fields && { fields }) };
    }
    case 'json-ld':
      return { kind: 'json-ld', slug: slugOrNull(route.slug) };
    case 'related': {
      const limit = readInteger(parameters, 'limit', RELATED_LIMIT);
      if (typeof limit !== 'number') return refuseParameter(limit.detail);
      return { kind: 'related', slug: slugOrNull(route.slug), limit };
    }
    case 'redirects': {
      const limit = readInteger(parameters, 'limit', REDIRECT_LIMIT);
      if (typeof limit !== 'number') return refuseParameter(limit.detail);
      const offset = readInteger(parameters, 'offset', OFFSET);
      return typeof offset === 'number' ? { kind: 'redirects', limit, offset } : refuseParameter(offset.detail);
    }
    case 'feed': {
      const limit = readInteger(parameters, 'limit', FEED_LIMIT);
      return typeof limit === 'number' ? { kind: 'feed', format: route.format, limit } : refuseParameter(limit.detail);
    }
    case 'sitemap':
    case 'sitemap-file':
    case 'llms':
      return { kind: route.kind };
  }
}

function refuse(status: QueryRefusal['status'], detail: string): QueryRefusal {
  return { kind: 'refusal', status, detail, needsKey: false };
}

function refuseParameter(detail: string): QueryRefusal {
  return { kind: 'refusal', status: 400, detail, needsKey: true };
}

/** A slug that a blog can have. */
function slugOrNull(slug: string | null): string | null {
  return slugSchema.safeParse(slug).data ?? null;
}
