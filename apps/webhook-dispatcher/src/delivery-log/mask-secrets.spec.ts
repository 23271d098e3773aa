import { maskSecrets } from './exchange.ts';

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

describe('a secret is masked however it is escaped:', () => {
  const secret = `a'b"c&d<e>f+g/h\\i!(j)*k ü€😀`;
  const masked = maskSecrets({ request: { url: 'https://receiver.example/', headers: {} }, secret, customHeaders: {} });
  const replaceEach = (escapes: Readonly<Record<string, string>>, of = secret) =>
    of.replace(/[^]/gu, (character) => escapes[character] ?? character);
  const json = JSON.stringify(secret).slice(1, -1);
  const withUnits = (text: string, units: RegExp, letters: 'lower' | 'upper') =>
    text.replace(units, (unit) => {
      const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${letters === 'lower' ? digits : digits.toUpperCase()}`;
    });
  const notAscii = /[^ -~]/g;
  const html = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams([['s', secret]]).toString().slice(2);

  it.each([
    ['not at all', secret],
    ['JSON.stringify', json],
    ['json_encode of PHP', withUnits(json, notAscii, 'lower').replaceAll('/', '\\/')],
    ['json.dumps of Python', withUnits(json, notAscii, 'lower')],
    ['encoding/json of Go', withUnits(json, /[&<>]/g, 'lower')],
    ['System.Text.Json of .NET', withUnits(json.replaceAll('\\"', '\\u0022'), /[+&<>'`]|[^ -~]/g, 'upper')],
    ['repr of Python', secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'")],
    ['htmlspecialchars of PHP', replaceEach({ ...html, "'": '&#039;' })],
    ['html.escape of Python', replaceEach({ ...html, "'": '&#x27;' })],
    ['html/template of Go', replaceEach({ ...html, '"': '&#34;', "'": '&#39;', '+': '&#43;' })],
    ['HtmlEncode of .NET', replaceEach({ ...html, "'": '&#39;', ü: '&#252;', '€': '&#8364;', '😀': '&#128512;' })],
    ['XML', replaceEach({ ...html, "'": '&apos;' })],
    ['encodeURIComponent', url],
    ['lower-case hex', url.replace(/%../g, (byte) => byte.toLowerCase())],
    ['rawurlencode of PHP', url.replace(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)],
    ['a form', form],
  ])('%s', (_by, echoed) => {
    expect(masked(`<pre>secret=${echoed}.</pre>`)).toBe('<pre>secret=••••.</pre>');
    expect(masked(`%41 &amp; ${echoed}, ${echoed}; \\u0041`)).toBe('%41 &amp; ••••, ••••; \\u0041');
  });

  it('even if the text before it looks like the first part of an escape', () => {
    const plain = maskSecrets({ ...sent, secret: 'new-secret-of-ours', customHeaders: {} });
    expect(plain('C:\\new-secret-of-ours')).toBe('C:\\••••');
  });

  it('and text that only looks like an escape is kept', () => {
    const text = '%C0%80 %F4%90%80%80 &#9999999; \\u12 &amp % & \\';
    expect(masked(text)).toBe(text);
    expect(masked(`${text} ${json}`)).toBe(`${text} ••••`);
  });
});

it('words of the URL and of the Accept header are not masked', () => {
  const url = 'https://site.example/wp-json/wp/v2/users/me?context=edit&_fields=capabilities';
  const customHeaders = { Accept: 'application/json', 'X-Env': 'production-key' };
  const masked = maskSecrets({ request: { url, headers: {} }, secret: 'a secret of ours', customHeaders });
  const answer = '{"capabilities":{"edit_posts":true},"type":"application/json"}';
  expect(masked(answer)).toBe(answer);
  expect(masked('no production-key')).toBe('no ••••');
});

it('other text stays, and so do values too short to be secrets', () => {
  const text = '{"ok":true,"env":"test","path":"/x","accept":"application/json"}';
  expect(mask(text)).toBe(text);
});

describe('long secrets', () => {
  const maskedBy = (headers: Record<string, string>) => maskSecrets({ ...sent, customHeaders: headers });

  it('are masked as one', () => {
    const token = Array.from({ length: 300 }, (_, index) => `part${index}`).join('.');
    expect(maskedBy({ token })(`token=${token};`)).toBe('token=••••;');
  });

  it('take time linear in the length of an answer for any secrets', () => {
    const a = 'a'.repeat(2_000);
    const headers = Array.from({ length: 45 }, (_, index) => [`h${index}`, `${a}b${a.slice(index)}`]);
    const hostile = maskedBy(Object.fromEntries(headers) as Record<string, string>);
    const answer = 'a'.repeat(60_000);
    for (let time = 0; time < 100; time += 1) expect(hostile(answer)).toMatch(/^••••a{0,200}$/);
    const escaped = '\\u0061'.repeat(10_000);
    for (let time = 0; time < 100; time += 1) expect(hostile(escaped)).toMatch(/^••••(?:\\u0061){0,200}$/);
  });

  it('hide the whole response if there are too many to look for', () => {
    const secretOf = (index: number) => Array.from({ length: 500 }, (_, number) => index * 500 + number).join(',');
    const headers = Array.from({ length: 100 }, (_, index) => [`h${index}`, secretOf(index)]);
    expect(maskedBy(Object.fromEntries(headers) as Record<string, string>)('anything at all')).toBe('••••');
  });
});
