import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MAX_ANSWER_BYTES } from './exchange.ts';

const MAX_BYTES = 128 * 1024;
const HELD_AT_ONCE = 8;
const HEAD = 'HTTP/1.1 200 OK\r\n';

const sockets = new Set<Socket>();
let server: Server;
let answer = Buffer.alloc(0);
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** What each of some answers costs while it is held open, in bytes. */
async function bytesOfOneHeld(): Promise<number> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const main = fileURLToPath(new URL('../../test/held-answers.main.ts', import.meta.url));
  const node = ['--expose-gc', '--conditions=@blog-content/source', main];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[...node, url, String(HELD_AT_ONCE), String(answer.length)],
  ]);
  return Number(stdout);
}

it.each([
  [
    'of 65,535 chunks of one byte',
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(MAX_ANSWER_BYTES - 1)}`,
  ],
  ['of one long body', `${HEAD}Content-Length: 100000\r\n\r\n${'x'.repeat(MAX_ANSWER_BYTES - 1)}`],
  ['whose head is thousands of short fields', `${HEAD}${'ab: cd\r\n'.repeat(8_000)}Content-Length: 2\r\n\r\nx`],
  ['whose head is one long field', `${HEAD}X-Long: ${'x'.repeat(65_000)}\r\nContent-Length: 2\r\n\r\nx`],
  [
    'of a long head and a long body',
    `${HEAD}X-Long: ${'x'.repeat(4_000)}\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(MAX_ANSWER_BYTES - 1)}`,
  ],
  [
    'of a head as long as may be, and a body',
    `${HEAD}X-Long: ${'x'.repeat(65_000)}\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(4_000)}`,
  ],
  ['whose head does not end', `${HEAD}${'ab: cd\r\n'.repeat(8_000)}`],
  ['whose head is one long field that does not end', `${HEAD}X-Long: ${'x'.repeat(65_000)}`],
])('an answer %s, held open, costs at most 128 kB of memory', async (_shape, bytes) => {
  answer = Buffer.from(bytes);
  const held = await bytesOfOneHeld();
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(MAX_BYTES);
});
