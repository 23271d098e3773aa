import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A real server on the loopback that counts what reaches it. */
export interface CountingServer {
  port: number;
  /** TCP connections accepted so far. */
  connections: number;
  /** Requests answered so far. */
  requests: number;
  /** TCP connections that are open. */
  open(): number;
  close(): Promise<void>;
}

/** Starts a server on a free port. Default answer: 200 `ok`. */
export async function startCountingServer(
  options: { host?: string; tls?: { key: string; cert: string }; respond?: RequestListener } = {},
): Promise<CountingServer> {
  const counting: CountingServer = { port: 0, connections: 0, requests: 0, open: () => open, close: () => close() };
  let open = 0;
  const listener: RequestListener = (request, response) => {
    counting.requests += 1;
    if (options.respond === undefined) response.end('ok');
    else options.respond(request, response);
  };
  const server: Server =
    options.tls === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ key: options.tls.key, cert: options.tls.cert }, listener);
  server.on('connection', (socket: Socket) => {
    counting.connections += 1;
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, options.host ?? '127.0.0.1', resolve);
  });
  counting.port = (server.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return counting;
}
