import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackages } from '@blog-content/local-services';
import { eventually } from '@blog-content/testing';
import { createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const run = promisify(execFile);

let folder: string;
let stack: Stack;
let project: TestProject;
beforeAll(async () => {
  stack = await startStack({ packagesFolder: await buildPackages() });
  project = await createProject(stack.owner, { siteUrl: 'https://example.com' });
  const { id } = await stack.owner.post<{ id: string }>(`projects/${project.id}/blogs`, { title: 'Salt', content: '' });
  await stack.owner.post(`projects/${project.id}/blogs/${id}/publish`);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-installed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => stack?.[Symbol.asyncDispose]());

/** In an empty folder, with no registry to be reached. */
const inFolder = (command: string, ...args: string[]) =>
  run(command, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      BLOG_PASSWORD: stack.settings.ownerPassword,
      BLOG_PROJECT: project.id,
      npm_config_registry: 'http://127.0.0.1:1/',
      npm_config_update_notifier: 'false',
    },
  });
const addressOf = (file: string) => `${stack.local.origin}/packages/${file}`;

describe('the packages of a running origin', () => {
  it('are installed from there, and read posts and receive webhooks', async () => {
    await inFolder('npm', 'install', '--no-audit', '--no-fund', addressOf('client.tgz'), addressOf('receiver.tgz'));
    await writeFile(
      join(folder, 'site.mjs'),
      `import { createClient } from '@blog-content/client';
import { fileCache } from '@blog-content/client/file-cache';
import { createReceiver, memoryStore } from '@blog-content/receiver';
const blog = createClient({ baseUrl: '${stack.local.origin}', key: '${project.publicKey}', cache: fileCache('cache') });
for await (const { slug } of blog.all()) console.log(slug);
console.log(typeof createReceiver({ secret: 'a-secret-of-your-own', idempotency: memoryStore(), onPost: () => ({}) }));`,
    );
    await eventually(async () => expect((await inFolder('node', 'site.mjs')).stdout).toMatch(/^salt\n/));
  });

  it('run the command line without installing it, and without a stranger’s package', async () => {
    const blog = (...args: string[]) =>
      inFolder('npx', '--yes', `--package=${addressOf('blog-cli.tgz')}`, 'blog', ...args);
    await blog('sign-in', '--email', stack.settings.ownerEmail, '--origin', stack.local.origin);
    expect((await blog('list')).stdout).toContain('salt');
  });

  it('are named by an index, whose files have the size and the hash that it says', async () => {
    const index = (await (await fetch(addressOf('index.json'))).json()) as Record<
      string,
      { name: string; version: string; file: string; bytes: number; integrity: string }
    >;
    expect(Object.keys(index)).toEqual(['client', 'receiver', 'blog-cli']);
    await inFolder('npm', 'install', '--no-audit', '--no-fund', addressOf(index['client']!.file));
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; integrity: string }>;
    };
    const { version, integrity } = index['client']!;
    expect(lock.packages['node_modules/@blog-content/client']).toMatchObject({ version, integrity });
    for (const [name, { file, bytes }] of Object.entries(index)) {
      const [one, other] = await Promise.all(
        [file, `${name}.tgz`].map(async (path) => (await fetch(addressOf(path))).bytes()),
      );
      expect([one!.length, other!.length]).toEqual([bytes, bytes]);
      expect(Buffer.compare(one!, other!)).toBe(0);
    }
  });
});
