import { freePort } from '@blog-content/local-infrastructure';
import { serviceNames } from '@blog-content/payload-schemas';
import { httpSurface } from '@blog-content/payload-schemas/documents';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { caddyfile } from './caddyfile.ts';
import { DASHBOARD_HEADERS, ORIGIN_TEMPLATE } from './dashboard-files.ts';

const file = join(import.meta.dirname, '../../../docker/dashboard/Caddyfile');
const project = '/blog/api/v1/owner/projects/7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';

it('is what docker/dashboard/Caddyfile says (else run `npm run docs`)', () => {
  expect(readFileSync(file, 'utf8')).toBe(caddyfile());
});

describe('Caddy with that file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'blog-content-caddy-'));
  const services: Server[] = [];
  let caddy: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(join(folder, 'site/assets'), { recursive: true });
    writeFileSync(join(folder, 'site/index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'site/assets/app-1a2b.js'), 'run()');
    mkdirSync(join(folder, 'site/docs'));
    writeFileSync(join(folder, 'site/docs/index.html'), '<!doctype html><title>Docs</title>');
    writeFileSync(join(folder, 'site/.sources'), 'secret');
    for (const name of ['docs/webhooks.md', 'docs/llms.txt', 'llms.txt']) {
      writeFileSync(join(folder, 'site', name), `curl ${ORIGIN_TEMPLATE}/mcp # {{.Host}}`);
    }
    mkdirSync(join(folder, 'site/packages'));
    for (const name of ['client.tgz', 'client-0.1.0-0123456789ab.tgz']) {
      writeFileSync(join(folder, 'site/packages', name), 'a tarball');
    }
    writeFileSync(join(folder, 'site/packages/index.json'), '{}');
    const environment: Record<string, string> = {};
    for (const service of serviceNames) {
      const server = createServer((request, response) => {
        response.end(JSON.stringify({ service, headers: request.headers }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      services.push(server);
      environment[service.toUpperCase().replaceAll('-', '_')] = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
    origin = `http://127.0.0.1:${await freePort()}`;
    caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        SITE_ADDRESS: origin,
        ADMIN_ADDRESS: `http://127.0.0.1:${await freePort()}`,
        SITE_FOLDER: join(folder, 'site'),
        ...environment,
      },
      stdio: 'ignore',
    });
    const failed = new Promise<never>((_resolve, reject) => {
      caddy.once('error', () => reject(new Error('Caddy cannot be started: apt-get install caddy.')));
      caddy.once('exit', (code) => reject(new Error(`Caddy has ended with ${code}.`)));
    });
    failed.catch(() => undefined);
    await Promise.race([failed, answers()]);
  });

  afterAll(async () => {
    if (caddy?.exitCode === null && caddy.pid !== undefined) {
      const gone = new Promise((resolve) => caddy.once('exit', resolve));
      caddy.kill('SIGKILL');
      await gone;
    }
    for (const server of services) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(folder, { recursive: true });
  });

  async function answers(): Promise<void> {
    while (!(await fetch(origin).catch(() => null))) await sleep(50);
  }
  const get = (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init);

  it.each(httpSurface.map(({ id, path, service }) => ({ id, service, path })))(
    'leads $id to $service',
    async ({ path, service }) => {
      const answer = await get(`${path.replaceAll(/\{\w+\}/g, '7b6f1c1e-54d5')}?next=/webhooks/`);
      expect(await answer.json()).toMatchObject({ service });
    },
  );

  it.each([
    ['/mcp', 'content-service'],
    ['/mcp/', 'content-service'],
    [`${project}/direct-integrations`, 'webhook-dispatcher'],
    [`${project}/blogs/webhooks/public-key`, 'content-service'],
  ])('leads %s to %s', async (path, service) => {
    expect(await (await get(path)).json()).toMatchObject({ service });
  });

  it('passes the client’s real address to services, and drops forged ones', async () => {
    const claimed = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Port': '443',
      'X-Real-IP': '203.0.113.9',
      Forwarded: 'for=203.0.113.9',
    };
    const { headers } = (await (await get(`${project}/blogs`, { headers: claimed })).json()) as { headers: object };
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
    expect(JSON.stringify(headers)).not.toContain('203.0.113');
  });

  it.each(['/', '/projects/x/posts', '/projects/x/posts?q=a', '/invitation'])(
    '%s is the page, which browsers revalidate each time',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>']);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      for (const [name, value] of Object.entries(DASHBOARD_HEADERS)) expect(answer.headers.get(name)).toBe(value);
    },
  );

  it.each([
    ['/docs', 200],
    ['/docs/', 200],
    ['/docs/webhooks', 200],
    ['/docs/webhooks/?q=a', 200],
    ['/docs/no-such?q=a', 404],
    ['/docs/webhooks/no-such', 404],
  ])('%s is the page of the documents, with status %s', async (path, status) => {
    const answer = await get(path, { redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([status, '<!doctype html><title>Docs</title>']);
    for (const [name, value] of Object.entries(DASHBOARD_HEADERS)) expect(answer.headers.get(name)).toBe(value);
  });

  it.each(['/docs/webhooks.md', '/docs/llms.txt', '/llms.txt'])(
    '%s names the origin that it is read at',
    async (path) => {
      const { host } = new URL(origin);
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, `curl ${origin}/mcp # {{.Host}}`]);
      expect(answer.headers.get('content-type')).toMatch(/^text\/(?:markdown|plain); charset=utf-8$/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const behindTls = await get(path, { headers: { 'X-Forwarded-Proto': 'https' } });
      expect(await behindTls.text()).toBe(`curl https://${host}/mcp # {{.Host}}`);
    },
  );

  it('serves a document as Markdown if Accept asks for it, and its page to browsers', async () => {
    const answer = await get('/docs/webhooks', { headers: { Accept: 'text/markdown, text/html;q=0.9' } });
    expect([answer.status, await answer.text()]).toEqual([200, `curl ${origin}/mcp # {{.Host}}`]);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const page = await get('/docs/webhooks', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      'text/html; charset=utf-8',
      expect.stringContaining('Accept'),
    ]);
    expect((await get('/docs/no-such', { headers: { Accept: 'text/markdown' } })).status).toBe(404);
  });

  it.each(['GET', 'HEAD'])(
    'has packages, of which %s says the type; the one with a hash in its name is kept',
    async (method) => {
      const kept: Record<string, string | null> = {};
      for (const name of ['client.tgz', 'client-0.1.0-0123456789ab.tgz', 'index.json']) {
        const answer = await get(`/packages/${name}`, { method });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe(
          name === 'index.json' ? 'application/json' : 'application/gzip',
        );
        expect(answer.headers.get('etag')).toBeTruthy();
        kept[name] = answer.headers.get('cache-control');
      }
      expect(kept).toEqual({
        'client.tgz': 'no-cache',
        'client-0.1.0-0123456789ab.tgz': 'public, max-age=31536000, immutable',
        'index.json': 'no-cache',
      });
    },
  );

  it('lets files with a hash in their names be cached for a year', async () => {
    const answer = await get('/assets/app-1a2b.js');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it.each([
    '/assets/app-gone.js',
    '/.sources',
    '/assets/..%2f.sources',
    '/blog/api/v2/owner',
    '/images',
    '/robots.txt',
    '/packages',
    '/packages/',
    '/packages/no-such.tgz',
    '/packages/client-0.0.9-0123456789ab.tgz',
    '/docs/no-such.md',
  ])('%s is 404, not the page, and not kept', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).not.toContain('immutable');
  });

  it('serves files read-only', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(404);
  });

  it('answers 500 with Retry-After for a service that is away', async () => {
    services[serviceNames.indexOf('webhook-dispatcher')]!.close();
    services[serviceNames.indexOf('webhook-dispatcher')]!.closeAllConnections();
    const answer = await get(`${project}/webhooks`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '2']);
    expect(await answer.json()).toEqual({ detail: expect.stringContaining('Try again') });
  });
});
