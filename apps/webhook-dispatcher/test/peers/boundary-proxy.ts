import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where between a dispatcher and a system a request is. */
export const BOUNDARIES = ['arrived', 'made', 'answered'] as const;
/**
 * `arrived`: the system has not been told yet, but will be; `made`: it has done it, and the dispatcher does not know;
 * `answered`: the dispatcher has just been told.
 */
export type Boundary = (typeof BOUNDARIES)[number];

/** A proxy between a dispatcher and a system, which says when something passes. */
export interface BoundaryProxy extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the nth request of this method from now on is there; what is then awaited holds that request up. */
  at(boundary: Boundary, nth: number, method: RegExp, then: () => Promise<void>): Promise<void>;
}

/** `hides` what it matches: the system seems not to have such paths. */
export async function startBoundaryProxy(target: string, hides: RegExp | null = null): Promise<BoundaryProxy> {
  const { hostname, port, host } = new URL(target);
  let waiting: { boundary: Boundary; left: number; method: RegExp; run: () => Promise<void> } | null = null;
  const pass = async (boundary: Boundary, of: string) => {
    if (waiting === null || waiting.boundary !== boundary || !waiting.method.test(of)) return;
    waiting.left -= 1;
    if (waiting.left > 0) return;
    const { run } = waiting;
    waiting = null;
    await run();
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const of = `${incoming.method} ${incoming.url}`;
    if (hides?.test(incoming.url ?? '') === true) {
      outgoing.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      return;
    }
    await pass('arrived', of);
    const call = forward({
      host: hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host, connection: 'close' },
    });
    call.end(Buffer.concat(chunks));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    const body: Buffer[] = [];
    for await (const chunk of answer) body.push(chunk as Buffer);
    await pass('made', of);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(body));
    await pass('answered', of);
  };
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (boundary, nth, method, then) =>
      new Promise((resolve, reject) => {
        waiting = { boundary, left: nth, method, run: () => then().then(resolve, reject) };
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
