import { startDnsStub, type DnsStub } from '../test/dns-stub.ts';
import { createDnsLookup, defaultLookup } from './resolve-name.ts';

let dns: DnsStub;
beforeAll(async () => {
  dns = await startDnsStub();
});
afterAll(() => dns.close());

const lookupAt = (timeoutMs = 200) => createDnsLookup({ servers: [dns.server], timeoutMs });

describe('a lookup in the DNS', () => {
  it('gives the addresses of both families', async () => {
    dns.tell('both.example.com', { a: ['93.184.216.34', '93.184.216.35'], aaaa: ['2606:2800:220:1::1'] });
    expect(await lookupAt()('both.example.com')).toEqual(
      ['93.184.216.34', '93.184.216.35', '2606:2800:220:1::1'].map((address) => ({ address })),
    );
  });

  it('makes do with one family when the other is not there, fails or is silent', async () => {
    dns.tell('four.example.com', { a: ['93.184.216.34'] });
    dns.tell('half.example.com', { a: ['93.184.216.34'], silent: ['AAAA'] });
    for (const name of ['four.example.com', 'half.example.com']) {
      expect(await lookupAt()(name)).toEqual([{ address: '93.184.216.34' }]);
    }
  });

  it('takes an answer that is too long for a datagram over TCP', async () => {
    const a = Array.from({ length: 400 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
    dns.tell('long.example.com', { a });
    expect(await lookupAt()('long.example.com')).toHaveLength(400);
  });

  it('says that a name is not there, and by another code that the DNS does not answer', async () => {
    dns.tell('failing.example.com', { rcode: 2 });
    dns.tell('silent.example.com', { silent: ['A', 'AAAA'] });
    await expect(lookupAt()('gone.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(lookupAt()('failing.example.com')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    await expect(lookupAt()('silent.example.com')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('asks for the name as it is: no search domain is appended', async () => {
    await lookupAt()('as-it-is.example.com').catch(() => undefined);
    const about = dns.questions.filter((question) => question.includes('as-it-is'));
    expect(new Set(about)).toEqual(new Set(['A as-it-is.example.com', 'AAAA as-it-is.example.com']));
  });

  it('is not held up by names whose servers do not answer', async () => {
    const lookup = lookupAt(500);
    const hanging = Array.from({ length: 50 }, (_, index) => `hanging-${index}.example.com`);
    for (const name of hanging) dns.tell(name, { silent: ['A', 'AAAA'] });
    let ended = 0;
    const waiting = hanging.map((name) => lookup(name).catch(() => (ended += 1)));
    dns.tell('healthy.example.com', { a: ['93.184.216.34'] });
    expect(await lookup('healthy.example.com')).toEqual([{ address: '93.184.216.34' }]);
    expect(ended).toBe(0);
    await Promise.all(waiting);
  });
});

it('local names are the system’s to know', async () => {
  const addresses = (await defaultLookup('localhost')).map(({ address }) => address);
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining(addresses));
});
