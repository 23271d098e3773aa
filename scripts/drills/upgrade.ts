// From the last release to the present sources and back, as a rolling update does it: both run at once in between.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, signIn, startLocalServices } from '@blog-content/local-services';
import { startReceiver } from '@blog-content/testing';
import type { Drill } from './parts/drill.ts';
import { publishSteadily } from './parts/publish-steadily.ts';

const root = join(import.meta.dirname, '../..');
const RELEASE = 'docs/released-migrations.json';
const PHASE_MS = 12_000;

export const drill: Drill = async ({ args, folder, resources, say, check }) => {
  const commit = args[0] ?? git('log', '-1', '--format=%H', '--', RELEASE);
  if (commit === '') {
    throw new Error(
      'This clone has no history of the last release. Fetch it: git fetch --unshallow. Or name a commit.',
    );
  }
  say(`The last release is ${git('log', '-1', '--format=%h of %cs: %s', commit)}`);
  const older = checkOut(commit, resources);
  const release = (await import(join(older, 'libs/local-services/src/index.ts'))) as {
    readonly startLocalServices: typeof startLocalServices;
  };
  say('Its sources and database clients are ready');

  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    databaseUrl: '',
    installed: true,
    settings: { fsync: 'off' },
  });
  resources.defer(() => postgres.stop());
  const receiver = await startReceiver();
  resources.defer(() => receiver.close());
  const settings = await createLocalSettings();
  const start = async (name: string, of: { readonly startLocalServices: typeof startLocalServices }) => {
    const local = await of.startLocalServices({
      databaseUrl: postgres.url,
      settings,
      logFolder: join(folder, name),
      imageFolder: join(folder, 'images'),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= local.stop());
    resources.defer(stop);
    say(`Runs: ${name}`);
    return { origin: local.origin, stop };
  };

  const before = await start('n-1', release);
  const owner = await signIn(before.origin, settings.ownerEmail, settings.ownerPassword);
  const load = await publishSteadily({ origin: before.origin, owner, receiver });
  resources.defer(() => load.stop());
  await sleep(PHASE_MS);

  const present = await start('n', { startLocalServices });
  say('The databases are migrated, and both versions run');
  load.moveTo(present.origin);
  await sleep(PHASE_MS);
  await before.stop();
  say('Only n runs');
  await sleep(PHASE_MS);

  const after = await start('n-1 again', release);
  load.moveTo(after.origin);
  await sleep(PHASE_MS);
  await present.stop();
  say('Only n-1 runs, on the migrated databases');
  await sleep(PHASE_MS);
  await load.finish({ say, check });
};

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}

/** The sources of a commit, with the installed packages and database clients of their own. */
function checkOut(commit: string, resources: AsyncDisposableStack): string {
  // On the disk of the installed packages, which can then be linked instead of copied.
  const folder = join(root, '.data', `release-${process.pid}`);
  mkdirSync(join(folder, '..'), { recursive: true });
  git('worktree', 'add', '--detach', folder, commit);
  resources.defer(() => {
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
  });
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const group of ['apps', 'libs']) {
    for (const name of readdirSync(join(folder, group))) {
      const own = join(root, group, name, 'node_modules');
      if (existsSync(own)) linkPackages(own, join(folder, group, name, 'node_modules'));
      if (!existsSync(join(folder, group, name, 'prisma/schema.prisma'))) continue;
      const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/generate-prisma-client.mjs')], {
        cwd: join(folder, group, name),
        encoding: 'utf8',
        env: { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` },
      });
      if (status !== 0) throw new Error(`No database client of ${name}: ${stderr}`);
    }
  }
  return folder;
}

/** The names of this workspace's own packages lead to the folders beside them; all others to what is installed. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === '.cache' || name === '.prisma') continue;
    const { status, stderr } = spawnSync('cp', ['-al', join(from, name), join(to, name)], { encoding: 'utf8' });
    if (status !== 0) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    if (status !== 0 && !existsSync(join(to, name))) throw new Error(stderr);
  }
}
