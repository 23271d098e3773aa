import { execFile } from 'node:child_process';
import { type Agent, request as httpRequest } from 'node:http';
import { promisify } from 'node:util';
import got, { RequestError } from 'got';
import { askKept } from '../test/ask-kept.ts';
import { makeCertificates } from '../test/certificates.ts';
import type { TestCertificates } from '../test/certificates.ts';
import { startCountingServer } from '../test/counting-server.ts';
import type { CountingServer } from '../test/counting-server.ts';
import { AddressRefusedError, isAddressRefused } from './address-refused-error.ts';
import type { LookupAddresses } from './resolve-name.ts';
import { createUrlGuard } from './url-guard.ts';
import type { UrlGuard, UrlGuardDependencies, UrlPolicy } from './url-guard.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const loopback = { allowHttp: true, allowedRanges: ['127.0.0.0/8'] };
const noExemptions = { allowHttp: true, allowedRanges: [] };

function openGuard(policy: UrlPolicy, dependencies: UrlGuardDependencies = {}): UrlGuard {
  const guard = createUrlGuard(policy, dependencies);
  cleanups.push(() => {
    guard.agents.destroy();
  });
  return guard;
}

async function openServer(...args: Parameters<typeof startCountingServer>): Promise<CountingServer> {
  const server = await startCountingServer(...args);
  cleanups.push(() => server.close());
  return server;
}

/** A resolver that gives one answer after the other, the last one for ever, and counts the questions. */
function answers(...list: string[][]): LookupAddresses & { asked: () => number } {
  let asked = 0;
  const lookup = () => {
    const answer = list[Math.min(asked, list.length - 1)] ?? [];
    asked += 1;
    return Promise.resolve(answer.map((address) => ({ address })));
  };
  return Object.assign(lookup, { asked: () => asked });
}

async function failureOf(request: Promise<unknown>): Promise<unknown> {
  try {
    await request;
  } catch (error) {
    return error;
  }
  throw new Error('The request went through.');
}

describe('with the loopback exempt', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'receiver.example.com', 'localhost'])(
    'connects to %s',
    async (host) => {
      const server = await openServer();
      const guard = openGuard(loopback, { lookup: answers(['127.0.0.1']) });
      const url = `http://${host}:${String(server.port)}/`;
      expect(await guard.check(url)).toMatchObject({ ok: true });
      const response = await got.post(url, { ...guard.gotOptions, body: 'x' });
      expect([response.statusCode, response.body]).toEqual([200, 'ok']);
    },
  );

  it('connects to [::1] when that is exempt', async () => {
    const server = await openServer({ host: '::1' });
    const guard = openGuard({ allowHttp: true, allowedRanges: ['::1/128'] });
    expect((await got(`http://[::1]:${String(server.port)}/`, guard.gotOptions)).body).toBe('ok');
  });

  it('still refuses other private addresses', async () => {
    const server = await openServer({ host: '::1' });
    const guard = openGuard(loopback, { lookup: answers(['127.0.0.1', '::1']) });
    const port = String(server.port);
    expect(isAddressRefused(await failureOf(got(`http://[::1]:${port}/`, guard.gotOptions)))).toBe(true);
    expect(isAddressRefused(await failureOf(got(`http://localhost:${port}/`, guard.gotOptions)))).toBe(true);
    expect(server.connections).toBe(0);
  });

  it('keeps connections alive, asking the DNS once per connection', async () => {
    const server = await openServer();
    const lookup = answers(['127.0.0.1'], ['10.0.0.1']);
    const guard = openGuard(loopback, { lookup });
    const url = `http://receiver.example.com:${String(server.port)}/`;
    await askKept(guard, url);
    await askKept(guard, url);
    expect([server.connections, server.requests, lookup.asked()]).toEqual([1, 2, 1]);
  });

  it('admits to a kept connection what the DNS still allows: literals need no look-up', async () => {
    const lookup = answers(['127.0.0.1'], ['10.0.0.1']);
    const { agents } = openGuard(loopback, { lookup });
    await expect(agents.admit('receiver.example.com')).resolves.toBeUndefined();
    expect(isAddressRefused(await failureOf(Promise.resolve(agents.admit('receiver.example.com'))))).toBe(true);
    expect(agents.admit('127.0.0.1')).toBeUndefined();
    expect(lookup.asked()).toBe(2);
  });

  it('opens a connection for each request by got’s options, also beside one that is kept', async () => {
    const server = await openServer();
    const guard = openGuard(loopback, { lookup: answers(['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']) });
    const url = `http://receiver.example.com:${String(server.port)}/`;
    await askKept(guard, url);
    await got(url, guard.gotOptions);
    expect(server.connections).toBe(2);
    expect(isAddressRefused(await failureOf(got(url, guard.gotOptions)))).toBe(true);
  });

  it('tries the next checked address when the first does not answer', async () => {
    const server = await openServer();
    const guard = openGuard(
      { allowHttp: true, allowedRanges: ['127.0.0.0/8', '::1/128'] },
      { lookup: answers(['127.0.0.9', '::1', '127.0.0.1']) },
    );
    expect((await got(`http://localhost:${String(server.port)}/`, guard.gotOptions)).body).toBe('ok');
  });

  it('asks for the family the request wants', async () => {
    const server = await openServer();
    const guard = openGuard(
      { allowHttp: true, allowedRanges: ['127.0.0.0/8', '::1/128'] },
      { lookup: answers(['::1', '127.0.0.1']) },
    );
    const url = `http://localhost:${String(server.port)}/`;
    expect((await got(url, { ...guard.gotOptions, dnsLookupIpVersion: 4 })).body).toBe('ok');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i to another address', async (status) => {
    const target = await openServer({ host: '127.0.0.2' });
    const location = `http://127.0.0.2:${String(target.port)}/`;
    const server = await openServer({ respond: (_, response) => response.writeHead(status, { location }).end() });
    const guard = openGuard(loopback);
    const response = await got.post(`http://127.0.0.1:${String(server.port)}/`, { ...guard.gotOptions, body: 'x' });
    expect([response.statusCode, response.redirectUrls, target.connections]).toEqual([status, [], 0]);
  });

  it.each([404, 500, 503])('returns a %i immediately and unchanged', async (status) => {
    const server = await openServer({
      respond: (_, response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end('not gzip'),
    });
    const response = await got(`http://127.0.0.1:${String(server.port)}/`, openGuard(loopback).gotOptions);
    expect([response.statusCode, Buffer.from(response.rawBody).toString(), server.requests]).toEqual([
      status,
      'not gzip',
      1,
    ]);
  });

  it('passes a failed resolution on as the network error it is', async () => {
    const broken = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
    for (const [lookup, code] of [
      [() => Promise.reject(broken), 'EAI_AGAIN'],
      [answers([]), 'ENOTFOUND'],
    ] as const) {
      const error = await failureOf(got('http://gone.example.com/', openGuard(loopback, { lookup }).gotOptions));
      expect(error).toMatchObject({ code });
      expect(isAddressRefused(error)).toBe(false);
    }
  });
});

describe('a loopback server without exemptions', () => {
  const names: [string, LookupAddresses][] = [
    ['loopback', answers(['127.0.0.1'])],
    ['public first', answers(['93.184.216.34', '127.0.0.1'])],
    ['public last', answers(['127.0.0.1', '93.184.216.34'])],
    ['mapped', answers(['::ffff:127.0.0.1'])],
    ['other family', answers(['2606:4700::1111', '127.0.0.1'])],
  ];
  it.each(names)('sees no connection to a name resolving to %s', async (_case, lookup) => {
    const server = await openServer();
    const guard = openGuard(noExemptions, { lookup });
    const error = await failureOf(got(`http://receiver.example.com:${String(server.port)}/`, guard.gotOptions));
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ code: 'ERR_ADDRESS_REFUSED', cause: { hostname: 'receiver.example.com' } });
    expect((error as Error).cause).toBeInstanceOf(AddressRefusedError);
    expect(isAddressRefused(error)).toBe(true);
    expect(server.connections).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    'localhost',
    'app.localhost',
  ])('sees no connection to %s', async (host) => {
    const server = await openServer();
    const guard = openGuard(noExemptions);
    const error = await failureOf(got(`http://${host}:${String(server.port)}/`, guard.gotOptions));
    expect(isAddressRefused(error)).toBe(true);
    expect(server.connections).toBe(0);
  });

  it('sees no connection to [::1]', async () => {
    const server = await openServer({ host: '::1' });
    const error = await failureOf(got(`http://[::1]:${String(server.port)}/`, openGuard(noExemptions).gotOptions));
    expect(isAddressRefused(error)).toBe(true);
    expect(server.connections).toBe(0);
  });

  it('sees no connection when the DNS changes its answer between the check and the connection', async () => {
    const server = await openServer();
    const lookup = answers(['93.184.216.34'], ['127.0.0.1']);
    const guard = openGuard(noExemptions, { lookup });
    const url = `http://rebinding.example.com:${String(server.port)}/`;
    expect(await guard.check(url)).toMatchObject({ ok: true });
    expect(isAddressRefused(await failureOf(got(url, guard.gotOptions)))).toBe(true);
    expect([lookup.asked(), server.connections]).toEqual([2, 0]);
  });

  it('sees no connection when a request brings a resolver, a socket factory or a unix socket of its own', async () => {
    const server = await openServer();
    const { gotOptions } = openGuard(noExemptions, { lookup: answers(['127.0.0.1']) });
    const url = `http://receiver.example.com:${String(server.port)}/`;
    const dnsLookup = ((
      _host: string,
      _options: object,
      done: (error: null, address: string, family: number) => void,
    ) => {
      done(null, '127.0.0.1', 4);
    }) as never;
    expect(isAddressRefused(await failureOf(got(url, { ...gotOptions, dnsLookup })))).toBe(true);
    const error = await failureOf(
      new Promise((resolve, reject) => {
        const { http: agent } = gotOptions.agent;
        httpRequest({ agent, host: 'example.com', socketPath: '/run/any.sock' }, resolve).on('error', reject).end();
      }),
    );
    expect(isAddressRefused(error)).toBe(true);
    expect(server.connections).toBe(0);
  });

  it('sees no connection when a spelling reaches the agent that no URL parser has normalised', async () => {
    const server = await openServer();
    const { agents } = openGuard(noExemptions);
    for (const host of [
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '::1',
      '[::1]',
      '127.0.0.1.',
      'fe80::1%lo',
      'LOCALHOST.',
    ]) {
      const ask = (agent: Agent) =>
        failureOf(
          new Promise((resolve, reject) => {
            httpRequest({ agent, host, port: server.port }, resolve).on('error', reject).end();
          }),
        );
      const refusals = [await ask(agents.fresh.http), await ask(agents.keepAlive.http)];
      expect({ host, refused: refusals.map(isAddressRefused) }).toEqual({ host, refused: [true, true] });
    }
    expect(server.connections).toBe(0);
  });

  it('sees no connection over plain http when only https is allowed, exempt or not', async () => {
    const server = await openServer();
    const guard = openGuard({ ...loopback, allowHttp: false });
    const error = await failureOf(got(`http://127.0.0.1:${String(server.port)}/`, guard.gotOptions));
    expect(isAddressRefused(error)).toBe(true);
    expect(server.connections).toBe(0);
  });
});

it('opens no connection into a range that the operator refuses, even if allowed otherwise', async () => {
  const server = await openServer();
  const guard = openGuard({ ...loopback, refusedRanges: ['127.0.0.1/32'] }, { lookup: answers(['127.0.0.1']) });
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'receiver.example.com']) {
    const url = `http://${host}:${String(server.port)}/`;
    const failures = [await failureOf(got(url, guard.gotOptions)), await failureOf(askKept(guard, url))];
    expect({ host, refused: failures.map(isAddressRefused) }).toEqual({ host, refused: [true, true] });
  }
  expect(server.connections).toBe(0);
});

it('refuses a certificate of an unknown authority, even if a request by got accepts it', async () => {
  const server = await openServer({ tls: await makeCertificates(['IP:127.0.0.1']) });
  const guard = openGuard(loopback);
  const url = `https://127.0.0.1:${String(server.port)}/`;
  const error = await failureOf(got(url, { ...guard.gotOptions, https: { rejectUnauthorized: false } }));
  expect(error).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  expect(server.requests).toBe(0);
});

it('ignores the proxy of the environment', async () => {
  const proxy = await openServer();
  const server = await openServer();
  const script = `
    import got from 'got';
    import { createUrlGuard } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
    import { askKept } from ${JSON.stringify(new URL('../test/ask-kept.ts', import.meta.url).href)};
    const guard = createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] });
    const url = 'http://127.0.0.1:${String(server.port)}/';
    for (const { body } of [await got(url, guard.gotOptions), await askKept(guard, url)]) process.stdout.write(body);
    guard.agents.destroy();
  `;
  const proxyUrl = `http://127.0.0.1:${String(proxy.port)}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: new URL('..', import.meta.url),
    env: {
      PATH: process.env['PATH'],
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxyUrl,
      HTTPS_PROXY: proxyUrl,
      http_proxy: proxyUrl,
      https_proxy: proxyUrl,
      ALL_PROXY: proxyUrl,
    },
  });
  expect([stdout, server.requests, proxy.connections]).toEqual(['okok', 2, 0]);
});

describe.each([
  ['a connection each', (guard: UrlGuard, url: string) => got.post(url, { ...guard.gotOptions, body: 'x' })],
  ['connections that are kept', askKept],
])('over TLS, on %s', (_which, ask) => {
  let certificates: TestCertificates;
  beforeAll(async () => {
    certificates = await makeCertificates(['DNS:receiver.example.com', 'IP:127.0.0.1']);
  });
  const lookup = answers(['127.0.0.1']);

  it.each(['receiver.example.com', '127.0.0.1'])('talks to %s when its certificate is right', async (host) => {
    const server = await openServer({ tls: certificates });
    const guard = openGuard(loopback, { lookup, ca: certificates.ca });
    const response = await ask(guard, `https://${host}:${String(server.port)}/`);
    expect([response.statusCode, response.body]).toEqual([200, 'ok']);
  });

  it('refuses a certificate for another name', async () => {
    const server = await openServer({ tls: certificates });
    const guard = openGuard(loopback, { lookup, ca: certificates.ca });
    const error = await failureOf(ask(guard, `https://other.example.com:${String(server.port)}/`));
    expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(server.requests).toBe(0);
  });

  it('refuses a certificate of an unknown authority', async () => {
    const server = await openServer({ tls: certificates });
    const guard = openGuard(loopback, { lookup });
    const error = await failureOf(ask(guard, `https://receiver.example.com:${String(server.port)}/`));
    expect(error).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(server.requests).toBe(0);
  });

  it('checks addresses before the handshake', async () => {
    const server = await openServer({ tls: certificates });
    const guard = openGuard({ allowHttp: false, allowedRanges: [] }, { lookup, ca: certificates.ca });
    for (const host of ['receiver.example.com', '127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const error = await failureOf(ask(guard, `https://${host}:${String(server.port)}/`));
      expect({ host, refused: isAddressRefused(error) }).toEqual({ host, refused: true });
    }
    expect(server.connections).toBe(0);
  });
});
