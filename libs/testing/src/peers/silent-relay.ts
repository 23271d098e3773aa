import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A relay in front of a server that lets connections fall silent as a fail-over does: half-open, with neither end told.
 */
export interface SilentRelay {
  /** The server's URL, with the relay's address in it. */
  readonly url: string;
  /**
   * From now on nothing passes on the connections there are, in neither direction, and nothing closes them. New ones
   * work.
   */
  silence(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a relay on this machine before the server that `serverUrl` names by host and port. */
export async function startSilentRelay(serverUrl: string): Promise<SilentRelay> {
  const url = new URL(serverUrl);
  const { hostname, port } = url;
  const pairs = new Set<readonly [Socket, Socket]>();
  const silent: Socket[] = [];

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.pipe(upstream);
    upstream.pipe(client);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (pairs.delete(pair)) for (const each of pair) each.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: url.href,
    silence() {
      for (const [client, upstream] of pairs) {
        client.unpipe();
        upstream.unpipe();
        silent.push(client.pause(), upstream.pause());
      }
      pairs.clear();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of [...silent, ...[...pairs].flat()]) socket.destroy();
      await closed;
    },
  };
}
