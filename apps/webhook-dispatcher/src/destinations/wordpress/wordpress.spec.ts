import { answered, TEA } from '../../../test/peers/tea-post.ts';
import { createTargetClient, TargetFailure } from '../target-client.ts';
import { createWordPress } from './wordpress.ts';

/** A site that answers each request for posts in this way, and prints something before that. */
const siteThatAnswers = (body: object, noise = '') =>
  createWordPress(
    'https://site.example',
    { create_authors: false },
    createTargetClient({
      kind: 'wordpress',
      send: ({ url }) => {
        const outcome = answered(url.includes('/posts') ? body : { namespaces: [] });
        if (outcome.kind !== 'answered') throw new Error('It answers.');
        return Promise.resolve({ ...outcome, body: Buffer.concat([Buffer.from(noise), outcome.body]) });
      },
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

describe('a WordPress that saves a post without returning its id', () => {
  it('fails the attempt, which does not count as interrupted', async () => {
    await expect(siteThatAnswers({}).publish(TEA)).rejects.toThrow(TargetFailure);
  });

  it('fails the update, without making the post a second time', async () => {
    await expect(siteThatAnswers({}).update('1', TEA)).rejects.toThrow(TargetFailure);
  });
});

describe('a WordPress whose plugins print something before the JSON', () => {
  const POST = { id: 7, link: 'https://site.example/tea/' };
  const NOTICE = '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/plugins/a.php</b> on line <b>1</b><br />\n';

  it.each([
    ['a byte order mark', '\uFEFF'],
    ['several of them, and empty lines', '\uFEFF\r\n\uFEFF\n'],
    ['a notice of PHP', NOTICE],
    ['a notice after a byte order mark', `\uFEFF${NOTICE}`],
    ['a notice with a quotation mark that stays open, and brackets', 'Deprecated: a "string in {closure}() [x]\n'],
    ['an array that was dumped', 'array(1) {\n  [0]=>\n  string(1) "x"\n}\n'],
  ])('is parsed: %s', async (_name, noise) => {
    const site = siteThatAnswers(POST, noise);
    expect(await site.publish(TEA)).toEqual({ id: '7', url: POST.link });
    expect(await site.update('7', TEA)).toEqual({ id: '7', url: POST.link });
  });

  it('is not parsed if no JSON follows', async () => {
    await expect(siteThatAnswers(POST, '<p>Under maintenance</p>{').publish(TEA)).resolves.toMatchObject({ id: '7' });
    await expect(siteThatAnswers([], '<p>Under maintenance</p>').publish(TEA)).rejects.toThrow(TargetFailure);
  });
});
