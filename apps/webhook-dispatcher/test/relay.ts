import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay between a sender and a receiver, like firewalls and load balancers. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Connections taken so far. */
  readonly connections: number;
  /** Lets what senders say through from now on; until then it is held back. */
  release(): void;
}

export interface RelayOptions {
  /** Holds back what senders say until it is released. */
  readonly holds?: boolean;
  /** Forgets a connection when so long after an answer nothing more was said: closes it, or drops the next bytes. */
  readonly forgets?: { readonly afterMs: () => number; readonly by: 'closing' | 'silence' };
}

/** Starts a relay to a port of this machine. */
export async function startRelay(to: number, { holds = false, forgets }: RelayOptions = {}): Promise<Relay> {
  const released = Promise.withResolvers<void>();
  if (!holds) released.resolve();
  const sockets = new Set<Socket>();
  let connections = 0;
  const track = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    return socket.setNoDelay(true);
  };
  const server = createServer((sender) => {
    connections += 1;
    track(sender);
    const receiver = track(connect(to, '127.0.0.1'));
    let forgetting: NodeJS.Timeout | undefined;
    const forget = () => {
      if (forgets?.by === 'closing') sender.end();
      sender.removeAllListeners('data').resume();
      receiver.destroy();
    };
    void released.promise.then(() => {
      sender.on('data', (bytes) => {
        clearTimeout(forgetting);
        receiver.write(bytes);
      });
    });
    receiver.on('data', (bytes) => {
      clearTimeout(forgetting);
      if (forgets !== undefined) forgetting = setTimeout(forget, forgets.afterMs());
      sender.write(bytes);
    });
    sender.once('close', () => {
      clearTimeout(forgetting);
      receiver.destroy();
    });
    receiver.once('end', () => sender.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    release: released.resolve,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
