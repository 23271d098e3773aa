import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freePort, PortInUseError } from './free-port.ts';

describe('a free port', () => {
  it('is none that a system gives to outgoing connections, which could take it before its server starts', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('stays the one of the process that picked it, though nothing listens there yet', async () => {
    const port = await freePort();
    const otherProcess = `
      import { createServer } from 'node:net';
      const server = createServer();
      server.on('error', (error) => console.log(error.code));
      server.listen({ port: ${port}, host: '127.0.0.2', exclusive: true }, () => server.close());
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', otherProcess]);
    expect(stdout.trim()).toBe('EADDRINUSE');
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
