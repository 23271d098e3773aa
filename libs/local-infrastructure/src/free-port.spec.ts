import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, PortInUseError } from './free-port.ts';

describe('a free port', () => {
  it('is none that a system gives to outgoing connections, which could take it before its server starts', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('is picked once, though nothing listens there yet, and a server is free to listen there', async () => {
    const port = await freePort();
    const other = createSocket('udp4').bind({ port, address: '127.0.0.1', exclusive: true });
    await expect(once(other, 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await freePort(port)).toBe(port);
  });

  it('is the one that was asked for, or an error that names it where something listens there', async () => {
    const wanted = await freePort();
    expect(await freePort(wanted)).toBe(wanted);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
    await expect(freePort(wanted)).rejects.toThrow(PortInUseError);
    server.close();
  });
});
