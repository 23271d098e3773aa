import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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
 * A loopback port nobody listens on at this moment; `wanted` is checked and returned when given.
 *
 * @throws PortInUseError
 */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && wanted !== 0) return listenOnce(wanted);
  for (let pick = 1; ; pick += 1) {
    try {
      return await listenOnce(FIRST_PORT + randomInt(PORTS));
    } catch (error) {
      if (!(error instanceof PortInUseError) || pick === MAX_PICKS) throw error;
    }
  }
}

function listenOnce(port: number): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    reject(error.code === 'EADDRINUSE' ? new PortInUseError(port, error) : error);
  });
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(port)));
  return promise;
}
