import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { TestCertificate } from '@blog-content/testing';

/** How far into the request the receiver listens before it speaks. */
export type SpeaksAfter = 'connection' | 'head' | 'body';

/** What a receiver does with one connection, byte by byte; `reset` breaks it immediately. */
export type Talk = (socket: TLSSocket, reset: () => void) => void;

/** A receiver that speaks in bytes over TLS, for answers that no HTTP server gives. */
export interface RawReceiver {
  readonly port: number;
  /** Connections on which the receiver has spoken. */
  readonly spoken: number;
  /** The connections that are open now. */
  readonly open: number;
  /** Replaces what is done with later connections. */
  talkWith(talk: Talk, after?: SpeaksAfter): void;
  /** Breaks every connection that is still open. */
  cut(): Promise<void>;
  close(): Promise<void>;
}

/** Starts one on a loopback port. */
export async function startRawReceiver(certificate: TestCertificate): Promise<RawReceiver> {
  let talk: Talk = (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  let speaksAfter: SpeaksAfter = 'body';
  let spoken = 0;
  const fronts = new Map<number, Socket>();
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };

  const secure = createTlsServer({ key: certificate.key, cert: certificate.certificate }, (socket) => {
    const [say, after] = [talk, speaksAfter];
    const front = fronts.get(socket.remotePort ?? 0);
    track(socket);
    whenHeard(socket, after, () => {
      spoken += 1;
      say(socket, () => front?.resetAndDestroy());
    });
  });
  secure.on('tlsClientError', () => undefined);
  await listening(secure);

  // In front of TLS, because a connection under TLS cannot be reset from within.
  const front = createTcpServer((incoming) => {
    const inner = connect(portOf(secure), '127.0.0.1', () => {
      const { localPort = 0 } = inner;
      fronts.set(localPort, incoming);
      inner.once('close', () => fronts.delete(localPort));
      incoming.pipe(inner);
      inner.pipe(incoming);
    });
    incoming.once('close', () => inner.destroy());
    inner.once('close', () => incoming.destroySoon());
    track(incoming);
    track(inner);
  });
  await listening(front);

  const cut = async () => {
    await Promise.all([...sockets].map((socket) => (socket.destroy(), once(socket, 'close'))));
  };

  return {
    port: portOf(front),
    get spoken() {
      return spoken;
    },
    get open() {
      return sockets.size;
    },
    talkWith(next, after = 'body') {
      talk = next;
      speaksAfter = after;
    },
    cut,
    async close() {
      await cut();
      await Promise.all([front, secure].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Calls `speak` once that much of a request has come; what comes after is read and thrown away. */
function whenHeard(socket: Socket, after: SpeaksAfter, speak: () => void): void {
  if (after === 'connection') {
    speak();
    socket.resume();
    return;
  }
  let heard = Buffer.alloc(0);
  const hear = (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
    const end = heard.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(heard.subarray(0, end).toString('latin1'))?.[1] ?? 0);
    if (after === 'body' && heard.length < end + 4 + length) return;
    socket.off('data', hear);
    socket.resume();
    speak();
  };
  socket.on('data', hear);
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
