// `npm run try-packages`: packs what is published, installs it into an empty project, and runs it on each runtime.
import { packPackages, PUBLISHED_PACKAGES } from '@blog-content/local-services';
import { sign } from '@blog-content/signing';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tryInWorkers } from './try-packages/try-in-workers.ts';

const usage = `Usage: npm run try-packages

Packs the client, the receiver and the blog command, and installs them into an empty project. Compiles against their types
and runs them on Node 20.3, 22 and 24, Deno, Bun and the Workers runtime. Fails if a runtime is unavailable.

  --help   show help

Exit codes: 0 success, 1 failure.`;

if (process.argv.includes('--help')) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, '..');
const SECRET = 'a-secret-of-your-own';
const platform = `${process.platform}-${process.arch}`;

/** A runtime as a package of this platform, without the install script of the one for all platforms. */
const runtimes = [
  // The first is the oldest that the packages take.
  ...['20.3', '22', '24'].map((major) => ({
    name: `Node ${major}`,
    package: `node-${platform}`,
    version: major,
    binary: 'bin/node',
    args: [] as string[],
  })),
  {
    name: 'Deno',
    package: `@deno/${platform}-glibc`,
    version: '2',
    binary: 'deno',
    args: ['run', '--allow-all', '--no-lock'],
  },
  { name: 'Bun', package: `@oven/bun-${platform}`, version: '1', binary: 'bin/bun', args: [] },
];

/** That of Workers; it takes no program, but a configuration. */
const workers = {
  name: 'Workers',
  package: `@cloudflare/workerd-${process.platform}-64`,
  version: '1',
  binary: 'bin/workerd',
};

const run = promisify(execFile);
const failures: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'blog-content-packages-'));

async function pack(): Promise<string[]> {
  const packages = join(folder, 'packages');
  const index = await packPackages(root, packages);
  for (const [name, { bytes }] of Object.entries(index)) console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB packed`);
  return PUBLISHED_PACKAGES.map((name) => join(packages, `${name}.tgz`));
}

/** Five posts, `e` to `a`, as the public API gives them; a 500 first. */
async function startApi(): Promise<Server> {
  let requests = 0;
  const posts = [...'edcba'].map((slug, at) => ({
    ...{ id: `${slug}`, slug },
    published_at: new Date(Date.UTC(2026, 0, 9 - at)).toISOString(),
  }));
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api.example');
    const send = (status: number, body: object) =>
      void response.writeHead(status, { etag: `"${request.url}"` }).end(JSON.stringify(body));
    requests += 1;
    if (requests === 1) return send(500, { detail: 'Not now.' });
    if (searchParams.get('category') === 'refused') return send(401, { detail: 'No.' });
    if (pathname !== '/blog/api/v1/public/blogs') return send(404, { detail: 'Post not found.' });
    if (request.headers['if-none-match'] === `"${request.url}"`) return void response.writeHead(304).end();
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    send(200, { blogs: posts.slice(offset, offset + limit), total: posts.length, limit, offset });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Where a runtime's program is; installed once on each machine. */
async function install(runtime: typeof workers): Promise<string> {
  const home = join(root, '.data/runtimes', `${runtime.package.replaceAll('/', '-')}-${runtime.version}`);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${runtime.package}@${runtime.version}`];
  await run('npm', args, { cwd: home });
  return join(home, 'node_modules', runtime.package, runtime.binary);
}

const tarballs = await pack();
const project = join(folder, 'project');
await mkdir(project);
await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], { cwd: project });
for (const file of ['try-client-and-receiver.mjs', 'types.ts']) {
  await copyFile(join(import.meta.dirname, 'try-packages', file), join(project, file));
}
const body = JSON.stringify({
  ...{ event: 'blog.published', blog_id: '1ca7a5a0-450f-4d5b-82c0-dbfa6b9ac332', title: 'A', slug: 'a' },
  ...{ published_at: new Date().toISOString(), idempotency_key: 'a:1' },
});
const signature = sign(Buffer.from(body), SECRET);
await writeFile(join(project, 'body.json'), body);
await mkdir(join(project, 'posts'));
await writeFile(join(project, 'posts/a.md'), '# A\n');
await writeFile(join(project, 'headers.txt'), `X-Webhook-Signature: ${signature}\n`);

async function attempt(what: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
    console.log(`${what}: ok`);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    failures.push(`${what}: ${(stderr || message).trim().slice(0, 2_000)}`);
  }
}

const compilerOptions = {
  ...{ strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: [] },
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
};
await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
await attempt('types', () =>
  run('tsc', ['-p', '.'], { cwd: project }).catch((error: Error & { stdout: string }) => {
    throw new Error(error.stdout);
  }),
);
for (const runtime of runtimes) {
  await attempt(runtime.name, async () => {
    const binary = await install(runtime);
    const server = await startApi();
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const given = ['try-client-and-receiver.mjs', baseUrl, 'body.json', signature, SECRET];
    await rm(join(project, 'cache'), { recursive: true, force: true });
    try {
      await run(binary, [...runtime.args, ...given], { cwd: project, timeout: 60_000 });
      if (!runtime.name.startsWith('Node')) return;
      const bin = (name: string) => join(project, 'node_modules/.bin', name);
      const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET };
      await run(binary, [bin('verify-webhook'), '--body', 'body.json', '--headers', 'headers.txt'], {
        cwd: project,
        env,
      });
      await run(binary, [bin('blog'), '--help'], { cwd: project });
      const importing = run(binary, [bin('blog'), 'import', 'posts'], {
        cwd: project,
        env: { XDG_CONFIG_HOME: project },
      });
      const { stderr } = await importing.catch((error: { stderr: string }) => error);
      // It reads the folder before that.
      if (!stderr.startsWith('Not signed in')) throw new Error(`blog import: ${stderr}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
}
await attempt(workers.name, async () => {
  const server = await startApi();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await tryInWorkers(await install(workers), project, { baseUrl, body, signature }).finally(() => {
    server.closeAllConnections();
    server.close();
  });
});
await rm(folder, { recursive: true });
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
