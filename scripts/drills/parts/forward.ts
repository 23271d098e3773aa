import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port whose connections lead to another one: the address of whichever server is in charge, or a cable. */
export interface Forward {
  readonly port: number;
  /** Ends all connections. New ones lead to the port, or nowhere. */
  leadTo(port: number | null): void;
}

/** Opens one on loopback. */
export async function openForward(resources: AsyncDisposableStack, first: number): Promise<Forward> {
  let target: number | null = first;
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const server = createServer((incoming) => {
    if (target === null) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(async () => {
    cut();
    server.close();
    await once(server, 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
      cut();
    },
  };
}
