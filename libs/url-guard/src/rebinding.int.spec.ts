import got from 'got';
import { makeCertificates, type TestCertificates } from '../test/certificates.ts';
import { startCountingServer, type CountingServer } from '../test/counting-server.ts';
import { watchConnections, type ConnectionWatch } from '../test/connection-watch.ts';
import { startDnsStub, type DnsAnswer, type DnsStub } from '../test/dns-stub.ts';
import { isAddressRefused } from './address-refused-error.ts';
import { createDnsLookup } from './resolve-name.ts';
import { createUrlGuard, type UrlGuard, type UrlPolicy } from './url-guard.ts';

const PUBLIC = '93.184.216.34';
const PUBLIC_6 = '2606:2800:220:1::1';
const NAME = 'receiver.example.com';
const many = (count: number) => Array.from({ length: count }, (_, index) => `8.8.${index >> 8}.${index & 255}`);

let dns: DnsStub;
let certificates: TestCertificates;
let server: CountingServer;
let watch: ConnectionWatch;
let url: string;
const guards: UrlGuard[] = [];
beforeAll(async () => {
  dns = await startDnsStub();
  certificates = await makeCertificates([`DNS:${NAME}`]);
  server = await startCountingServer({ host: '::', tls: certificates });
  url = `https://${NAME}:${server.port}/hook`;
  watch = watchConnections();
});
beforeEach(() => {
  watch.taken();
  server.connections = 0;
});
afterEach(() => {
  for (const guard of guards.splice(0)) guard.agents.destroy();
});
afterAll(async () => {
  watch.stop();
  await server.close();
  await dns.close();
});

const openGuard = (allowedRanges: UrlPolicy['allowedRanges'] = []): UrlGuard => {
  const lookup = createDnsLookup({ servers: [dns.server], timeoutMs: 1_000 });
  const guard = createUrlGuard({ allowHttp: false, allowedRanges }, { lookup, ca: certificates.ca });
  guards.push(guard);
  return guard;
};
const sendWith = (guard: UrlGuard) => got.post(url, { ...guard.gotOptions, timeout: { request: 5_000 }, body: 'x' });
const failureOf = async (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(
    () => Promise.reject(new Error('The request went through.')),
    (error: unknown) => error,
  );
const opened = () => ({ begun: watch.taken(), accepted: server.connections });
const NONE = { begun: 0, accepted: 0 };

it('reaches the server through the stub where its address is exempt', async () => {
  dns.tell(NAME, { a: ['127.0.0.1'] });
  const guard = openGuard(['127.0.0.0/8']);
  expect(await guard.check(url)).toMatchObject({ ok: true });
  expect((await sendWith(guard)).statusCode).toBe(200);
  expect(opened()).toEqual({ begun: 1, accepted: 1 });
});

/** Each is refused at save, and opens no connection when it was saved all the same. */
const refused: Readonly<Record<string, DnsAnswer>> = {
  'a loopback address': { a: ['127.0.0.1'] },
  'another loopback address': { a: ['127.8.8.8'] },
  'the address of this network': { a: ['0.0.0.0'] },
  'a private address': { a: ['10.0.0.7'] },
  'the metadata service': { a: ['169.254.169.254'] },
  'the metadata service over IPv6': { aaaa: ['fd00:ec2::254'] },
  'a carrier-grade NAT address': { a: ['100.100.100.200'] },
  'the broadcast address': { a: ['255.255.255.255'] },
  'a multicast address': { a: ['224.0.0.251'] },
  'the IPv6 loopback address': { aaaa: ['::1'] },
  'the unspecified IPv6 address': { aaaa: ['::'] },
  'an IPv4-mapped loopback address': { aaaa: ['::ffff:127.0.0.1'] },
  'an IPv4-mapped public address': { aaaa: ['::ffff:8.8.8.8'] },
  'an IPv4-compatible address': { aaaa: ['::127.0.0.1'] },
  'a NAT64 address': { aaaa: ['64:ff9b::7f00:1'] },
  'a local-use NAT64 address': { aaaa: ['64:ff9b:1::7f00:1'] },
  'a 6to4 address': { aaaa: ['2002:7f00:1::1'] },
  'a Teredo address': { aaaa: ['2001:0:4136:e378:8000:63bf:80ff:fffe'] },
  'an ISATAP address': { aaaa: ['2606:4700::5efe:a00:1'] },
  'a unique local address': { aaaa: ['fd12:3456::1'] },
  'a link-local address': { aaaa: ['fe80::1'] },
  'a public address and then a private one': { a: [PUBLIC, '127.0.0.1'] },
  'a private address and then a public one': { a: ['127.0.0.1', PUBLIC] },
  'a public IPv4 and a private IPv6 address': { a: [PUBLIC], aaaa: ['::1'] },
  'a private IPv4 and a public IPv6 address': { a: ['127.0.0.1'], aaaa: [PUBLIC_6] },
  'a private IPv4 address, the other family silent': { a: ['127.0.0.1'], silent: ['AAAA'] },
  'a private IPv6 address, the other family silent': { aaaa: ['::1'], silent: ['A'] },
  'an alias of a private address': { cname: ['alias.example.net'], a: ['127.0.0.1'] },
  'an alias of an alias of a private address': { cname: ['one.example.net', 'two.example.net'], aaaa: ['::1'] },
  'an alias of localhost': { cname: ['localhost'], a: ['127.0.0.1'], aaaa: ['::1'] },
  'an alias of a metadata name': { cname: ['metadata.google.internal'], a: ['169.254.169.254'] },
  'a private address that may be kept for a day': { a: ['127.0.0.1'], ttl: 86_400 },
  'thirty public addresses and a private one': { a: [...many(30), '127.0.0.1'] },
  'so many addresses that they come over TCP, the last one private': { a: [...many(600), '127.0.0.1'] },
};

describe('a name that resolves to an address that is not public', () => {
  it.each(Object.entries(refused))(
    'is refused at save, and opens no connection where it was saved all the same: %s',
    async (_case, answer) => {
      dns.tell(NAME, answer);
      const guard = openGuard();
      expect(await guard.check(url)).toMatchObject({ ok: false, code: 'address_refused' });
      expect(isAddressRefused(await failureOf(sendWith(guard)))).toBe(true);
      expect(opened()).toEqual(NONE);
    },
  );
});

describe('a name without an address that could be judged', () => {
  it.each<[string, DnsAnswer, string]>([
    ['it does not exist', { rcode: 3 }, 'has no DNS address record'],
    ['it has no address', {}, 'has no DNS address record'],
    ['it is an alias of nothing', { cname: ['gone.example.net'] }, 'has no DNS address record'],
    ['its servers fail', { rcode: 2 }, 'could not be resolved right now'],
    ['its servers refuse', { rcode: 5 }, 'could not be resolved right now'],
    ['its servers are silent', { silent: ['A', 'AAAA'] }, 'could not be resolved right now'],
    ['the answer is an endless alias', { garbage: Buffer.from('c00c00050001000000000002c00c', 'hex') }, ''],
    ['the answer ends early', { garbage: Buffer.from('c00c000100010000000000047f', 'hex') }, ''],
    ['the answer points outside itself', { garbage: Buffer.from('ffff00010001000000000004', 'hex') }, ''],
  ])('opens no connection: %s', async (_case, answer, detail) => {
    dns.tell(NAME, answer);
    const guard = openGuard();
    const verdict = await guard.check(url);
    expect(verdict).toMatchObject({
      ok: false,
      code: 'name_unresolved',
      detail: expect.stringContaining(detail) as string,
    });
    expect(await failureOf(sendWith(guard))).toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    });
    expect(opened()).toEqual(NONE);
  });
});

describe('a name that was public when it was saved', () => {
  it.each<[string, DnsAnswer]>([
    ['the loopback', { a: ['127.0.0.1'] }],
    ['the IPv6 loopback, and nothing else', { a: [], aaaa: ['::1'] }],
    ['the loopback beside its public address', { a: [PUBLIC, '127.0.0.1'] }],
    ['the loopback in the family it did not have', { a: [PUBLIC], aaaa: ['::ffff:127.0.0.1'] }],
    ['an alias of the loopback', { cname: ['localhost'], a: ['127.0.0.1'] }],
    ['a private network', { a: ['192.168.1.1'] }],
    ['the metadata service', { a: ['169.254.169.254'] }],
  ])('opens no connection when it resolves to %s by then', async (_case, later) => {
    dns.tell(NAME, { a: [PUBLIC], ttl: 0 }, later);
    const guard = openGuard();
    expect(await guard.check(url)).toMatchObject({ ok: true });
    expect(isAddressRefused(await failureOf(sendWith(guard)))).toBe(true);
    expect(opened()).toEqual(NONE);
  });

  it('opens no connection when it resolves to the loopback at every other question', async () => {
    const answers = Array.from({ length: 10 }, (_, index) => ({ a: [index % 2 === 0 ? PUBLIC : '127.0.0.1'], ttl: 0 }));
    dns.tell(NAME, ...answers);
    const guard = openGuard();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await guard.check(url)).toMatchObject({ ok: true });
      expect(isAddressRefused(await failureOf(sendWith(guard)))).toBe(true);
    }
    expect(opened()).toEqual(NONE);
  });

  it('opens none to a private address, though the attempt before reached it where it was allowed', async () => {
    dns.tell(NAME, { a: ['127.0.0.1'] }, { a: ['10.0.0.1'] });
    const guard = openGuard(['127.0.0.0/8']);
    const closing = { ...guard.gotOptions, headers: { connection: 'close' }, timeout: { request: 5_000 } };
    expect((await got.post(url, closing)).statusCode).toBe(200);
    expect(opened()).toEqual({ begun: 1, accepted: 1 });
    expect(isAddressRefused(await failureOf(got.post(url, closing)))).toBe(true);
    expect(opened()).toEqual({ begun: 0, accepted: 1 });
  });
});

describe('a redirect', () => {
  it.each([
    'https://127.0.0.1:{port}/',
    'https://[::1]:{port}/',
    'http://169.254.169.254/latest/meta-data/',
    'https://receiver.example.com:{port}/elsewhere',
    '//10.0.0.1/',
    'file:///etc/passwd',
  ])('opens no second connection, to %s', async (target) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = target.replace('{port}', String(server.port));
      const redirecting = await startCountingServer({
        tls: certificates,
        respond: (_, response) => response.writeHead(status, { location, refresh: `0; url=${location}` }).end(),
      });
      dns.tell(NAME, { a: ['127.0.0.1'] });
      const guard = openGuard(['127.0.0.1/32']);
      watch.taken();
      const from = `https://${NAME}:${redirecting.port}/`;
      const answer = await got.post(from, { ...guard.gotOptions, headers: { connection: 'close' }, body: 'x' });
      expect([answer.statusCode, answer.redirectUrls, opened()]).toEqual([status, [], { begun: 1, accepted: 0 }]);
      await redirecting.close();
    }
  });
});

it('knocks at no more than eight addresses of a family, however many a name has', async () => {
  const silentPort = Array.from({ length: 200 }, (_, index) => `127.0.1.${index + 1}`);
  const gone = await startCountingServer();
  await gone.close();
  dns.tell(NAME, { a: silentPort });
  const guard = openGuard(['127.0.0.0/8']);
  await failureOf(got.post(`https://${NAME}:${gone.port}/`, { ...guard.gotOptions, body: 'x' }));
  expect(watch.taken()).toBe(8);
});
