import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once, type EventEmitter } from 'node:events';
import { createServer } from 'node:net';

/** Thrown when something else already listens on the port that was asked for. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  readonly port: number;

  constructor(port: number, cause: unknown) {
    super(`Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port.`, { cause });
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

/**
 * Holds the UDP port of that number until this process ends, so that no other process picks it before its server
 * listens, or while that server is down. A TCP server, of a container too, is free to listen there.
 */
async function reserve(port: number): Promise<void> {
  const reservation = createSocket('udp4');
  reservation.unref();
  reservation.bind({ port, address: '127.0.0.1', exclusive: true });
  await listening(reservation, port);
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  await listening(server, port);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(socket: EventEmitter, port: number): Promise<void> {
  try {
    await once(socket, 'listening');
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new PortInUseError(port, error) : error;
  }
}
