import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createSecureServer } from 'node:tls';
import { createTestCertificate, type Receiver, startReceiver } from '@blog-content/testing';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { sendWebhook } from './send-webhook.ts';
import { BODY, HEADERS, LOOPBACK, sendBy, type Sending, textOf, withRawServer } from '../../test/http-clients.ts';

let guard: UrlGuard;
let receiver: Receiver;
beforeAll(async () => {
  guard = createUrlGuard(LOOPBACK);
  receiver = await startReceiver();
});
afterAll(async () => {
  guard.agents.destroy();
  await receiver.close();
});

const sendTo = (url: string, options: Partial<Sending> = {}) =>
  sendBy('a webhook on a connection that is kept', url, { guard, ...options });

const withCountingServer = (
  talk: (socket: Socket) => void,
  use: (url: string, count: () => number) => Promise<void>,
) => {
  let connections = 0;
  return withRawServer(
    (socket) => {
      connections += 1;
      talk(socket);
    },
    (url) => use(url, () => connections),
  );
};
const answering = (socket: Socket, more = '') =>
  socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${more}`));

describe('connections', () => {
  it('are reused immediately', () =>
    withCountingServer(answering, async (url, count) => {
      for (let sent = 0; sent < 3; sent += 1) expect(textOf(await sendTo(url))).toBe('ok');
      expect(count()).toBe(1);
      const [first, second] = [await sendTo(url), await sendTo(url)];
      expect([first, second].map((outcome) => 'timings' in outcome && outcome.timings.connectMs)).toEqual([null, null]);
    }));

  it('are not used again after a second: their server may be closing them', () =>
    withCountingServer(answering, async (url, count) => {
      await sendTo(url);
      await sleep(1_200);
      await sendTo(url);
      expect(count()).toBe(2);
    }));

  it('are not reused when their server sends more than its response, which would count as the next one', () =>
    withCountingServer(
      (socket) => answering(socket, 'HTTP/1.1 500 Injected\r\nContent-Length: 0\r\n\r\n'),
      async (url, count) => {
        for (let sent = 0; sent < 3; sent += 1) {
          expect(await sendTo(url)).toMatchObject({ statusCode: 200 });
          await sleep(20);
        }
        expect(count()).toBe(3);
      },
    ));

  it('are not reused when such bytes come later', () =>
    withCountingServer(
      (socket) => {
        answering(socket);
        socket.on('data', () =>
          setTimeout(() => socket.write('HTTP/1.1 500 Injected\r\nContent-Length: 0\r\n\r\n'), 20),
        );
      },
      async (url, count) => {
        for (let sent = 0; sent < 3; sent += 1) {
          expect(await sendTo(url)).toMatchObject({ statusCode: 200 });
          await sleep(100);
        }
        expect(count()).toBe(3);
      },
    ));

  it('are closed when the response ends before the request was read', () =>
    withRawServer(
      (socket) => {
        socket.pause();
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      },
      async (url) => {
        const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
        const before = open();
        const large = Buffer.alloc(16 * 1024 * 1024, 'x');
        const outcomes = await Promise.all([1, 2, 3].map(() => sendTo(url, { body: large })));
        expect(outcomes).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }, { statusCode: 200 }]);
        await sleep(50);
        // The server's ends only.
        expect(open() - before).toBeLessThanOrEqual(3);
      },
    ));

  it('that break while idle are replaced', () => {
    const serverSides: Socket[] = [];
    return withCountingServer(
      (socket) => {
        answering(socket);
        serverSides.push(socket);
      },
      async (url, count) => {
        for (let sent = 0; sent < 3; sent += 1) {
          expect(await sendTo(url)).toMatchObject({ statusCode: 200 });
          const socket = serverSides.at(-1)!;
          const closed = once(socket, 'close');
          // Closed from both sides: this one has heard of it then.
          socket.resume().end();
          await closed;
        }
        expect(count()).toBe(3);
      },
    );
  });

  it('are not used for a name that has moved to a private address in the meantime', () =>
    withCountingServer(answering, async (url, count) => {
      const addresses = ['127.0.0.1', '127.0.0.1', '10.0.0.1'];
      const lookup = () => Promise.resolve([{ address: addresses.shift() ?? '10.0.0.1', family: 4 as const }]);
      const guarded = createUrlGuard(LOOPBACK, { lookup });
      const named = `http://rebinding.example:${new URL(url).port}/`;
      expect(textOf(await sendTo(named, { guard: guarded }))).toBe('ok');
      expect(await sendTo(named, { guard: guarded })).toMatchObject({ kind: 'address_refused' });
      expect(count()).toBe(1);
      guarded.agents.destroy();
    }));

  it('end with an aborted response, so that its rest is not read', () =>
    withCountingServer(answering, async (url, count) => {
      await sendTo(url, { interrupted: AbortSignal.timeout(10_000) });
      receiver.respondWith(() => ({ hang: true }));
      expect(await sendTo(receiver.url, { timeoutMs: 50 })).toMatchObject({ kind: 'timeout' });
      expect(textOf(await sendTo(url))).toBe('ok');
      expect(count()).toBe(1);
    }));
});

describe('a kept connection that its other side closes as the next request comes', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const closings: [string, (socket: Socket) => void][] = [
    ['ends it', (socket) => socket.end()],
    ['resets it', (socket) => socket.resetAndDestroy()],
  ];
  /** Answers the first request on each connection, and meets the second one so. */
  const answeringOnce = (meet: (socket: Socket) => void) => (socket: Socket) => {
    socket.once('data', () => {
      socket.write(OK);
      socket.once('data', () => meet(socket));
    });
  };
  const sendRepeatable = (url: string, isHeld = () => true, timeoutMs = 10_000) =>
    sendWebhook(
      { url, headers: HEADERS, body: BODY, connection: 'keep-alive', isRepeatable: true },
      { agents: guard.agents, timeoutMs, lease: { isHeld, interrupted: new AbortController().signal } },
    );

  it.each(closings)('costs no attempt if the request may be repeated on a fresh one (%s)', (_how, close) =>
    withCountingServer(answeringOnce(close), async (url, count) => {
      expect(textOf(await sendRepeatable(url))).toBe('ok');
      const outcome = await sendRepeatable(url);
      expect(textOf(outcome)).toBe('ok');
      expect(outcome).toMatchObject({ timings: { connectMs: expect.any(Number) as number } });
      expect(count()).toBe(2);
    }),
  );

  it('reports the timings of the second request alone', () =>
    withCountingServer(
      answeringOnce((socket) => setTimeout(() => socket.end(), 200)),
      async (url) => {
        await sendRepeatable(url);
        const startedMs = performance.now();
        const outcome = await sendRepeatable(url);
        const totalMs = 'timings' in outcome ? outcome.timings.totalMs : Number.NaN;
        expect(performance.now() - startedMs - totalMs).toBeGreaterThan(190);
      },
    ));

  it.each(closings)('ends an exchange that may not be repeated (%s)', (_how, close) =>
    withCountingServer(answeringOnce(close), async (url, count) => {
      await sendTo(url);
      expect(await sendTo(url)).toMatchObject({ kind: 'network', stage: 'exchange', code: 'ECONNRESET' });
      expect(count()).toBe(1);
    }),
  );

  it('ends the exchange when part of a response has come, because the request was read', () =>
    withCountingServer(
      answeringOnce((socket) => socket.write('HTTP/1.1 2', () => setTimeout(() => socket.resetAndDestroy(), 20))),
      async (url, count) => {
        await sendRepeatable(url);
        expect(await sendRepeatable(url)).toMatchObject({ kind: 'network', code: 'ECONNRESET' });
        expect(count()).toBe(1);
      },
    ));

  it('ends the exchange when the fresh one breaks, too', () => {
    let requests = 0;
    return withCountingServer(
      (socket) => {
        socket.on('data', () => {
          requests += 1;
          if (requests === 1) socket.write(OK);
          else socket.resetAndDestroy();
        });
      },
      async (url, count) => {
        await sendRepeatable(url);
        expect(await sendRepeatable(url)).toMatchObject({ kind: 'network', code: 'ECONNRESET' });
        expect([requests, count()]).toEqual([3, 2]);
      },
    );
  });

  it('leaves the exchange its one deadline', () => {
    let requests = 0;
    return withCountingServer(
      (socket) => {
        socket.on('data', () => {
          requests += 1;
          if (requests === 1) socket.write(OK);
          if (requests === 2) socket.resetAndDestroy();
        });
      },
      async (url) => {
        await sendRepeatable(url);
        expect(await sendRepeatable(url, () => true, 200)).toMatchObject({ kind: 'timeout', limitMs: 200 });
      },
    );
  });

  it('sends nothing a second time once the lease is lost, because the first outcome is unknown', () => {
    let isHeld = true;
    return withCountingServer(
      answeringOnce((socket) => {
        isHeld = false;
        socket.resetAndDestroy();
      }),
      async (url) => {
        await sendRepeatable(url);
        expect(await sendRepeatable(url, () => isHeld)).toEqual({ kind: 'interrupted' });
      },
    );
  });

  it('is seen under TLS, too', async () => {
    const certificate = await createTestCertificate();
    let connections = 0;
    const secure = createSecureServer({ key: certificate.key, cert: certificate.certificate }, (socket) => {
      connections += 1;
      answeringOnce((closing) => closing.end())(socket);
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const trusting = createUrlGuard(LOOPBACK, {
      ca: certificate.authority,
      lookup: () => Promise.resolve([{ address: '127.0.0.1' }]),
    });
    const url = `https://localhost:${(secure.address() as AddressInfo).port}/`;
    const lease = { isHeld: () => true, interrupted: new AbortController().signal };
    const request = { url, headers: HEADERS, body: BODY, connection: 'keep-alive', isRepeatable: true } as const;
    for (let sent = 0; sent < 2; sent += 1) {
      expect(textOf(await sendWebhook(request, { agents: trusting.agents, timeoutMs: 10_000, lease }))).toBe('ok');
    }
    expect(connections).toBe(2);
    trusting.agents.destroy();
    await new Promise((resolve) => secure.close(resolve));
  });
});
