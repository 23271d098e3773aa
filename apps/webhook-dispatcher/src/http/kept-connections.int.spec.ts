import { once } from 'node:events';
import { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Receiver, startReceiver } from '@blog-content/testing';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { LOOPBACK, sendBy, type Sending, textOf, withRawServer } from '../../test/http-clients.ts';

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

  it('are used again at once', () =>
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
      expect(textOf(await sendTo(named, { guard: guarded }))).toBe('ok');
      expect(await sendTo(named, { guard: guarded })).toMatchObject({ kind: 'address_refused' });
      expect(count()).toBe(1);
      guarded.agents.destroy();
    }));

  it('end with an answer that was given up: what is left of it is nobody’s', () =>
    withCountingServer(answering, async (url, count) => {
      await sendTo(url, { interrupted: AbortSignal.timeout(10_000) });
      receiver.respondWith(() => ({ hang: true }));
      expect(await sendTo(receiver.url, { timeoutMs: 50 })).toMatchObject({ kind: 'timeout' });
      expect(textOf(await sendTo(url))).toBe('ok');
      expect(count()).toBe(1);
    }));
});
