import { forEachService } from '@blog-content/payload-schemas';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from './gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'blog-content-site-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
writeFileSync(join(folder, 'assets/app-1a2b.js'), 'run()');
writeFileSync(join(folder, '.sources'), 'secret');

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway({ servicePorts: forEachService(() => 1), dashboardFolder: folder });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});
const get = (path: string, method = 'GET') => fetch(`${gateway.origin}${path}`, { method });

describe('the dashboard’s files', () => {
  it.each(['/', '/projects/x/posts', '/projects/x/posts?state=draft', '/projects'])(
    '%s is the page, which browsers ask for anew each time',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, '<!doctype html>']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it('are kept for a year where their names hold a hash', async () => {
    const answer = await get('/assets/app-1a2b.js');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('are sent in gzip to whoever takes it, and as they are to others', async () => {
    const encodings = ['gzip, br', 'identity'];
    const answers = await Promise.all(
      encodings.map((encoding) => fetch(`${gateway.origin}/`, { headers: { 'accept-encoding': encoding } })),
    );
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(2).fill('<!doctype html>'));
  });

  it('may run no inline script and stand in no frame', async () => {
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
  ])('%s is 404, not the page', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('are read only: another method is 404', async () => {
    expect((await get('/', 'POST')).status).toBe(404);
  });
});
