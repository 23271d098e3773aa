import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createTestCertificate, type Receiver, type Respond, startReceiver } from '@blog-content/testing';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import type { Outcome } from './outcome.ts';
import { send } from './send.ts';
import { sendWithGot } from './send-with-got.ts';
import { MAX_ANSWER_BYTES, type WebhookRequest } from './webhook-request.ts';

const LOOPBACK = { allowHttp: true, allowedRanges: ['127.0.0.0/8'] };
const body = Buffer.from('{"event":"test.ping"}');
const headers = { 'content-type': 'application/json', 'x-webhook-delivery': '1' };

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

interface Sending {
  readonly guard?: UrlGuard;
  readonly timeoutMs?: number;
  readonly interrupted?: AbortSignal;
}
type SendingNow = Required<Pick<Sending, 'timeoutMs' | 'interrupted'>>;
const CLIENTS = {
  'itself, on connections that are kept': (request: WebhookRequest, used: UrlGuard, options: SendingNow) =>
    send(request, { agents: used.agents, ...options }),
  'got, on a connection of its own': (request: WebhookRequest, used: UrlGuard, options: SendingNow) =>
    sendWithGot(request, { gotOptions: used.gotOptions, ...options }),
};
let client: keyof typeof CLIENTS;
const sendTo = (url: string, options: Sending = {}): Promise<Outcome> =>
  CLIENTS[client]({ url, headers, body }, options.guard ?? guard, {
    timeoutMs: options.timeoutMs ?? 10_000,
    interrupted: options.interrupted ?? new AbortController().signal,
  });
const answerOf = async (respond: Respond, options?: Sending): Promise<Outcome> => {
  receiver.respondWith(respond);
  return sendTo(receiver.url, options);
};
const text = (outcome: Outcome) =>
  outcome.kind === 'answered' ? Buffer.from(outcome.body).toString('utf8') : outcome.kind;

/** A server of bytes, for answers that no HTTP server gives. */
async function withRawServer(talk: (socket: Socket) => void, use: (url: string) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])('by %s', (name) => {
  beforeAll(() => {
    client = name;
  });

  describe('a request', () => {
    it('is one POST of exactly the bytes, with a length', async () => {
      receiver.clear();
      await answerOf(() => ({}));
      await answerOf(() => ({}));
      expect(receiver.requests).toHaveLength(2);
      const [request] = receiver.requests;
      expect(request?.method).toBe('POST');
      expect(request?.body).toEqual(body);
      expect(request?.headers).toMatchObject({
        ...headers,
        'content-length': String(body.length),
        host: new URL(receiver.url).host,
      });
    });
  });

  describe('an answer', () => {
    it('has a status, the body and the times', async () => {
      const outcome = await answerOf(() => ({ status: 201, body: { url: 'https://site.example/tea' } }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 201, retryAfter: null });
      expect(text(outcome)).toBe('{"url":"https://site.example/tea"}');
      expect(outcome).toMatchObject({
        timings: { firstByteMs: expect.any(Number) as number, answerMs: expect.any(Number) as number },
      });
    });

    it('with a redirect is the answer: nothing is followed (spec §4.4)', async () => {
      receiver.clear();
      const outcome = await answerOf(() => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 302 });
      expect(receiver.requests).toHaveLength(1);
    });

    it('hands Retry-After on', async () => {
      const outcome = await answerOf(() => ({ status: 503, headers: { 'retry-after': '120' } }));
      expect(outcome).toMatchObject({ statusCode: 503, retryAfter: '120' });
    });

    it('without an end counts by its status; 64 KiB of it are read', async () => {
      async function* endless() {
        for (;;) {
          yield 'x'.repeat(10_000);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      const outcome = await answerOf(() => ({ body: endless() }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 200 });
      expect(text(outcome)).toHaveLength(MAX_ANSWER_BYTES);
    });

    it('that is compressed stays so: no bomb goes off here', async () => {
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      const outcome = await answerOf(() => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }));
      expect(outcome.kind === 'answered' && Buffer.from(outcome.body)).toEqual(bomb);
    });
  });

  describe('no answer', () => {
    it('in time is a time-out', async () => {
      expect(await answerOf(() => ({ hang: true }), { timeoutMs: 100 })).toMatchObject({
        kind: 'timeout',
        limitMs: 100,
      });
    });

    it('to its end in time is a time-out: the deadline is for the whole exchange', async () => {
      async function* drip() {
        for (;;) {
          yield ' ';
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      expect(await answerOf(() => ({ body: drip() }), { timeoutMs: 200 })).toMatchObject({ kind: 'timeout' });
    });

    it('but a broken connection is a network error', async () => {
      expect(await answerOf(() => ({ disconnect: true }))).toMatchObject({ kind: 'network', stage: 'exchange' });
    });

    it('but something that is not HTTP is a network error', async () => {
      await withRawServer(
        (socket) => socket.end('220 mail.example ESMTP\r\n'),
        async (url) => {
          expect(await sendTo(url)).toMatchObject({ kind: 'network', stage: 'exchange' });
        },
      );
    });

    it('but half of one is a network error', async () => {
      await withRawServer(
        (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
        async (url) => {
          expect(await sendTo(url)).toMatchObject({ kind: 'network', stage: 'exchange' });
        },
      );
    });

    it('from a port where nobody listens is a network error of TCP', async () => {
      const gone = await startReceiver();
      await gone.close();
      expect(await sendTo(gone.url)).toMatchObject({ kind: 'network', stage: 'tcp', code: 'ECONNREFUSED' });
    });

    it('for a name without an address is a network error of the DNS', async () => {
      const lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
      const nameless = createUrlGuard(LOOPBACK, { lookup });
      expect(await sendTo('http://receiver.example/', { guard: nameless })).toMatchObject({
        kind: 'network',
        stage: 'dns',
      });
      nameless.agents.destroy();
    });

    it('because the process ends is an interruption', async () => {
      const interrupted = AbortSignal.timeout(50);
      expect(await answerOf(() => ({ hang: true }), { interrupted })).toEqual({ kind: 'interrupted' });
      expect(await sendTo(receiver.url, { interrupted: AbortSignal.abort() })).toEqual({ kind: 'interrupted' });
    });
  });

  describe('TLS', () => {
    it('is verified: an unknown authority is a network error of TLS, a trusted one answers', async () => {
      const certificate = await createTestCertificate();
      const secure = await startReceiver({ certificate });
      expect(await sendTo(secure.url)).toMatchObject({ kind: 'network', stage: 'tls' });
      expect(secure.requests).toHaveLength(0);
      const trusting = createUrlGuard(LOOPBACK, { ca: certificate.authority });
      expect(await sendTo(secure.url, { guard: trusting })).toMatchObject({ kind: 'answered', statusCode: 200 });
      trusting.agents.destroy();
      await secure.close();
    });
  });

  describe('the address rules at connect (spec §7.2; decisions “Webhooks”)', () => {
    const strict = () => createUrlGuard({ allowHttp: true, allowedRanges: [] });

    it('refuse a private address though it was saved', async () => {
      receiver.clear();
      const guarded = strict();
      expect(await sendTo(receiver.url, { guard: guarded })).toMatchObject({ kind: 'address_refused' });
      expect(receiver.requests).toHaveLength(0);
      guarded.agents.destroy();
    });

    it('refuse a name that has moved to a private address since it was saved', async () => {
      receiver.clear();
      const addresses = ['93.184.216.34', '127.0.0.1'];
      const lookup = () => Promise.resolve([{ address: addresses.shift() ?? '127.0.0.1', family: 4 as const }]);
      const guarded = createUrlGuard({ allowHttp: true, allowedRanges: [] }, { lookup });
      const url = `http://rebinding.example:${receiver.port}/hook`;
      expect(await guarded.check(url)).toMatchObject({ ok: true });
      expect(await sendTo(url, { guard: guarded })).toMatchObject({ kind: 'address_refused' });
      expect(receiver.requests).toHaveLength(0);
      guarded.agents.destroy();
    });
  });
});

describe('connections', () => {
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

  beforeAll(() => {
    client = 'itself, on connections that are kept';
  });

  it('are used again at once', () =>
    withCountingServer(answering, async (url, count) => {
      for (let sent = 0; sent < 3; sent += 1) expect(text(await sendTo(url))).toBe('ok');
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

  it('are not used again when their server says more than its answer: it would be taken for the next one', () =>
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

  it('are not used again when what is said comes later', () =>
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

  it('are closed when the answer has ended before the request was read: nobody would close them later', () =>
    withRawServer(
      (socket) => {
        socket.pause();
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      },
      async (url) => {
        const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
        const before = open();
        const large = { url, headers, body: Buffer.alloc(16 * 1024 * 1024, 'x') };
        const options = { agents: guard.agents, timeoutMs: 10_000, interrupted: new AbortController().signal };
        const outcomes = await Promise.all([1, 2, 3].map(() => send(large, options)));
        expect(outcomes).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }, { statusCode: 200 }]);
        await sleep(50);
        // The server's ends only.
        expect(open() - before).toBeLessThanOrEqual(3);
      },
    ));

  it('that break while they wait are replaced', () =>
    withCountingServer(
      (socket) => {
        answering(socket);
        socket.on('data', () => setTimeout(() => socket.destroy(), 20));
      },
      async (url, count) => {
        for (let sent = 0; sent < 3; sent += 1) {
          expect(await sendTo(url)).toMatchObject({ statusCode: 200 });
          await sleep(100);
        }
        expect(count()).toBe(3);
      },
    ));

  it('are not used for a name that has moved to a private address in the meantime', () =>
    withCountingServer(answering, async (url, count) => {
      const addresses = ['127.0.0.1', '127.0.0.1', '10.0.0.1'];
      const lookup = () => Promise.resolve([{ address: addresses.shift() ?? '10.0.0.1', family: 4 as const }]);
      const guarded = createUrlGuard(LOOPBACK, { lookup });
      const named = `http://rebinding.example:${new URL(url).port}/`;
      expect(text(await sendTo(named, { guard: guarded }))).toBe('ok');
      expect(await sendTo(named, { guard: guarded })).toMatchObject({ kind: 'address_refused' });
      expect(count()).toBe(1);
      guarded.agents.destroy();
    }));

  it('end with an answer that was given up: what is left of it is nobody’s', () =>
    withCountingServer(answering, async (url, count) => {
      await sendTo(url, { interrupted: AbortSignal.timeout(10_000) });
      receiver.respondWith(() => ({ hang: true }));
      expect(await sendTo(receiver.url, { timeoutMs: 50 })).toMatchObject({ kind: 'timeout' });
      expect(text(await sendTo(url))).toBe('ok');
      expect(count()).toBe(1);
    }));
});
