import got from 'got';
import { askKept } from '../test/ask-kept.ts';
import { startCountingServer, type CountingServer } from '../test/counting-server.ts';
import { watchConnections, type ConnectionWatch } from '../test/connection-watch.ts';
import { REFUSED_URLS } from '../test/refused-urls.ts';
import { startDnsStub, type DnsStub } from '../test/dns-stub.ts';
import { createDnsLookup } from './resolve-name.ts';
import { createUrlGuard, type UrlGuard } from './url-guard.ts';

let dns: DnsStub;
let server: CountingServer;
let guard: UrlGuard;
let watch: ConnectionWatch;
beforeAll(async () => {
  dns = await startDnsStub();
  // Every address of this machine, both families.
  server = await startCountingServer({ host: '::' });
  guard = createUrlGuard(
    { allowHttp: false, allowedRanges: [] },
    { lookup: createDnsLookup({ servers: [dns.server] }) },
  );
  watch = watchConnections();
});
afterAll(async () => {
  watch.stop();
  guard.agents.destroy();
  await server.close();
  await dns.close();
});
beforeEach(() => {
  watch.taken();
});

const cases = Object.entries(REFUSED_URLS).flatMap(([why, urls]) => urls.map((url) => ({ why, url })));

it('there are at least 80 of them, each once', () => {
  expect(new Set(cases.map(({ url }) => url)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThanOrEqual(80);
});

it('the watch sees a connection when there is one', async () => {
  const open = createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] });
  await got.post(`http://127.0.0.1:${server.port}/`, { ...open.gotOptions, body: 'x' });
  expect([watch.taken(), server.connections]).toEqual([1, 1]);
  server.connections = 0;
  open.agents.destroy();
});

describe('a URL that a receiver may not have (contract §7.2, §8)', () => {
  it.each(cases)(
    'is refused at save, and opens no connection where it was saved all the same: $why: $url',
    async ({ url: template }) => {
      const url = template.replaceAll('{port}', String(server.port));
      expect(await guard.check(url)).toMatchObject({ ok: false, detail: expect.stringMatching(/\.$/) as string });

      const options = { ...guard.gotOptions, timeout: { request: 5_000 }, body: 'x' };
      await expect(got.post(url, options)).rejects.toThrow();
      await expect(askKept(guard, url)).rejects.toThrow();
      expect({ begun: watch.taken(), accepted: server.connections }).toEqual({ begun: 0, accepted: 0 });
    },
  );
});
