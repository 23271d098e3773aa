import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, PortInUseError } from './free-port.ts';

describe('a free port', () => {
  it('is outside the range of outgoing connections, which could take it before its server starts', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('is picked once, even before a server listens there', async () => {
    const port = await freePort();
    const other = createSocket('udp4').bind({ port, address: '127.0.0.1', exclusive: true });
    await expect(once(other, 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await freePort(port)).toBe(port);
  });

  it('is the requested one, or an error that names it if it is in use', async () => {
    const wanted = await freePort();
    expect(await freePort(wanted)).toBe(wanted);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
    await expect(freePort(wanted)).rejects.toThrow(PortInUseError);
    server.close();
  });
});
