import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mergeRedirects } from './merge-redirects.ts';

/** What a Caddyfile answers 301, as Caddy itself reads it: path → target. */
async function readByCaddy(directives: string): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-redirects-'));
  const file = join(folder, 'Caddyfile');
  await writeFile(join(folder, 'redirects.caddy'), directives);
  await writeFile(file, 'example.com {\n\timport redirects.caddy\n}\n');
  const args = ['adapt', '--adapter', 'caddyfile', '--config', file];
  const { stdout: text } = await promisify(execFile)('caddy', args);
  await rm(folder, { recursive: true });
  const found = new Map<string, string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { match, handle } = value as {
      match?: { path?: string[] }[];
      handle?: { handler: string; status_code?: number; headers?: { Location?: string[] } }[];
    };
    const answer = handle?.find(({ handler }) => handler === 'static_response');
    for (const path of match?.flatMap((matcher) => matcher.path ?? []) ?? []) {
      const [location] = answer?.headers?.Location ?? [];
      if (location !== undefined) found.set(path, `${answer?.status_code} ${location}`);
    }
    for (const child of Object.values(value)) walk(child);
  };
  walk(JSON.parse(text));
  return found;
}

it('Caddy reads the directives, and answers 301 with and without the last slash', async () => {
  const redirects = [
    { from: '/blog/old/', to: '/blog/new/' },
    { from: '/blog/tea-1/', to: '/blog/tea/' },
  ];
  const directives = mergeRedirects(redirects, { format: 'caddy', template: '/blog/{slug}/' }, 'respond /own 200\n');
  expect(await readByCaddy(directives)).toEqual(
    new Map([
      ['/blog/old/', '301 /blog/new/'],
      ['/blog/old', '301 /blog/new/'],
      ['/blog/tea-1/', '301 /blog/tea/'],
      ['/blog/tea-1', '301 /blog/tea/'],
    ]),
  );
});
