import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyBinaries, findBinaries, findInstalledBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { mayEnter, systemUser, type SystemUser } from './system-user.ts';

/** Where everything of one PostgreSQL cluster is. */
export interface PostgresCluster {
  readonly folder: string;
  /** Everything to delete with a disposable server. */
  readonly folders: readonly string[];
  readonly user: SystemUser | undefined;
  readonly password: string;
  readonly postgres: string;
}

/**
 * Where root keeps what the system user may not reach in its place, as in a checkout under /root: the cluster, and a
 * copy of the binaries.
 */
const sharedFolder = '/var/lib/blog-content-service';

/** The only role of an embedded cluster. */
export const clusterRole = 'blog_content';

/**
 * Opens the cluster in `dataDir`, creating it on first use: a random password (file mode 600), SCRAM for every
 * connection, and a locale that is part of PostgreSQL itself, so that text sorts the same on every machine. `installed`
 * as for `startPostgres`.
 */
export async function openCluster(dataDir: string, installed: boolean): Promise<PostgresCluster> {
  await mkdir(dataDir, { recursive: true });
  const user = systemUser();
  const { base, binaries } = await placesFor(dataDir, user, installed);
  const { postgres } = binaries;
  const folder = join(base, 'cluster');
  const passwordFile = join(dataDir, 'password');
  const folders = [...new Set([dataDir, base])];
  if (existsSync(join(folder, 'PG_VERSION')) && existsSync(passwordFile)) {
    return { folder, folders, user, password: (await readFile(passwordFile, 'utf8')).trim(), postgres };
  }

  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  // Built beside its final place and renamed: a run that dies half-way leaves nothing that looks like a cluster.
  const unfinished = join(base, 'cluster.unfinished');
  await rm(folder, { recursive: true, force: true });
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (user) await chown(unfinished, user.uid, user.gid);
  const handedOver = join(base, 'password.handed-over');
  await rm(handedOver, { force: true });
  try {
    await writeFile(handedOver, `${password}\n`, { mode: 0o600 });
    if (user) await chown(handedOver, user.uid, user.gid);
    await runInitdb(binaries, unfinished, handedOver, user);
  } finally {
    await rm(handedOver, { force: true });
  }
  await rename(unfinished, folder);
  return { folder, folders, user, password, postgres };
}

/** Where the cluster goes and which binaries make and serve it, so that `user` may enter both. */
async function placesFor(
  dataDir: string,
  user: SystemUser | undefined,
  installed: boolean,
): Promise<{ base: string; binaries: PostgresBinaries }> {
  const binaries = (installed ? await findInstalledBinaries() : null) ?? (await findBinaries());
  if (user === undefined) return { base: dataDir, binaries };
  // Enough to pass through to `cluster`, not to list; `password` has a mode of its own.
  await chmod(dataDir, 0o711);
  let base = dataDir;
  if (!mayEnter(user, dataDir)) {
    base = join(sharedFolder, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));
    await mkdir(base, { recursive: true });
    for (const folder of [sharedFolder, base]) await chmod(folder, 0o711);
  }
  return { base, binaries: mayEnter(user, binaries.postgres) ? binaries : await copyBinaries(binaries, sharedFolder) };
}

async function runInitdb(
  { initdb, hasBuiltinLocales }: PostgresBinaries,
  folder: string,
  passwordFile: string,
  user: SystemUser | undefined,
): Promise<void> {
  const child = spawn(
    initdb,
    [
      `--pgdata=${folder}`,
      `--username=${clusterRole}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...(hasBuiltinLocales
        ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
        : ['--lc-collate=C', '--lc-ctype=C.UTF-8']),
      '--data-checksums',
      '--no-sync',
      '--no-instructions',
    ],
    // Its own process group, as for the server: Ctrl-C must not leave a half-made cluster behind an owner that goes on.
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...process.env, LC_ALL: 'C' }, ...user },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  if ((await promise) !== 0) throw new Error(`PostgreSQL could not create its data directory:\n${output.trim()}`);
}
