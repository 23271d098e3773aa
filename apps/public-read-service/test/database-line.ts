import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A line to a database that can be cut, or go silent, as networks do. */
export interface DatabaseLine extends AsyncDisposable {
  /** The database's address through this line. */
  readonly url: string;
  /** Ends all connections and lets no new one through. */
  cut(): void;
  /** Keeps the connections and carries nothing, in neither direction. */
  silence(): void;
  /** Carries again, first what was held back. */
  mend(): void;
}

/** Opens a line to the database at `databaseUrl`. */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let isSilent = false;

  const server: Server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port || 5432), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (chunk) => void to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isSilent) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  const everySocket = (): Socket[] => [...pairs].flat();
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of everySocket()) socket.destroy();
    },
    silence() {
      isSilent = true;
      for (const socket of everySocket()) socket.pause();
    },
    mend() {
      isCut = false;
      isSilent = false;
      for (const socket of everySocket()) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      isCut = true;
      for (const socket of everySocket()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
