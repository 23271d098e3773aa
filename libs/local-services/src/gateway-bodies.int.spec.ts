import { forEachService } from '@blog-content/payload-schemas';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startGateway } from './gateway.ts';

const PATH = '/blog/api/v1/owner/session';
const LARGE = Buffer.alloc(2_000_000, 'a');
/** Large enough that it cannot all be on its way when the answer comes. */
const VERY_LARGE = Buffer.alloc(40_000_000, 'a');
/** A race that a service can lose shows in some of these. */
const ROUNDS = 40;

let respond: RequestListener;
let seen: { method: string; headers: IncomingMessage['headers']; bytes: number }[];
let service: Server;
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  service = createServer((request, response) => respond(request, response));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  gateway = await startGateway({ servicePorts: forEachService(() => port) });
});
beforeEach(() => {
  seen = [];
  respond = readAll;
});
afterAll(async () => {
  await gateway.close();
  service.close();
  service.closeAllConnections();
});

/** A service that reads all that it is sent. */
const readAll: RequestListener = (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    seen.push({ method: request.method ?? '', headers: request.headers, bytes });
    response.end(JSON.stringify({ bytes }));
  });
};
const refuse: RequestListener = (_request, response) => {
  response.writeHead(413, { 'Content-Type': 'application/json' }).end('{"detail":"At most 1 MB."}');
};

/** Sends a whole request as it is, and returns all that is answered before the connection ends. */
async function raw(head: string, body: Buffer = Buffer.alloc(0)): Promise<string> {
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head.replaceAll('\n', '\r\n'));
  socket.write(body);
  return text(socket);
}

describe('a body that goes through the gateway', () => {
  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])('is left out of a %s, which the service answers', async (method) => {
    for (const body of [LARGE, VERY_LARGE]) {
      const answer = await raw(
        `${method} ${PATH} HTTP/1.1\nHost: x\nConnection: close\nContent-Length: ${body.length}\n\n`,
        body,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(seen.map(({ bytes, headers }) => [bytes, headers['transfer-encoding']])).toEqual([
      [0, undefined],
      [0, undefined],
    ]);
  });

  it('cannot be taken for a request of its own, in chunks and without a length', async () => {
    const smuggled = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Smuggled: yes\r\n\r\n`;
    const head = `DELETE ${PATH} HTTP/1.1\nHost: x\nConnection: close\nTransfer-Encoding: chunked\n\n`;
    const chunks = Buffer.from(`${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`);
    expect(await raw(head, chunks)).toMatch(/^HTTP\/1\.1 200 /);
    await (await fetch(`${gateway.origin}${PATH}`)).text();
    expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'GET']);
    expect(seen.some(({ headers }) => 'x-smuggled' in headers)).toBe(false);
  });

  it('arrives as it was sent, with a length and in chunks', async () => {
    const sizes = [0, 1, 70_000, LARGE.length];
    for (const size of sizes) {
      const body = LARGE.subarray(0, size);
      const answer = await fetch(`${gateway.origin}${PATH}`, { method: 'POST', body });
      expect(await answer.json()).toEqual({ bytes: size });
    }
    const chunked = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < LARGE.length; at += 100_000) controller.enqueue(LARGE.subarray(at, at + 100_000));
        controller.close();
      },
    });
    const sent = { method: 'POST', body: chunked, duplex: 'half' } as RequestInit;
    expect(await (await fetch(`${gateway.origin}${PATH}`, sent)).json()).toEqual({ bytes: LARGE.length });
  });

  it('is sent after 100 Continue to a client that waits for it', async () => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
    );
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*{"bytes":5}$/);
  });

  it.each(['a length', 'chunks'])('gets the answer of a service that refuses it unread, with %s', async (how) => {
    respond = refuse;
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = how === 'chunks' ? new Blob([LARGE]).stream() : LARGE;
      const sent = { method: 'POST', body, duplex: 'half' } as RequestInit;
      const answer = await fetch(`${gateway.origin}${PATH}`, sent);
      expect([answer.status, await answer.text()]).toEqual([413, '{"detail":"At most 1 MB."}']);
    }
  });

  it('is 413 at a service that answers early and closes, or closes without an answer', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      respond = (request, response) => {
        if (round % 2 === 1) request.socket.destroy();
        else response.writeHead(413, { Connection: 'close' }).end('{"detail":"At most 1 MB."}');
      };
      const answer = await fetch(`${gateway.origin}${PATH}`, { method: 'POST', body: VERY_LARGE });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toEqual({ detail: expect.any(String) });
    }
  });

  it('ends at the service when its client hangs up, and the gateway goes on', async () => {
    const ended = new Promise((resolve) => {
      respond = (request) => {
        request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).resume();
      };
    });
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n`);
    socket.write(LARGE.subarray(0, 100_000), () => socket.resetAndDestroy());
    expect(await ended).toBe('ECONNRESET');
    respond = readAll;
    expect((await fetch(`${gateway.origin}${PATH}`, { method: 'POST', body: 'x' })).status).toBe(200);
  });

  it('is 500 with Retry-After when the service is away', async () => {
    const away = await startGateway({ servicePorts: forEachService(() => 1) });
    try {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${away.origin}${PATH}`, {
          method,
          ...(method === 'POST' && { body: LARGE }),
        });
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '2']);
      }
    } finally {
      await away.close();
    }
  });
});
