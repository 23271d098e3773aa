import { createChunkTurns } from '@blog-content/concurrency';
import { eventually } from '@blog-content/testing';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import got from 'got';
import { createAnswerBudget, type AnswerBudget } from './answer-budget.ts';
import { MAX_CHUNK_BYTES, sendWithin } from './send-within.ts';

const MIB = 1_048_576;
/** One for all, so that the test itself needs little memory. */
const bytes = Buffer.alloc(45 * MIB);

let budget: AnswerBudget;
let server: Server;
let stalledMs: number | undefined;
const sockets: Socket[] = [];
const answered: (string | undefined)[] = [];

/** Answers `/<account>/<MB>` with so many bytes of that account. */
beforeEach(async () => {
  budget = createAnswerBudget(() => performance.now());
  const chunkTurn = createChunkTurns(0, () => performance.now());
  stalledMs = undefined;
  server = createServer((request, response) => {
    const [, accountId = '', mib] = request.url?.split('/') ?? [];
    const body = bytes.subarray(0, Number(mib) * MIB);
    const answer = { status: 200, headers: ['content-length', String(body.length)], body };
    const recipient = { method: request.method, accountId, reservation: null };
    sendWithin({ budget, chunkTurn }, response, answer, recipient, stalledMs);
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

describe('readers who do not read', () => {
  it('keep no other account from its answers, however many accounts they have', async () => {
    for (const account of ['a', 'b', 'c']) await readNothing(`/${account}/36`);
    for (const account of ['d', 'e', 'f', 'g', 'h']) await readNothing(`/${account}/7`);
    for (let time = 0; time < 10; time += 1) expect(await read('/newcomer/5')).toBe(200);
    await eventually(async () => expect(await connections()).toBe(7));
  });

  it('are cut off when they take nothing any more, and those behind on the same connection with them', async () => {
    stalledMs = 200;
    await readNothing('/a/15', '/a/15');
    await eventually(() => expect(budget.bytes).toBe(0));
    await eventually(async () => expect(await connections()).toBe(0));
  });
});

describe('a large answer', () => {
  it('goes out a chunk a turn of the event loop, so that others are answered in between', async () => {
    let most = 0;
    const watch = async ({ socket }: IncomingMessage, response: ServerResponse) => {
      for (let before = 0; !response.closed; await setImmediate()) {
        most = Math.max(most, socket.bytesWritten - before);
        before = socket.bytesWritten;
      }
    };
    server.prependListener('request', (request, response) => void watch(request, response));
    const { rawBody } = await got(`http://127.0.0.1:${port()}/a/20`);
    expect(bytes.subarray(0, 20 * MIB).equals(rawBody)).toBe(true);
    const head = 1_024;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MAX_CHUNK_BYTES + head);
  });
});
