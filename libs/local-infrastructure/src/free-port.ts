import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Thrown when something else already listens on the port that was asked for. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  readonly port: number;

  constructor(port: number, cause: unknown) {
    super(`Port ${port} on 127.0.0.1 is already in use: stop what listens there or choose another port.`, { cause });
    this.port = port;
  }
}

/**
 * Ports that no system gives to outgoing connections (Linux gives from 32768 on): what is picked here stays free while
 * its server starts, or starts again.
 */
const FIRST_PORT = 15_000;
const PORTS = 17_000;
const MAX_PICKS = 100;

/**
 * Whoever has picked a port listens on it at this address until its process ends, so that no other process picks it
 * before its server listens, or while that server is down.
 */
const RESERVING_ADDRESS = '127.0.0.2';

/**
 * A loopback port nobody listens on at this moment; `wanted` is checked and returned when given. One that is picked
 * stays this process's own.
 *
 * @throws PortInUseError
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && wanted !== 0) return listenOnce(wanted);
  for (let pick = 1; ; pick += 1) {
    const port = FIRST_PORT + randomInt(PORTS);
    try {
      await reserve(port);
      return await listenOnce(port);
    } catch (error) {
      if (!(error instanceof PortInUseError) || pick === MAX_PICKS) throw error;
    }
  }
}

async function reserve(port: number): Promise<void> {
  try {
    const reservation = await listen(port, RESERVING_ADDRESS);
    reservation.unref();
  } catch (error) {
    // Not every system has a second loopback address: macOS has none, and picks without reserving.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw error;
  }
}

async function listenOnce(port: number): Promise<number> {
  const server = await listen(port, '127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(port: number, host: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    reject(error.code === 'EADDRINUSE' ? new PortInUseError(port, error) : error);
  });
  server.listen({ port, host, exclusive: true }, () => resolve(server));
  return promise;
}
