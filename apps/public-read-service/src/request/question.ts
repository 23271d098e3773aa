import { FEED_LIMIT, RELATED_LIMIT, slug as slugSchema } from '@blog-content/payload-schemas';
import type { FeedFormat, PublicRoute } from './match-route.ts';
import { parseListQuery, type ListQuery } from './parse-list-query.ts';
import { readInteger } from './read-integer.ts';

/** A route that can be asked with a key. */
export type AnswerableRoute = Exclude<PublicRoute, { kind: 'unknown' | 'malformed' }>;

/** What is asked for, checked. `slug` is null when no blog can have it. Its JSON is the canonical spelling of what was asked. */
export type Question =
  | { readonly kind: 'list'; readonly query: ListQuery }
  | { readonly kind: 'blog'; readonly slug: string | null }
  | { readonly kind: 'sitemap' }
  | { readonly kind: 'related'; readonly slug: string | null; readonly limit: number }
  | { readonly kind: 'feed'; readonly format: FeedFormat; readonly limit: number }
  | { readonly kind: 'sitemap-file' };

/** One that a list of posts answers, with their contents perhaps. */
export type ListQuestion = Extract<Question, { kind: 'list' | 'feed' }>;

/** Reads what a route and its parameters ask for; or one sentence that says what is wrong (400). */
export function toQuestion(
  route: AnswerableRoute,
  parameters: URLSearchParams,
): Question | { readonly detail: string } {
  switch (route.kind) {
    case 'list': {
      const parsed = parseListQuery(parameters);
      return parsed.ok ? { kind: 'list', query: parsed.query } : parsed;
    }
    case 'blog':
      return { kind: 'blog', slug: slugOrNull(route.slug) };
    case 'related': {
      const limit = readInteger(parameters, 'limit', RELATED_LIMIT);
      return typeof limit === 'number' ? { kind: 'related', slug: slugOrNull(route.slug), limit } : limit;
    }
    case 'feed': {
      const limit = readInteger(parameters, 'limit', FEED_LIMIT);
      return typeof limit === 'number' ? { kind: 'feed', format: route.format, limit } : limit;
    }
    case 'sitemap':
    case 'sitemap-file':
      return { kind: route.kind };
  }
}

/** A slug that a blog can have. */
function slugOrNull(slug: string | null): string | null {
  return slugSchema.safeParse(slug).data ?? null;
}
