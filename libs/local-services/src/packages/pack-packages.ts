import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleDependencies } from './bundle-dependencies.ts';
import { checkPackage } from './check-package.ts';

const run = promisify(execFile);

/** What others install: folders of `libs`, which are the names of the tarballs, too. */
export const PUBLISHED_PACKAGES = ['client', 'receiver', 'blog-cli'] as const;

/** The file beside the tarballs that names them. */
export const PACKAGES_INDEX = 'index.json';

/** One of them, as the index has it. */
export interface PackedPackage {
  /** As it is imported: `@blog-content/client`. */
  readonly name: string;
  readonly version: string;
  /** The same content under a name of its own, which may be cached forever. */
  readonly file: string;
  readonly bytes: number;
  /** As lockfiles of npm have it. */
  readonly integrity: string;
}

/** The published packages by the names of their tarballs. */
export type PackagesIndex = Readonly<Record<string, PackedPackage>>;

/**
 * Builds, checks and packs the published packages into the folder, which is made: `<name>.tgz`, the same as
 * `<name>-<version>-<hash>.tgz`, and `index.json`. The same sources give the same bytes. Each tarball brings along what
 * it depends on: it can be installed where no registry is reached.
 *
 * @throws an `Error` that lists what is wrong with a package.
 */
export async function packPackages(root: string, folder: string): Promise<PackagesIndex> {
  const staging = await mkdtemp(join(tmpdir(), 'blog-content-pack-'));
  try {
    await mkdir(folder, { recursive: true });
    const newest = await newestVersion(root);
    const index: Record<string, PackedPackage> = {};
    for (const name of PUBLISHED_PACKAGES) index[name] = await pack(root, { name, newest, staging, folder });
    await writeFile(join(folder, PACKAGES_INDEX), `${JSON.stringify(index, null, 2)}\n`);
    return index;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

interface Place {
  readonly name: string;
  /** The newest version of the changelog. */
  readonly newest: string;
  readonly staging: string;
  readonly folder: string;
}

async function pack(root: string, { name, newest, staging, folder }: Place): Promise<PackedPackage> {
  const source = join(root, 'libs', name);
  const target = join(staging, name);
  await mkdir(target);
  await compile(root, source, target);
  for (const file of ['README.md', 'LICENSE']) await cp(join(source, file), join(target, file));
  const manifest = withoutWorkspace(JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest);
  const bundled = await bundleDependencies(root, source, target);
  await writeFile(
    join(target, 'package.json'),
    `${JSON.stringify({ ...manifest, ...(bundled.length > 0 && { bundleDependencies: bundled }) }, null, 2)}\n`,
  );
  const problems = await checkPackage(target, { newest });
  if (problems.length > 0) throw new Error(`${manifest.name} cannot be packed:\n${problems.join('\n')}`);

  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', staging], {
    cwd: target,
  });
  const [{ filename }] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>) as [
    { filename: string },
  ];
  const content = await readFile(join(staging, filename));
  const hash = createHash('sha512').update(content).digest();
  const file = `${name}-${manifest.version}-${hash.toString('hex').slice(0, 12)}.tgz`;
  for (const place of [file, `${name}.tgz`]) {
    await writeFile(join(folder, `.${place}`), content);
    await rename(join(folder, `.${place}`), join(folder, place));
  }
  return {
    ...{ name: manifest.name, version: manifest.version, file },
    ...{ bytes: content.length, integrity: `sha512-${hash.toString('base64')}` },
  };
}

/** By itself: a package needs nothing of the workspace to be built, and nothing of an earlier build comes along. */
async function compile(root: string, source: string, target: string): Promise<void> {
  const args = ['-p', join(source, 'tsconfig.lib.json'), '--outDir', join(target, 'dist')];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const info = ['--tsBuildInfoFile', join(target, '..', `${source.split('/').at(-1)}.tsbuildinfo`)];
  await run(process.execPath, [tsc, ...args, ...info]).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${source} does not compile:\n${error.stdout || error.message}`);
  });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly nx?: unknown;
  readonly devDependencies?: unknown;
}

/** Leaves out what only this workspace reads. */
function withoutWorkspace({ nx: _nx, devDependencies: _development, exports, ...rest }: Manifest) {
  return {
    ...rest,
    ...(exports && {
      exports: Object.fromEntries(
        Object.entries(exports).map(([path, { '@blog-content/source': _source, ...conditions }]) => [path, conditions]),
      ),
    }),
  };
}

async function newestVersion(root: string): Promise<string> {
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(changes) ?? [];
  if (newest === undefined) throw new Error('CHANGELOG.md has no version.');
  return newest;
}
