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

/** A loopback port nobody listens on at this moment; `wanted` is checked and returned when given. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    reject(error.code === 'EADDRINUSE' ? new PortInUseError(wanted, error) : error);
  });
  server.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
    const address = server.address();
    server.close(() => {
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('The operating system gave no port.'));
    });
  });
  return promise;
}
