import type { AddressInfo } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createTestCertificate, eventually, type Receiver, type Respond, startReceiver } from '@blog-content/testing';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { startRelay } from '../../test/relay.ts';
import { MAX_INTERIM_ANSWERS, TOO_MANY_INTERIM_ANSWERS, MAX_ANSWER_BYTES } from './exchange.ts';
import {
  BODY,
  CLIENTS,
  type ClientName,
  HEADERS,
  LOOPBACK,
  sendBy,
  type Sending,
  textOf,
  withRawServer,
} from '../../test/http-clients.ts';

/** How servers compress, by what they call it; `deflate` is said of both. */
const CODINGS: Record<string, (plain: Uint8Array) => Buffer> = {
  gzip: gzipSync,
  'X-GZip': gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  ' deflate ': deflateRawSync,
  'gzip, br': (plain) => brotliCompressSync(gzipSync(plain)),
};
/** Too many different characters to be compressed by much. */
const RANDOM = Buffer.from(Array.from({ length: 2_000 }, (_, at) => ((at * 7919) % 9973).toString(36)).join(' '));

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

let client: ClientName;
const sendTo = (url: string, options: Partial<Sending> = {}) => sendBy(client, url, { guard, ...options });
const answerOf = async (respond: Respond, options?: Partial<Sending>) => {
  receiver.respondWith(respond);
  return sendTo(receiver.url, options);
};

describe.each(Object.keys(CLIENTS) as ClientName[])('%s:', (name) => {
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
      expect(request?.body).toEqual(BODY);
      expect(request?.headers).toMatchObject({
        ...HEADERS,
        'content-length': String(BODY.length),
        host: new URL(receiver.url).host,
      });
    });
  });

  describe('an answer', () => {
    it('has a status, the body and the times', async () => {
      const outcome = await answerOf(() => ({ status: 201, body: { url: 'https://site.example/tea' } }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 201, retryAfter: null });
      expect(textOf(outcome)).toBe('{"url":"https://site.example/tea"}');
      expect(outcome).toMatchObject({
        timings: { firstByteMs: expect.any(Number) as number, answerMs: expect.any(Number) as number },
      });
    });

    it('with a redirect is the answer: nothing is followed (contract §4.4)', async () => {
      receiver.clear();
      const outcome = await answerOf(() => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 302 });
      expect(receiver.requests).toHaveLength(1);
    });

    it('hands Retry-After on', async () => {
      const outcome = await answerOf(() => ({ status: 503, headers: { 'retry-after': '120' } }));
      expect(outcome).toMatchObject({ statusCode: 503, retryAfter: '120' });
    });

    it('without an end counts by its status; 64 kB of it are read', async () => {
      async function* endless() {
        for (;;) {
          yield 'x'.repeat(10_000);
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      const outcome = await answerOf(() => ({ body: endless() }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 200 });
      expect(textOf(outcome)).toHaveLength(MAX_ANSWER_BYTES);
    });

    it.each(Object.entries(CODINGS))('that is compressed by %s is read as if it were not', async (coding, compress) => {
      const body = compress(Buffer.from(JSON.stringify({ ok: true, url: 'https://site.example/tea/' })));
      const outcome = await answerOf(() => ({ headers: { 'content-encoding': coding }, body }));
      expect(textOf(outcome)).toBe('{"ok":true,"url":"https://site.example/tea/"}');
    });

    it.each(Object.entries(CODINGS))(
      'that is a bomb of %s does not go off: 64 kB of it are decoded',
      async (coding, compress) => {
        const body = compress(Buffer.alloc(50_000_000));
        const outcome = await answerOf(() => ({ status: 201, headers: { 'content-encoding': coding }, body }));
        expect(outcome).toMatchObject({ kind: 'answered', statusCode: 201 });
        expect(textOf(outcome)).toBe('\0'.repeat(MAX_ANSWER_BYTES));
      },
    );

    it.each([
      ['is not compressed', Buffer.from('{"ok":true}'), '{"ok":true}'],
      ['breaks off', gzipSync(RANDOM).subarray(0, 600), RANDOM.subarray(0, 300).toString()],
      ['is damaged', gzipSync(RANDOM).fill('?', 1_200, 1_300), RANDOM.subarray(0, 300).toString()],
    ])('that says it is compressed, and %s, counts by its status', async (_how, body, beginning) => {
      const outcome = await answerOf(() => ({ headers: { 'content-encoding': 'gzip' }, body }));
      expect(outcome).toMatchObject({ kind: 'answered', statusCode: 200 });
      expect(textOf(outcome).slice(0, beginning.length)).toBe(beginning);
    });

    it.each(['zstd', 'gzip, zstd', 'gzip, gzip, gzip', 'aes128gcm'])(
      'in a coding that is not undone here, %s, stays as it came',
      async (coding) => {
        const body = gzipSync('{"ok":true}');
        const outcome = await answerOf(() => ({ headers: { 'content-encoding': coding }, body }));
        expect(outcome.kind === 'answered' && Buffer.from(outcome.body)).toEqual(body);
      },
    );
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

    it('but a flood of interim answers is a network error, however they come', async () => {
      const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n';
      const final = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
      const answers: [string, object][] = [
        [interim.repeat(MAX_INTERIM_ANSWERS) + final, { kind: 'answered', statusCode: 200 }],
        [interim.repeat(MAX_INTERIM_ANSWERS + 1) + final, { kind: 'network', code: TOO_MANY_INTERIM_ANSWERS }],
        [interim.repeat(MAX_INTERIM_ANSWERS + 1), { kind: 'network', code: TOO_MANY_INTERIM_ANSWERS }],
      ];
      for (const [answer, expected] of answers) {
        await withRawServer(
          (socket) => socket.once('data', () => socket.write(answer)),
          async (url) => expect(await sendTo(url)).toMatchObject(expected),
        );
      }
    });

    it('but half of one is a network error', async () => {
      await withRawServer(
        (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
        async (url) => {
          expect(await sendTo(url)).toMatchObject({ kind: 'network', stage: 'exchange' });
        },
      );
    });

    it('from a port that refuses connections is a network error of TCP', async () => {
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
      const ending = new AbortController();
      const hang = () => {
        ending.abort();
        return { hang: true };
      };
      expect(await answerOf(hang, { interrupted: ending.signal })).toEqual({ kind: 'interrupted' });
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

  describe('the address rules at connect (contract §7.2, §4.7)', () => {
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

    it('sends no byte when it is interrupted before its connection is open', async () => {
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
