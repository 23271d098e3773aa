import type { Outcome } from '../../http/outcome.ts';
import { createTargetClient, TargetFailure } from '../target-client.ts';
import { createWordPress } from './wordpress.ts';

const timings = { firstByteMs: 1, answerMs: 1, dnsMs: 1, connectMs: 1, tlsMs: 1, waitMs: 1, totalMs: 1 };
const answers = (body: object): Outcome => ({
  kind: 'answered',
  statusCode: 200,
  retryAfter: null,
  headers: [],
  body: Buffer.from(JSON.stringify(body)),
  timings,
});

/** A site that answers each request for posts in this way. */
const siteThatAnswers = (body: object) =>
  createWordPress(
    'https://site.example',
    createTargetClient({
      send: ({ url }) => Promise.resolve(answers(url.includes('/posts') ? body : { namespaces: [] })),
      lease: { isHeld: () => true, interrupted: new AbortController().signal },
      secret: 'the secret of a user',
      authorization: () => ({}),
      userAgent: 'test',
      deliveryId: 'a delivery',
      connection: 'close',
      timeoutMs: 1_000,
      now: () => new Date(),
    }),
    { take: () => Promise.resolve(new Map()) },
  );

const POST = {
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
  publishedAt: '2026-11-21T09:00:00.000Z',
};

describe('a WordPress that takes a post and does not say which', () => {
  it('has failed: no attempt counts as interrupted because of an answer', async () => {
    await expect(siteThatAnswers({}).publish(POST)).rejects.toThrow(TargetFailure);
  });

  it('has failed to change it: the post is not taken for gone, and not made a second time', async () => {
    await expect(siteThatAnswers({}).update('1', POST)).rejects.toThrow(TargetFailure);
  });
});
