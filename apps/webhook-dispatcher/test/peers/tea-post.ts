import { extras } from '@blog-content/payload-schemas';
import type { DestinationPost } from '../../src/destinations/destination.ts';
import type { Outcome } from '../../src/http/exchange.ts';

/** A post with as little as one may have. */
export const TEA: DestinationPost = {
  title: 'Tea',
  slug: 'tea',
  content: '<p>Tea</p>',
  excerpt: '',
  metaTitle: null,
  metaDescription: null,
  keyword: null,
  categories: [],
  tags: [],
  featuredImageUrl: null,
  images: [],
  linkTargets: [],
  canonicalUrl: null,
  extras: extras.of({}),
  authors: [],
  publishedAt: '2026-11-21T09:00:00.000Z',
};

/** A system's answer 200 with this JSON. */
export const answered = (json: object): Outcome => ({
  kind: 'answered',
  statusCode: 200,
  retryAfter: null,
  headers: [],
  body: Buffer.from(JSON.stringify(json)),
  timings: { firstByteMs: 1, answerMs: 1, dnsMs: 1, connectMs: 1, tlsMs: 1, waitMs: 1, totalMs: 1 },
});
