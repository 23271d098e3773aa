// `npm run try-examples`: builds the sites in examples/ against the running product, has posts change, and builds
// again.
import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { checkSite } from './try-examples/check-site.ts';
import { examples, type InstalledExample } from './try-examples/examples.ts';
import { startLoad } from './try-examples/load.ts';
import { publishProject } from './try-examples/project.ts';
import { startStack } from './try-examples/start-stack.ts';

const usage = `Usage: npm run try-examples [-- options]

Builds the sites in examples/ with 250 posts and checks their pages. Then changes 50 posts while other projects read and
publish, waits for the deploy hook, rebuilds, and checks the changes.

Exit codes: 0 success, 1 failure, 2 usage error.

  --only <name>   one example: astro, eleventy, hugo, next, nuxt or sveltekit
  --help          show this

Environment:
  DATABASE_URL    an existing PostgreSQL server (default: embedded)`;

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const names = Object.keys(examples).filter((name) => values.only === undefined || values.only === name);
if (names.length === 0) {
  console.error(`Unknown example “${values.only}”.\n\n${usage}`);
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const failures: string[] = [];
/** What is wrong with one site, at most. */
const MAX_SENTENCES = 10;
const HOOK_WITHIN_MS = 60_000;

/** The packages as they are published, where the examples' package.json look for them. */
async function packPackages(folder: string): Promise<void> {
  await mkdir(join(folder, 'libs'));
  for (const name of ['client', 'receiver']) {
    await run('tsc', ['-p', `libs/${name}/tsconfig.lib.json`], { cwd: root });
    await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'libs', name) });
    const tarball = (await readdir(folder)).find((file) => file.includes(`-${name}-`)) ?? '';
    await run('tar', ['-xzf', tarball], { cwd: folder });
    await rename(join(folder, 'package'), join(folder, 'libs', name));
  }
}

/** A host's build hook. */
async function startBuildHook(resources: AsyncDisposableStack) {
  const requests = new EventEmitter();
  const server = createServer((_, response) => {
    requests.emit('request');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Until the next request. @throws when none comes. */
    requested: () => once(requests, 'request', { signal: AbortSignal.timeout(HOOK_WITHIN_MS) }),
  };
}

/** Tries something of an example; what it throws is a failure of the example. */
async function attempt<Result>(what: string, act: () => Promise<Result>): Promise<Result | null> {
  const startedAt = performance.now();
  try {
    const result = await act();
    console.log(`${what}: ok (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    return result;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    failures.push(`${what}: ${message.split('\n')[0]}\n${`${stdout}\n${stderr}`.trim().slice(-3_000)}`);
    return null;
  }
}

async function main(resources: AsyncDisposableStack): Promise<void> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-examples-'));
  resources.defer(() => rm(folder, { recursive: true }));
  await packPackages(folder);
  const stack = resources.use(await startStack(join(folder, 'stack')));
  const project = await publishProject(stack);
  const hook = await startBuildHook(resources);
  await project.setDeployHook(hook.url);
  console.log(`250 posts at ${stack.origin}`);

  const buildAndCheck = (name: string, when: string, installed: InstalledExample) =>
    attempt(`${name}, ${when}`, async () => {
      const wrong = await checkSite(await installed.build(), project);
      if (wrong.length > 0) throw new Error([`${wrong.length} wrong`, ...wrong.slice(0, MAX_SENTENCES)].join('; '));
    });
  const built = new Map<string, InstalledExample>();
  for (const name of names) {
    const install = examples[name]!;
    const installed = await attempt(`${name}, installed`, () =>
      install({ root, folder, origin: stack.origin, project }),
    );
    if (installed === null) continue;
    resources.use(installed);
    if ((await buildAndCheck(name, 'built', installed)) !== null) built.set(name, installed);
  }
  const load = await startLoad(stack, project.publicKey);
  await Promise.all([hook.requested(), project.change()]);
  console.log('50 changes; the deploy hook was requested');
  for (const [name, installed] of built) await buildAndCheck(name, 'after 50 changes', installed);
  const { reads, publishes } = await load.stop();
  console.log(`concurrently: ${reads} reads and ${publishes} publishes of other projects, none failed`);
  console.log(`${names.length} examples in ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

const resources = new AsyncDisposableStack();
try {
  await main(resources);
} catch (error) {
  failures.push((error as Error).stack ?? String(error));
} finally {
  await resources.disposeAsync();
}
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
