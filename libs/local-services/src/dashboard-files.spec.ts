import { forEachService } from '@blog-content/payload-schemas';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ORIGIN_TEMPLATE } from './dashboard-files.ts';
import { startGateway } from './gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'blog-content-site-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
writeFileSync(join(folder, 'assets/app-1a2b.js'), 'run()');
writeFileSync(join(folder, '.sources'), 'secret');
mkdirSync(join(folder, '.vite'));
writeFileSync(join(folder, '.vite/manifest.json'), '{}');
mkdirSync(join(folder, 'docs'));
writeFileSync(join(folder, 'docs/index.html'), '<!doctype html><title>Docs</title>');
for (const name of ['docs/webhooks.md', 'docs/llms.txt', 'llms.txt']) {
  writeFileSync(join(folder, name), `curl ${ORIGIN_TEMPLATE}/mcp`);
}
const packagesFolder = mkdtempSync(join(tmpdir(), 'blog-content-packages-'));
const packages = ['client.tgz', 'client-0.1.0-0123456789ab.tgz', 'index.json'];
for (const name of packages) writeFileSync(join(packagesFolder, name), 'a tarball');

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway({ servicePorts: forEachService(() => 1), dashboardFolder: folder, packagesFolder });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
  rmSync(packagesFolder, { recursive: true });
});
const get = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(`${gateway.origin}${path}`, { method, headers });

describe('the dashboard’s files', () => {
  it.each(['/', '/projects/x/posts', '/projects/x/posts?state=draft', '/projects'])(
    '%s is the page, which browsers revalidate each time',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it('are cached for a year if their names have a hash', async () => {
    const answer = await get('/assets/app-1a2b.js');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('are sent in gzip to clients that accept it, and uncompressed to others', async () => {
    const encodings = ['gzip, br', 'identity'];
    const answers = await Promise.all(
      encodings.map((encoding) => fetch(`${gateway.origin}/`, { headers: { 'accept-encoding': encoding } })),
    );
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(2).fill('<!doctype html>'));
  });

  it('may run no inline script and be in no frame', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it.each([
    '/assets/app-gone.js',
    '/.sources',
    '/../package.json',
    '/assets/..%2f.sources',
    '/blog/api/v2/owner',
    '/blog/api/v1/unheard-of',
    '/images',
    '/robots.txt',
    '/.vite/manifest.json',
    '/packages',
    '/packages/no-such.tgz',
    '/packages/../index.html.tgz',
    '/docs/no-such.md',
  ])('%s is 404, not the page', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('are read only: another method is 404', async () => {
    expect((await get('/', 'POST')).status).toBe(404);
  });

  it('are not sent again to whom has them', async () => {
    const etag = (await get('/assets/app-1a2b.js')).headers.get('etag') ?? '';
    const again = await get('/assets/app-1a2b.js', 'GET', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/', 'GET', { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('the documents', () => {
  it.each([
    ['/docs', 200],
    ['/docs/', 200],
    ['/docs/webhooks', 200],
    ['/docs/webhooks/?q=a', 200],
    ['/docs/no-such', 404],
    ['/docs/webhooks/no-such', 404],
  ])('%s is their page, with status %s', async (path, status) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([status, '<!doctype html><title>Docs</title>']);
  });
});

describe('the documents as Markdown', () => {
  it.each(['/docs/webhooks.md', '/docs/llms.txt', '/llms.txt'])(
    '%s names the origin that it is read at',
    async (path) => {
      const answer = await get(path);
      expect(await answer.text()).toBe(`curl ${gateway.origin}/mcp`);
      expect(answer.headers.get('content-type')).toBe(
        path.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'text/plain; charset=utf-8',
      );
    },
  );

  it('come in place of a page to whom Accept says so', async () => {
    const answer = await get('/docs/webhooks', 'GET', { accept: 'text/markdown' });
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const page = await get('/docs/webhooks', 'GET', { accept: 'text/html,*/*;q=0.8' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const { headers } of [answer, page]) expect(headers.get('vary')).toContain('Accept,');
    expect((await get('/docs/no-such', 'GET', { accept: 'text/markdown' })).status).toBe(404);
  });
});

describe('the packages', () => {
  it.each(['GET', 'HEAD'])('come with their type and length to a %s', async (method) => {
    for (const name of packages) {
      const answer = await get(`/packages/${name}`, method, { 'accept-encoding': 'identity' });
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '9']);
      expect(await answer.text()).toBe(method === 'HEAD' ? '' : 'a tarball');
      expect(answer.headers.get('content-type')).toBe(name === 'index.json' ? 'application/json' : 'application/gzip');
    }
  });

  it('are kept where the name holds a hash, and asked for again elsewhere; never packed twice', async () => {
    const answers = await Promise.all(packages.map((name) => get(`/packages/${name}`)));
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual([
      'no-cache',
      'public, max-age=31536000, immutable',
      'no-cache',
    ]);
    expect(answers[0]?.headers.get('content-encoding')).toBeNull();
  });
});
