import { once } from 'node:events';
import { connect } from 'node:net';
import { exchange, serveApp, type ServedApp } from '../../test/serve-app.ts';
import { serveHttp } from './serve-http.ts';

const serve = (options = {}) =>
  serveApp((app) => {
    app.all('/', (_request, response) => void response.json({}));
  }, options);

const request = (...headers: string[]) =>
  ['GET / HTTP/1.1', 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
const statusOf = (answer: string) => Number(answer.split(' ')[1]);
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown;
const fields = (count: number) => Array.from({ length: count }, (_, index) => `X-${String(index)}: a`);

async function expectAlive({ http }: ServedApp): Promise<void> {
  expect((await http('')).statusCode).toBe(200);
}

describe('limits', () => {
  it('takes 100 header fields and refuses 101 with 431', async () => {
    await using app = await serve();
    expect(statusOf(await exchange(app.server.port, request(...fields(98))))).toBe(200);
    const refused = await exchange(app.server.port, request(...fields(99)));
    expect(statusOf(refused)).toBe(431);
    expect(bodyOf(refused)).toEqual({
      title: 'Request Header Fields Too Large',
      status: 431,
      detail: 'The request has more than 100 header fields.',
    });
  });

  it('says of many more fields what may be wrong: Node does not tell these from large ones', async () => {
    await using app = await serve();
    const refused = await exchange(app.server.port, request(...fields(150)));
    expect(bodyOf(refused)).toMatchObject({
      status: 431,
      detail: 'The request has more than 100 header fields, or they exceed 16 kB.',
    });
  });

  it('takes headers just below 16 kB and refuses larger ones with 431', async () => {
    await using app = await serve();
    expect(statusOf(await exchange(app.server.port, request(`X-Long: ${'a'.repeat(16_200)}`)))).toBe(200);
    const refused = await exchange(app.server.port, request(`X-Long: ${'a'.repeat(16_400)}`));
    expect(statusOf(refused)).toBe(431);
    expect(refused).toContain('Content-Type: application/problem+json\r\n');
    expect(refused).toContain('Connection: close\r\n');
    expect(bodyOf(refused)).toMatchObject({ status: 431, detail: expect.stringContaining('16 kB') as string });
    await expectAlive(app);
  });

  it.each([
    ['no HTTP at all', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two lengths', request('Content-Length: 1', 'Content-Length: 2')],
    ['a length and chunks', request('Content-Length: 1', 'Transfer-Encoding: chunked')],
    ['a bad header name', request('X y: 1')],
  ])('answers 400 to %s and stays up', async (_what, bytes) => {
    await using app = await serve();
    expect(statusOf(await exchange(app.server.port, bytes))).toBe(400);
    await expectAlive(app);
  });

  it('answers 400 to what is no HTTP also on a connection that has had an answer', async () => {
    await using app = await serve();
    const socket = connect(app.server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.write('GET / HTTP/1.1\r\nhOsT: x\r\n\r\n');
    await once(socket, 'data');
    expect(statusOf(received)).toBe(200);
    received = '';
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'close');
    expect(statusOf(received)).toBe(400);
  });

  it('refuses in the form that the service asks for', async () => {
    await using app = await serve({ refusalForm: 'detail' });
    const refused = await exchange(app.server.port, 'nonsense\r\n\r\n');
    expect(bodyOf(refused)).toEqual({ detail: 'The request is not valid HTTP.' });
  });

  it('says in a body that a request of HTTP/1.1 names no host, and asks HTTP/1.0 for none', async () => {
    await using app = await serve({ refusalForm: 'detail' });
    const refused = await exchange(app.server.port, 'GET / HTTP/1.1\r\n\r\n');
    expect(statusOf(refused)).toBe(400);
    expect(bodyOf(refused)).toEqual({ detail: 'The request has no Host header.' });
    expect(statusOf(await exchange(app.server.port, 'GET / HTTP/1.0\r\n\r\n'))).toBe(200);
  });

  it.each([
    ['http://elsewhere.example/', '/'],
    ['HTTPS://elsewhere.example:8443/a//b/?c=http://d/', '/a//b/?c=http://d/'],
    ['http://elsewhere.example', '/'],
    ['http://elsewhere.example?a=b', '/?a=b'],
    ['/http://elsewhere.example/', '/http://elsewhere.example/'],
    ['//elsewhere.example/', '//elsewhere.example/'],
  ])('hands the app the path of the target %s: %s', async (target, path) => {
    await using app = await serveApp((express) => {
      express.use((request, response) => void response.json({ url: request.originalUrl }));
    });
    const answer = await exchange(app.server.port, request().replace('/', target));
    expect(bodyOf(answer)).toEqual({ url: path });
  });

  it('answers 417 with a body to an expectation that it does not know', async () => {
    await using app = await serve({ refusalForm: 'detail' });
    const refused = await exchange(app.server.port, request('Expect: x'));
    expect(statusOf(refused)).toBe(417);
    expect(bodyOf(refused)).toEqual({ detail: 'The expectation in the `Expect` header is not supported.' });
    expect(statusOf(await exchange(app.server.port, request('Expect: 100-continue')))).toBe(100);
    await expectAlive(app);
  });

  it('survives callers who leave in the middle', async () => {
    await using app = await serve();
    for (const bytes of [
      '',
      'GET / HT',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const socket = connect(app.server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(bytes);
      socket.resetAndDestroy();
    }
    await expectAlive(app);
    expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('rejects when the port is taken', async () => {
    await using app = await serve();
    const again = serveHttp(() => undefined, { host: '127.0.0.1', port: app.server.port });
    await expect(again).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('close', () => {
  /** A server whose one answer waits for `finish`. */
  async function serveHeld(options = {}) {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const app = await serveApp((express) => {
      express.get('/held', async (_request, response) => {
        begun.resolve();
        await held.promise;
        response.json({ whole: true });
      });
      express.get('/streamed', async (_request, response) => {
        response.write('first,');
        begun.resolve();
        await held.promise;
        response.end('last');
      });
      express.get('/', (_request, response) => void response.json({}));
    }, options);
    return { app, begun: begun.promise, finish: held.resolve };
  }

  it.each(['held', 'streamed'])('waits for a %s answer, ends its connection, and accepts no other', async (path) => {
    const { app, begun, finish } = await serveHeld();
    const socket = connect(app.server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.write(`GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await begun;
    let isClosed = false;
    const closed = app.server.close().then(() => (isClosed = true));
    await expect(app.http('')).rejects.toThrow(/ECONNREFUSED/);
    expect(isClosed).toBe(false);
    finish();
    await Promise.all([closed, once(socket, 'close')]);
    expect(statusOf(received)).toBe(200);
    expect(received).toContain(path === 'held' ? '{"whole":true}' : 'last');
    if (path === 'held') expect(received).toContain('Connection: close\r\n');
  });

  /** A kept connection that has had an answer, and whose next request is sent while the server stops. */
  async function askWhileStopping({ server }: ServedApp) {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    received = '';
    const closed = server.close();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return {
      /** The second answer, once the connection and the server have ended. */
      answer: async () => {
        await Promise.all([once(socket, 'close'), closed]);
        return received;
      },
    };
  }

  it('answers a request that was on its way on a kept connection, and says that the connection ends', async () => {
    await using app = await serve({ drainTimeoutMs: 60_000, lastRequestMs: 30_000 });
    const { answer } = await askWhileStopping(app);
    const received = await answer();
    expect(statusOf(received)).toBe(200);
    expect(received).toContain('Connection: close\r\n');
  });

  it('answers a request that has arrived while the process was too busy to read it in time', async () => {
    await using app = await serve({ drainTimeoutMs: 60_000, lastRequestMs: 1 });
    const { answer } = await askWhileStopping(app);
    const busyUntil = performance.now() + 20;
    while (performance.now() < busyUntil);
    expect(statusOf(await answer())).toBe(200);
  });

  it('lets go of connections that are idle or have never been used', async () => {
    await using app = await serve();
    const unused = connect(app.server.port, '127.0.0.1');
    const idle = connect(app.server.port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all([once(unused, 'connect'), once(idle, 'data')]);
    const bothClosed = Promise.all([once(unused, 'close'), once(idle, 'close')]);
    unused.resume();
    idle.resume();
    await Promise.all([app.server.close(), bothClosed]);
    expect(app.log.lines.map(({ event }) => event)).not.toContain('http.drain_timed_out');
  });

  it('cuts off what does not end within the limit, and says so', async () => {
    const { app, begun } = await serveHeld({ drainTimeoutMs: 50 });
    const cut = expect(app.http('held')).rejects.toThrow();
    await begun;
    await Promise.all([app.server.close(), app.server.close(), cut]);
    expect(app.log.lines).toContainEqual(expect.objectContaining({ event: 'http.drain_timed_out', connections: 1 }));
  });
});
