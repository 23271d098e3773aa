import { maskSecrets } from './mask-secrets.ts';

const SIGNATURE = 'ab'.repeat(32);
const sent = {
  request: {
    url: 'https://receiver.example/hooks/T0-SECRET%20ONE/x?token=of-the-owner',
    headers: {
      'X-Webhook-Signature': SIGNATURE,
      'X-Legacy-Signature': `sha256=${SIGNATURE}`,
      accept: 'application/json',
    },
  },
  secret: 'a <"secret"> of & more/16',
  customHeaders: {
    Authorization: 'Bearer k3y-of-ours',
    'Proxy-Like': `Basic ${Buffer.from('ada:pass:word').toString('base64')}`,
    'X-Env': 'test',
  },
};
const mask = maskSecrets(sent);

it.each([
  ['the signing secret', 'secret: a <"secret"> of & more/16.', 'secret: ••••.'],
  ['the signing secret in JSON', '{"s":"a <\\"secret\\"> of & more/16"}', '{"s":"••••"}'],
  ['the signing secret in JSON with escaped slashes', '{"s":"a <\\"secret\\"> of & more\\/16"}', '{"s":"••••"}'],
  ['the signing secret in HTML', '<p>a &lt;&quot;secret&quot;&gt; of &amp; more/16</p>', '<p>••••</p>'],
  ['the signature', `expected ${SIGNATURE}`, 'expected ••••'],
  ['the old signature', `sha256=${SIGNATURE}`, 'sha256=••••'],
  ['a custom header', 'Authorization: Bearer k3y-of-ours', 'Authorization: ••••'],
  ['a token without its scheme', 'token k3y-of-ours is unknown', 'token •••• is unknown'],
  ['a password', 'no user with pass:word', 'no user with ••••'],
  ['the path and query', 'POST /hooks/T0-SECRET%20ONE/x?token=of-the-owner', 'POST ••••'],
  ['a part of the path', 'no hook T0-SECRET%20ONE', 'no hook ••••'],
  ['a part of the path, decoded', 'no hook T0-SECRET ONE', 'no hook ••••'],
  ['a value of the query', '{"token":"of-the-owner"}', '{"token":"••••"}'],
])('%s that is echoed is masked', (_what, echoed, masked) => {
  expect(mask(echoed)).toBe(masked);
});

it('what is no secret stays, and so does what is too short to be one', () => {
  const text = '{"ok":true,"env":"test","path":"/x","accept":"application/json"}';
  expect(mask(text)).toBe(text);
});
