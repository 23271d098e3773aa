import { eventually } from '@blog-content/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import got from 'got';
import { createLargeAnswers, type LargeAnswers } from './large-answers.ts';
import { createReaders } from './readers.ts';

const MIB = 1_048_576;
/** One for all, so that the test itself needs little memory. */
const bytes = Buffer.alloc(45 * MIB);

let answers: LargeAnswers;
let server: Server;
const sockets: Socket[] = [];
const answered: (string | undefined)[] = [];

/** Answers `/<account>/<MB>` with so many bytes of that account. */
beforeEach(async () => {
  answers = createLargeAnswers(() => performance.now());
  server = createServer((request, response) => {
    const [, accountId = '', mib] = request.url?.split('/') ?? [];
    const body = bytes.subarray(0, Number(mib) * MIB);
    answers.send(response, { status: 200, headers: ['content-length', String(body.length)], body }, accountId);
    answered.push(request.url);
  }).listen(0);
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const port = () => (server.address() as AddressInfo).port;

/** Asks, and reads nothing of the answers. */
async function readNothing(...paths: string[]): Promise<Socket> {
  const socket = connect(port(), '127.0.0.1', () =>
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')),
  ).pause();
  socket.on('error', () => undefined);
  sockets.push(socket);
  await eventually(() => expect(answered).toContain(paths.at(-1)));
  return socket;
}

const connections = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

const read = async (path: string) =>
  (await got(`http://127.0.0.1:${port()}${path}`, { throwHttpErrors: false, retry: { limit: 0 } })).statusCode;

describe('readers that stop reading', () => {
  it('do not delay other accounts, however many accounts they have', async () => {
    for (const account of ['a', 'b', 'c']) await readNothing(`/${account}/36`);
    for (const account of ['d', 'e', 'f', 'g', 'h']) await readNothing(`/${account}/7`);
    for (let time = 0; time < 10; time += 1) expect(await read('/newcomer/5')).toBe(200);
    await eventually(async () => expect(await connections()).toBe(7));
  });

  it('are disconnected, with the requests behind them on the same connection', async () => {
    const limits = { total: 100 * MIB, each: 100 * MIB, minBytesPerS: 131_072, stalledMs: 200 };
    const readers = createReaders(limits, () => performance.now());
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      readers.hold(response, 'a', 1);
      response.end(bytes);
      answered.push(request.url);
    });
    await readNothing('/a/15', '/a/15');
    await eventually(() => expect(readers.size).toBe(0));
    await eventually(async () => expect(await connections()).toBe(0));
  });
});

describe('several pages that are streamed', () => {
  it('together render one post per iteration of the event loop', async () => {
    let iterations = 0;
    let made = 0;
    let most = 0;
    const count = () => {
      iterations += 1;
      most = Math.max(most, made);
      made = 0;
      if (iterations < 1_000) setImmediate(count);
    };
    async function* posts() {
      for (let post = 0; post < 50; post += 1) {
        made += 1;
        yield await Promise.resolve('x');
      }
    }
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      const answer = { status: 200, headers: [], body: null };
      const open = () => Promise.resolve({ answer, coding: 'identity', texts: posts() } as const);
      void answers.stream(response, String(response.req.url), 1, open);
    });
    setImmediate(count);
    const bodies = await Promise.all(['/a', '/b', '/c'].map((path) => got(`http://127.0.0.1:${port()}${path}`)));
    iterations = 1_000;
    expect(bodies.map(({ body }) => body.length)).toEqual([50, 50, 50]);
    // Each starts with one post without waiting.
    expect(most).toBeLessThanOrEqual(3);
  });
});
