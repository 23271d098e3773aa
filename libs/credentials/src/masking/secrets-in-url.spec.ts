import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createMask } from './create-mask.ts';
import { looksLikeWords } from './looks-like-words.ts';
import { secretsInUrl } from './secrets-in-url.ts';

const maskOf = (url: string) => createMask(secretsInUrl(url));

describe('ordinary words of a URL are not masked', () => {
  it.each([
    ['https://site.example/wp-json/wp/v2/users/me?context=edit&_fields=capabilities', '{"capabilities":{"edit":true}}'],
    ['https://site.example/api/capabilities', '{"capabilities":["publish"]}'],
    [
      'https://site.example/api/v1/blog/webhooks/receiver',
      'The webhooks receiver has the blog: POST /api/v1/blog/webhooks/receiver',
    ],
    ['https://site.example/content', 'https://site.example/content/my-post'],
    ['https://site.example/posts/', '{"url":"https://site.example/posts/soup-for-two"}'],
    ['https://site.example/.netlify/functions/publish-post', 'netlify functions: publish-post is not found'],
    ['https://site.example/?rest_route=/wp/v2/posts', 'No route was found: /wp/v2/posts'],
    ['https://site.example/hook?format=markdown&env=production', '{"format":"markdown","env":"production"}'],
    ['https://site.example/wpJson/blogArticles', '"blogArticles": 3'],
    ['https://site.example/posts?_fields=id,slug,title,status', '{"slug":"x","title":"status","status":"draft"}'],
    ['https://site.example/2026/updates', 'updates of 2026'],
    ['https://site.example/', '{"ok":true}'],
  ])('%s', (url, answer) => {
    expect(maskOf(url)(answer)).toBe(answer);
  });
});

describe('a secret of a URL is masked, alone and with everything after the origin', () => {
  it.each([
    ['https://api.netlify.com/build_hooks/5c1d2f3e4a5b6c7d8e9f0a1b', '5c1d2f3e4a5b6c7d8e9f0a1b'],
    ['https://hooks.slack.com/services/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', 'aB3dE5fG7hI9jK1lM3nO5pQ7'],
    ['https://discord.com/api/webhooks/1234567890123/x-Y_zAbCdEfGhIjKlMnOp', '1234567890123'],
    ['https://hook.eu1.make.com/qzvxkjwpbtmrhgdnfc', 'qzvxkjwpbtmrhgdnfc'],
    ['https://site.example/api/hooks/my-secret-path', 'my-secret-path'],
    ['https://site.example/hooks/correct-horse-battery-staple', 'correct-horse-battery-staple'],
    ['https://site.example/api?token=capabilities', 'capabilities'],
    ['https://site.example/api?api_key=production', 'production'],
    ['https://site.example/api?x=8f14e45fceea167a', '8f14e45fceea167a'],
    [`https://site.example/webhook/${'6f1c0c1e-6c5c-4bb4-8e0f-0d4bd9d5b7a1'}`, '6f1c0c1e-6c5c-4bb4-8e0f-0d4bd9d5b7a1'],
  ])('%s', (url, secret) => {
    const mask = maskOf(url);
    const { pathname, search } = new URL(url);
    expect(mask(`no hook ${secret} here`)).toBe('no hook •••• here');
    expect(mask(`Cannot POST ${pathname}${search}`)).not.toContain(secret);
  });
});

it('random tokens of any alphabet are secrets', () => {
  const made = [
    () => randomBytes(12).toString('hex'),
    () => randomBytes(16).toString('base64url'),
    () => randomUUID(),
    () => BigInt(`0x${randomBytes(12).toString('hex')}`).toString(36),
    () => String(10_000_000 + randomBytes(4).readUInt32BE()),
  ];
  for (const make of made) {
    const passed = Array.from({ length: 2_000 }, make).filter(looksLikeWords);
    expect(passed.length).toBeLessThanOrEqual(2);
  }
});

it('a secret is hidden in every place, and all else stays', () => {
  const words = fc.constantFrom('api', 'content', 'capabilities', 'webhooks', 'posts', 'receiver', 'v1', 'wp-json');
  const token = fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((n) => `tk${n.toString(16).padStart(8, '0')}Z9`);
  const text = fc.constantFrom('{"capabilities":1}', 'the content of posts', 'receiver: api v1', '', 'webhooks');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), token, text, text, (path, secret, before, after) => {
      const mask = maskOf(`https://site.example/${[...path, secret].join('/')}`);
      expect(mask(`${before} ${secret} ${after}`)).toBe(`${before} •••• ${after}`);
      expect(maskOf(`https://site.example/${path.join('/')}`)(`${before} ${after}`)).toBe(`${before} ${after}`);
    }),
  );
});

it('a parameter whose name suggests a secret is masked', () => {
  expect(['my-secret', 'access-token', 'secretpath', 'api-key'].filter(looksLikeWords)).toEqual([]);
  expect(
    ['capabilities', 'webhook', 'wp-json', 'build_hooks', 'Receiver', 'v2'].filter((one) => !looksLikeWords(one)),
  ).toEqual([]);
});
