import { createUrlGuard } from './url-guard.ts';
import type { UrlPolicy } from './url-guard.ts';

const strict: UrlPolicy = { allowHttp: false, allowedRanges: [] };

/** A guard whose whole DNS is the given table. */
function guardWith(dns: Record<string, string[]>, policy: UrlPolicy = strict) {
  return createUrlGuard(policy, {
    lookup: (name) => {
      const addresses = dns[name];
      if (addresses !== undefined) return Promise.resolve(addresses.map((address) => ({ address })));
      return Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }));
    },
  });
}

const publicDns = {
  'example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'hooks.example.com': ['93.184.216.34'],
  'xn--bcher-kva.example': ['93.184.216.34'],
  'under_score.example.com': ['93.184.216.34'],
  'six.example.com': ['2606:2800:220:1::1'],
  'localhost.example.com': ['93.184.216.34'],
  'notlocal.com': ['93.184.216.34'],
  '127.0.0.1.example.com': ['93.184.216.34'],
};

describe('a guard without exemptions, asked for what is public,', () => {
  const guard = guardWith(publicDns);
  it.each([
    'https://example.com',
    'https://example.com/hook?token=a%20b&c=1',
    'https://example.com/hook#section',
    'https://example.com:8443/hook',
    'https://example.com:1/',
    'https://example.com:65535/',
    'https://example.com./hook',
    'HTTPS://EXAMPLE.COM/Hook',
    'https://hooks.example.com/a@b',
    'https://hooks.example.com/?to=http://localhost/',
    'https://bücher.example/',
    'https://example.com/a b/ü?q=x y',
    'https://under_score.example.com/',
    'https://six.example.com/',
    'https://localhost.example.com/',
    'https://notlocal.com/',
    'https://127.0.0.1.example.com/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700:4700::1111]:8443/',
    `https://example.com/${'a'.repeat(2_048 - 'https://example.com/'.length)}`,
  ])('allows %s', async (url) => {
    expect(await guard.check(url)).toEqual({ ok: true, url: new URL(url) });
  });
});

describe('a guard without exemptions, before any DNS,', () => {
  const refused: Record<string, string[]> = {
    url_invalid: [
      '',
      'example.com/hook',
      '/hook',
      '//example.com/hook',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
      'https://',
      'https://?',
      'https:\\\\example.com\\hook',
      'https://example.com\\@127.0.0.1/',
      ' https://example.com',
      'https://example.com\n',
      'https://exa\tmple.com',
      'https://exam ple.com/a',
      'https://example.com/\ud800',
      'https://example.com:0/',
      'https://example.com:65536/',
      'https://example.com:port/',
      'https://exa%00mple.com/',
      'https://[::1',
      'https://[fe80::1%25eth0]/',
      'https://256.256.256.256/',
      'https://1.2.3.4.5/',
      'https://receiver.0x7f/',
      'https://exa<mple.com/',
    ],
    url_too_long: [
      `https://example.com/${'a'.repeat(2_048)}`,
      // Short as given, long once percent-encoded.
      `https://example.com/${'é'.repeat(1_000)}`,
    ],
    scheme_refused: [
      'http://example.com/hook',
      'http://127.0.0.1/',
      'ftp://example.com/',
      'ws://example.com/',
      'wss://example.com/',
      'file:///etc/passwd',
      'gopher://example.com/',
      'unix:/var/run/docker.sock:/info',
      'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
      'data:text/plain,hello',
      'javascript:alert(1)',
      'blob:https://example.com/x',
    ],
    user_info_refused: [
      'https://user@example.com/',
      'https://user:password@example.com/',
      'https://:password@example.com/',
      'https://@example.com/',
      'https://:@example.com/',
      'https://example.com@127.0.0.1/',
    ],
    host_refused: [
      'https://localhost/',
      'https://LOCALHOST/',
      'https://localhost./',
      'https://localhost:8443/',
      'https://loc%61lhost/',
      'https://ｌｏｃａｌｈｏｓｔ/',
      'https://app.localhost/',
      'https://app.localhost./',
      'https://localhost.localdomain/',
      'https://printer.local/',
      'https://local/',
      'https://metadata.google.internal/computeMetadata/v1/',
      'https://internal/',
      'https://router.home.arpa/',
      'https://nas.lan/',
      'https://wiki.corp/',
      'https://wiki.intranet/',
      'https://kubernetes/',
      'https://postgres:5432/',
      'https://com/',
      'https://example..com/',
      'https://.example.com/',
      'https://example.com../',
      'https://-example.com/',
      'https://example-.com/',
      'https://*.example.com/',
      'https://exam!ple.com/',
      `https://${'a'.repeat(64)}.com/`,
      `https://${'a.'.repeat(127)}com/`,
    ],
    address_refused: [
      'https://127.0.0.1/',
      'https://127.0.0.1:8443/',
      'https://127.0.0.1./',
      'https://127.1/',
      'https://127.0.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0x7F.0.0.1/',
      'https://0177.0.0.1/',
      'https://017700000001/',
      'https://0x7f.1/',
      'https://127.0x1/',
      'https://%31%32%37.0.0.1/',
      'https://①②⑦.⓪.⓪.①/',
      'https://127。0。0。1/',
      'https://0/',
      'https://0.0.0.0/',
      'https://10.0.0.1/',
      'https://012.0.0.1/',
      'https://100.64.0.1/',
      'https://100.100.100.200/',
      'https://169.254.169.254/latest/meta-data/',
      'https://0xA9FEA9FE/',
      'https://2852039166/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://168.63.129.16/',
      'https://192.0.0.192/',
      'https://198.18.0.1/',
      'https://192.0.2.1/',
      'https://224.0.0.1/',
      'https://240.0.0.1/',
      'https://255.255.255.255/',
      'https://[::]/',
      'https://[::1]/',
      'https://[0:0:0:0:0:0:0:1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[::ffff:8.8.8.8]/',
      'https://[::127.0.0.1]/',
      'https://[::ffff:0:127.0.0.1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[64:ff9b:1::a00:1]/',
      'https://[2002:7f00:1::]/',
      'https://[2001:0:7f00:1::]/',
      'https://[fd00:ec2::254]/',
      'https://[fc00::1]/',
      'https://[fe80::1]/',
      'https://[fec0::1]/',
      'https://[ff02::1]/',
      'https://[100::1]/',
      'https://[5f00::1]/',
      'https://[2001:db8::1]/',
      'https://[3fff::1]/',
      'https://[4000::1]/',
    ],
  };
  const guard = createUrlGuard(strict, {
    lookup: () => Promise.resolve([{ address: '93.184.216.34' }]),
  });
  it.each(Object.entries(refused).flatMap(([code, urls]) => urls.map((url) => ({ code, url }))))(
    'refuses $url as $code',
    async ({ code, url }) => {
      expect(await guard.check(url)).toMatchObject({ ok: false, code });
    },
  );

  it('says why it refuses in a sentence', async () => {
    expect(await guard.check('https://10.1.2.3/')).toEqual({
      ok: false,
      code: 'address_refused',
      detail: '10.1.2.3 is not a public address: private network (10.0.0.0/8).',
    });
    expect(await guard.check('http://example.com/')).toMatchObject({ detail: 'The URL must start with https://.' });
  });
});

describe('a guard without exemptions, by what the DNS says,', () => {
  const dns: Record<string, string[]> = {
    'loopback.example.com': ['127.0.0.1'],
    'private.example.com': ['10.0.0.7'],
    'metadata.example.com': ['169.254.169.254'],
    'metadata6.example.com': ['fd00:ec2::254'],
    'zero.example.com': ['0.0.0.0'],
    'six.example.com': ['::1'],
    'mapped.example.com': ['::ffff:10.0.0.1'],
    'mapped-public.example.com': ['::ffff:8.8.8.8'],
    'nat64.example.com': ['64:ff9b::a00:1'],
    'scoped.example.com': ['fe80::1%eth0'],
    'mixed-last.example.com': ['93.184.216.34', '192.168.0.1'],
    'mixed-first.example.com': ['192.168.0.1', '93.184.216.34'],
    'mixed-families.example.com': ['93.184.216.34', '::1'],
    'many.example.com': [...Array.from({ length: 30 }, (_, index) => `8.8.8.${String(index)}`), '10.0.0.1'],
    'garbage.example.com': ['not an address'],
    '10.0.0.1.nip.io': ['10.0.0.1'],
  };
  const guard = guardWith(dns);
  it.each(Object.keys(dns))('refuses %s', async (name) => {
    expect(await guard.check(`https://${name}/hook`)).toMatchObject({ ok: false, code: 'address_refused' });
  });

  it('says the kind of address that it refuses, not the address', async () => {
    expect(await guard.check('https://private.example.com/')).toEqual({
      ok: false,
      code: 'address_refused',
      detail: '"private.example.com" resolves to an address that is not public: private network (10.0.0.0/8).',
    });
  });
});

describe('a name without an address', () => {
  it('is refused when the DNS does not know it', async () => {
    expect(await guardWith({}).check('https://gone.example.com/')).toEqual({
      ok: false,
      code: 'name_unresolved',
      detail: '"gone.example.com" has no DNS address record.',
    });
  });

  it('is refused when the answer is empty', async () => {
    expect(await guardWith({ 'empty.example.com': [] }).check('https://empty.example.com/')).toEqual({
      ok: false,
      code: 'name_unresolved',
      detail: '"empty.example.com" has no DNS address record.',
    });
  });

  it.each([
    ['fails for now', () => Promise.reject(Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' }))],
    ['never answers', () => new Promise<never>(() => undefined)],
    [
      'breaks',
      () => {
        throw new Error('broken resolver');
      },
    ],
  ])('is refused when the DNS %s', async (_case, lookup) => {
    const guard = createUrlGuard(strict, { lookup, lookupTimeoutMs: 20 });
    expect(await guard.check('https://slow.example.com/')).toEqual({
      ok: false,
      code: 'name_unresolved',
      detail: '"slow.example.com" could not be resolved right now.',
    });
  });
});

describe('a guard with exemptions', () => {
  const policy = { allowHttp: true, allowedRanges: ['127.0.0.0/8', '172.18.0.0/16'] };
  const dns = {
    ...publicDns,
    localhost: ['127.0.0.1'],
    receiver: ['172.18.0.4'],
    'both.localhost': ['127.0.0.1', '::1'],
    database: ['10.0.0.5'],
    'spoofed.local': ['93.184.216.34'],
    'dev.example.com': ['127.0.0.1'],
    'private.example.com': ['10.0.0.7'],
  };
  const guard = guardWith(dns, policy);

  it.each([
    'http://localhost:3000/hook',
    'http://localhost.:3000/hook',
    'http://receiver:8080/',
    'http://127.0.0.1:3000/',
    'http://2130706433/',
    'https://[::ffff:127.0.0.1]/',
    'https://dev.example.com/',
    'http://example.com/',
    'https://example.com/',
  ])('allows %s', async (url) => {
    expect(await guard.check(url)).toEqual({ ok: true, url: new URL(url) });
  });

  it.each([
    ['http://database/', '"database" resolves to 10.0.0.5 that is not public: private network (10.0.0.0/8).'],
    ['http://both.localhost/', '"both.localhost" resolves to ::1 that is not public: loopback (::1/128).'],
    [
      'http://spoofed.local/',
      '"spoofed.local" resolves to 93.184.216.34 outside the allowed ranges, and it is a local name.',
    ],
    [
      'http://private.example.com/',
      '"private.example.com" resolves to 10.0.0.7 that is not public: private network (10.0.0.0/8).',
    ],
    ['http://[::1]/', '::1 is not a public address: loopback (::1/128).'],
    [
      'http://169.254.169.254/',
      '169.254.169.254 is not a public address: cloud metadata service (169.254.169.254/32).',
    ],
    ['ftp://localhost/', 'The URL must start with https:// or http://.'],
  ])('refuses %s', async (url, detail) => {
    expect(await guard.check(url)).toMatchObject({ ok: false, detail });
  });

  it('keeps http out when only ranges are exempt', async () => {
    const https = guardWith(dns, { ...policy, allowHttp: false });
    expect(await https.check('http://localhost/')).toMatchObject({ ok: false, code: 'scheme_refused' });
    expect(await https.check('https://localhost/')).toMatchObject({ ok: true });
  });

  it('keeps private addresses out when only http is allowed', async () => {
    const http = guardWith(dns, { ...policy, allowedRanges: [] });
    expect(await http.check('http://localhost/')).toMatchObject({ ok: false, code: 'host_refused' });
    expect(await http.check('http://127.0.0.1/')).toMatchObject({ ok: false, code: 'address_refused' });
    expect(await http.check('http://example.com/')).toMatchObject({ ok: true });
  });

  it('is not made when a range is no CIDR block', () => {
    expect(() => createUrlGuard({ allowHttp: false, allowedRanges: ['localhost'] })).toThrow(
      'allowed ranges: "localhost" is not a CIDR block',
    );
  });
});

it('a blank or a letter outside ASCII in the path is percent-encoded, not refused', async () => {
  const verdict = await guardWith(publicDns).check('https://example.com/mein weg/grüße?an=Zoë B');
  expect(verdict).toMatchObject({
    ok: true,
    url: { href: 'https://example.com/mein%20weg/gr%C3%BC%C3%9Fe?an=Zo%C3%AB%20B' },
  });
});
