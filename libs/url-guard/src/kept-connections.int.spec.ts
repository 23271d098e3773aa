import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { askKept } from '../test/ask-kept.ts';
import { makeCertificates } from '../test/certificates.ts';
import { type CountingServer, startCountingServer } from '../test/counting-server.ts';
import { createUrlGuard, type UrlGuard } from './url-guard.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function openServer(...args: Parameters<typeof startCountingServer>): Promise<CountingServer> {
  const server = await startCountingServer(...args);
  cleanups.push(() => server.close());
  return server;
}

function openGuard(ca?: string): UrlGuard {
  const guard = createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] }, ca === undefined ? {} : { ca });
  cleanups.push(() => {
    guard.agents.destroy();
  });
  return guard;
}

/**
 * Resolves when the answer has ended, its connection has been given back, and the server has heard of it if it was
 * closed.
 */
async function ask(guard: UrlGuard, { port }: CountingServer, protocol = 'http:'): Promise<void> {
  expect(await askKept(guard, `${protocol}//127.0.0.1:${String(port)}/`)).toMatchObject({ body: 'ok' });
  await sleep(5);
}

const answersWith = (headers: OutgoingHttpHeaders) =>
  openServer({ respond: (_request, response) => response.writeHead(200, headers).end('ok') });

describe('a connection', () => {
  it('is kept for the next request, the one that was used last first', async () => {
    const [guard, server] = [openGuard(), await openServer()];
    await Promise.all([ask(guard, server), ask(guard, server)]);
    for (let asked = 0; asked < 3; asked += 1) await ask(guard, server);
    expect([server.connections, server.requests]).toEqual([2, 5]);
  });

  it('is kept over TLS too', async () => {
    const certificates = await makeCertificates(['IP:127.0.0.1']);
    const [guard, server] = [openGuard(certificates.ca), await openServer({ tls: certificates })];
    for (let asked = 0; asked < 3; asked += 1) await ask(guard, server, 'https:');
    expect([server.connections, server.requests]).toEqual([1, 3]);
  });

  it('is kept for a second without a request', async () => {
    const [guard, server] = [openGuard(), await openServer()];
    await ask(guard, server);
    await sleep(1_200);
    await ask(guard, server);
    expect(server.connections).toBe(2);
  });

  it('is kept for a second without a request also after an answer that took longer than that', async () => {
    const server = await openServer({
      respond: (_request, response) => void sleep(1_100).then(() => response.end('ok')),
    });
    const guard = openGuard();
    await ask(guard, server);
    await sleep(1_200);
    expect(server.open()).toBe(0);
    await ask(guard, server);
    expect(server.connections).toBe(2);
  });

  it('is not taken while it is being closed for that', async () => {
    const [guard, server] = [openGuard(), await openServer()];
    const wave = () => Promise.all(Array.from({ length: 50 }, () => ask(guard, server)));
    await wave();
    await sleep(970);
    // Both are late then, the end of the connections and the next requests, and come one right after the other.
    const asked = sleep(50).then(wave);
    for (const until = performance.now() + 90; performance.now() < until;);
    await asked;
    expect([server.connections, server.requests]).toEqual([100, 100]);
  });

  it.each([
    ['timeout=2', 1],
    ['max=100, timeout=5', 1],
    ['timeout=1', 2],
    ['timeout=0', 2],
    ['max=100', 1],
  ])(
    'is kept as its server says by `Keep-Alive: %s`, a second less: %i connections for two requests',
    async (kept, expected) => {
      const [guard, server] = [openGuard(), await answersWith({ 'Keep-Alive': kept, Connection: 'keep-alive' })];
      await ask(guard, server);
      await ask(guard, server);
      expect(server.connections).toBe(expected);
    },
  );

  it('is not kept when its server closes it', async () => {
    const [guard, server] = [openGuard(), await answersWith({ Connection: 'close' })];
    await ask(guard, server);
    await ask(guard, server);
    expect(server.connections).toBe(2);
  });

  it('is kept among 256 idle ones at most', async () => {
    // All answers together, so that no connection is used for two.
    const answers: (() => void)[] = [];
    const server = await openServer({
      respond: (_request, response) => {
        answers.push(() => response.end('ok'));
        if (answers.length === 300) for (const answer of answers) answer();
        if (answers.length > 300) response.end('ok');
      },
    });
    const guard = openGuard();
    await Promise.all(Array.from({ length: 300 }, () => ask(guard, server)));
    expect(server.connections).toBe(300);
    expect(server.open()).toBe(256);
  });

  it('is kept until the agents are destroyed', async () => {
    const [guard, server] = [openGuard(), await openServer()];
    await ask(guard, server);
    expect(server.open()).toBe(1);
    guard.agents.destroy();
    await sleep(20);
    expect(server.open()).toBe(0);
  });
});
