import { answered, TEA } from '../../../test/peers/tea-post.ts';
import { createTargetClient, TargetFailure } from '../target-client.ts';
import { createWordPress } from './wordpress.ts';

/** A site that answers each request for posts in this way. */
const siteThatAnswers = (body: object) =>
  createWordPress(
    'https://site.example',
    createTargetClient({
      kind: 'wordpress',
      send: ({ url }) => Promise.resolve(answered(url.includes('/posts') ? body : { namespaces: [] })),
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

describe('a WordPress that takes a post and does not say which', () => {
  it('has failed: no attempt counts as interrupted because of an answer', async () => {
    await expect(siteThatAnswers({}).publish(TEA)).rejects.toThrow(TargetFailure);
  });

  it('has failed to change it: the post is not taken for gone, and not made a second time', async () => {
    await expect(siteThatAnswers({}).update('1', TEA)).rejects.toThrow(TargetFailure);
  });
});
