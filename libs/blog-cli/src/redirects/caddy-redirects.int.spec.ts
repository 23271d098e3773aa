import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mergeRedirects } from './merge-redirects.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** What a site answers to paths, once Caddy serves it with these directives. */
async function answersOfCaddy(directives: string, paths: readonly string[]): Promise<(string | null)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-redirects-'));
  const origin = `http://127.0.0.1:${await freePort()}`;
  await writeFile(join(folder, 'redirects.caddy'), directives);
  await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${origin} {\n\timport redirects.caddy\n}\n`);
  const env = { PATH: process.env['PATH'], HOME: folder };
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], { env, stdio: 'ignore' });
  try {
    const locationOf = async (path: string) => {
      const { status, headers } = await fetch(`${origin}${path}`, { redirect: 'manual' });
      return status === 301 ? headers.get('location') : String(status);
    };
    while (caddy.exitCode === null && !(await locationOf('/').catch(() => null))) await sleep(20);
    return await Promise.all(paths.map(locationOf));
  } finally {
    caddy.kill();
    if (caddy.exitCode === null) await once(caddy, 'exit');
    await rm(folder, { recursive: true });
  }
}

it('Caddy redirects with and without the last slash, and keeps the query', async () => {
  const redirects = [
    { from: '/blog/old/', to: '/blog/new/' },
    { from: '/blog/tea-1/', to: '/blog/tea/' },
  ];
  const directives = mergeRedirects(redirects, { format: 'caddy', template: '/blog/{slug}/' }, 'respond /own 204\n');
  const paths = ['/blog/old/', '/blog/old', '/blog/tea-1?utm_source=a&b=%20', '/own'];
  expect(await answersOfCaddy(directives, paths)).toEqual([
    '/blog/new/',
    '/blog/new/',
    '/blog/tea/?utm_source=a&b=%20',
    '204',
  ]);
});
