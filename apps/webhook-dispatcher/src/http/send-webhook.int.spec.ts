import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createSecureServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createTestCertificate, eventually, type Receiver, type Respond, startReceiver } from '@blog-content/testing';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { startRelay } from '../../test/relay.ts';
import type { NotSent, Outcome } from './outcome.ts';
import { sendRequest } from './send-request.ts';
import { sendWebhook } from './send-webhook.ts';
import { MAX_ANSWER_BYTES, type WebhookRequest } from './webhook-request.ts';

const LOOPBACK = { allowHttp: true, allowedRanges: ['127.0.0.0/8'] };
const body = Buffer.from('{"event":"test.ping"}');
const headers: Record<string, string> = { 'content-type': 'application/json', 'x-webhook-delivery': '1' };

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
  readonly isHeld?: () => boolean;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}
type SendingNow = Required<Pick<Sending, 'timeoutMs' | 'interrupted' | 'isHeld'>>;
type Post = Pick<WebhookRequest, 'url' | 'headers' | 'body'>;
const webhook =
  (connection: WebhookRequest['connection']) =>
  (post: Post, { agents }: UrlGuard, { timeoutMs, ...lease }: SendingNow) =>
    sendWebhook({ ...post, connection }, { agents, timeoutMs, lease });
const CLIENTS = {
  'a webhook on a connection of its own': webhook('close'),
  'a webhook on a connection that is kept': webhook('keep-alive'),
  'a deploy hook': (post: Post, { gotOptions }: UrlGuard, { timeoutMs, interrupted }: SendingNow) =>
    sendRequest({ ...post, method: 'POST' }, { gotOptions, timeoutMs, interrupted }),
};
let client: keyof typeof CLIENTS;
const sendTo = (url: string, options: Sending = {}): Promise<Outcome | NotSent> =>
  CLIENTS[client]({ url, headers: options.headers ?? headers, body: options.body ?? body }, options.guard ?? guard, {
    timeoutMs: options.timeoutMs ?? 10_000,
    interrupted: options.interrupted ?? new AbortController().signal,
    isHeld: options.isHeld ?? (() => true),
  });
const answerOf = async (respond: Respond, options?: Sending): Promise<Outcome | NotSent> => {
  receiver.respondWith(respond);
  return sendTo(receiver.url, options);
};
const text = (outcome: Outcome | NotSent) =>
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

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])('%s:', (name) => {
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

describe.each(['a webhook on a connection of its own', 'a webhook on a connection that is kept'] as const)(
  '%s:',
  (name) => {
    beforeAll(() => {
      client = name;
      receiver.respondWith(() => ({}));
    });

    it('the names of custom headers keep their case on the wire', async () => {
      receiver.clear();
      await sendTo(receiver.url, { headers: { 'X-Site-ID': '1', aUTHORIZATION: 'Bearer x' } });
      expect(receiver.requests[0]?.rawHeaders).toEqual(expect.arrayContaining(['X-Site-ID', 'aUTHORIZATION']));
    });

    it('TLS sessions are resumed', async () => {
      const certificate = await createTestCertificate();
      const resumed: boolean[] = [];
      const secure = createSecureServer({ key: certificate.key, cert: certificate.certificate }, (socket) => {
        resumed.push(socket.isSessionReused());
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
      });
      await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
      const url = `https://localhost:${(secure.address() as AddressInfo).port}/`;
      const toLoopback = createUrlGuard(LOOPBACK, {
        ca: certificate.authority,
        lookup: () => Promise.resolve([{ address: '127.0.0.1' }]),
      });
      for (let sent = 0; sent < 2; sent += 1) {
        expect(await sendTo(url, { guard: toLoopback })).toMatchObject({ statusCode: 200 });
      }
      expect(resumed).toEqual([false, true]);
      toLoopback.agents.destroy();
      await new Promise((resolve) => secure.close(resolve));
    });

    it('no byte leaves when the lease was lost during the TLS handshake', async () => {
      const certificate = await createTestCertificate();
      const secure = await startReceiver({ certificate });
      await using relay = await startRelay(secure.port, { holds: true });
      const toRelay = createUrlGuard(LOOPBACK, {
        ca: certificate.authority,
        lookup: () => Promise.resolve([{ address: '127.0.0.1' }]),
      });
      let isHeld = true;
      const sending = sendTo(`https://localhost:${relay.port}/`, { guard: toRelay, isHeld: () => isHeld });
      await eventually(() => expect(relay.connections).toBe(1));
      isHeld = false;
      relay.release();
      expect(await sending).toEqual({ kind: 'not_sent' });
      expect(secure.requests).toHaveLength(0);
      toRelay.agents.destroy();
      await secure.close();
    });

    it('no byte leaves when the lease was lost while the name was looked up', async () => {
      const found = Promise.withResolvers<{ address: string }[]>();
      const slow = createUrlGuard(LOOPBACK, { lookup: () => found.promise });
      receiver.clear();
      let isHeld = true;
      const url = `http://receiver.example:${receiver.port}/`;
      const sending = sendTo(url, { guard: slow, isHeld: () => isHeld });
      isHeld = false;
      found.resolve([{ address: '127.0.0.1' }]);
      expect(await sending).toEqual({ kind: 'not_sent' });
      expect(receiver.requests).toHaveLength(0);
      slow.agents.destroy();
    });

    it('no byte leaves when the lease was lost since the last request on the same connection', async () => {
      receiver.clear();
      await sendTo(receiver.url);
      expect(await sendTo(receiver.url, { isHeld: () => false })).toEqual({ kind: 'not_sent' });
      expect(receiver.requests).toHaveLength(1);
    });

    it('nothing has left of what was interrupted before its connection stood', async () => {
      expect(await sendTo(receiver.url, { interrupted: AbortSignal.abort() })).toEqual({ kind: 'not_sent' });
      await using relay = await startRelay(receiver.port, { holds: true });
      const stop = new AbortController();
      const sending = sendTo(`https://127.0.0.1:${relay.port}/`, { interrupted: stop.signal });
      await eventually(() => expect(relay.connections).toBe(1));
      stop.abort();
      expect(await sending).toEqual({ kind: 'not_sent' });
    });

    it('a head that comes byte by byte is read', () =>
      withRawServer(
        (socket) => {
          const answer = Buffer.from(
            `HTTP/1.1 201 Created\r\nX-Long: ${'x'.repeat(2_000)}\r\nContent-Length: 0\r\n\r\n`,
          );
          const drip = async () => {
            for (const byte of answer) {
              socket.write(Buffer.of(byte));
              await new Promise((resolve) => setImmediate(resolve));
            }
          };
          socket.setNoDelay(true).once('data', () => void drip());
        },
        async (url) => {
          expect(await sendTo(url)).toMatchObject({ statusCode: 201 });
        },
      ));
  },
);

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
    client = 'a webhook on a connection that is kept';
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
        const large = Buffer.alloc(16 * 1024 * 1024, 'x');
        const outcomes = await Promise.all([1, 2, 3].map(() => sendTo(url, { body: large })));
        expect(outcomes).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }, { statusCode: 200 }]);
        await sleep(50);
        // The server's ends only.
        expect(open() - before).toBeLessThanOrEqual(3);
      },
    ));

  it('that break while they wait are replaced', () => {
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
