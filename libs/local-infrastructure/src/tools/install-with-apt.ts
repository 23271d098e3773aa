import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Tool } from './tools.ts';

/** The package manager of Debian and Ubuntu, as this user has it. */
export interface Apt {
  /** As root, or by a sudo that needs no password or can ask for it. */
  readonly mayInstall: boolean;
  /** What is put before each command. */
  readonly sudo: readonly string[];
  packagesOf(tools: readonly Tool[]): string[];
}

/** Null on other systems. */
export function aptOf(): Apt | null {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/etc/debian_version')) return null;
  const packagesOf = (tools: readonly Tool[]) => tools.flatMap((tool) => [packageOf(tool), ...(tool.alsoDebian ?? [])]);
  if (process.getuid?.() === 0) return { mayInstall: true, sudo: [], packagesOf };
  const asksNobody = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (asksNobody) return { mayInstall: true, sudo: ['sudo', '-n'], packagesOf };
  const hasSudo = spawnSync('sudo', ['-V'], { stdio: 'ignore' }).error === undefined;
  return { mayInstall: hasSudo && process.stdin.isTTY, sudo: ['sudo'], packagesOf };
}

/** The first package that the system knows; the first of all when it knows none. */
function packageOf({ debian }: Tool): string {
  const isKnown = (name: string) =>
    /^ {2}Candidate: (?!\(none\))/m.test(spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' }).stdout ?? '');
  return debian.find(isKnown) ?? debian[0] ?? '';
}

/** Installs the packages of the tools. @returns what went wrong, in words for a person; null when nothing did. */
export async function installWithApt(apt: Apt, tools: readonly Tool[]): Promise<string | null> {
  const update = await run([...apt.sudo, 'apt-get', 'update', '-qq']);
  // A list that cannot be fetched may be known from before.
  const failures = update === null ? [] : [update];
  const groups = [
    { packages: apt.packagesOf(tools.filter(({ isLean }) => !isLean)), options: [] },
    { packages: apt.packagesOf(tools.filter(({ isLean }) => isLean)), options: ['--no-install-recommends'] },
  ];
  for (const { packages, options } of groups) {
    // One by one: a package that this system does not have keeps none of the others away.
    const together = await install(apt, packages, options);
    if (together === null) continue;
    for (const name of packages) {
      const failure = await install(apt, [name], options);
      if (failure !== null) failures.push(failure);
    }
  }
  return failures.length === 0 ? null : failures.join('; ');
}

async function install(apt: Apt, packages: readonly string[], options: readonly string[]): Promise<string | null> {
  if (packages.length === 0) return null;
  const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-qq'];
  return run([...apt.sudo, ...quietly, ...options, ...packages]);
}

/** Null when the command succeeds, else its last line. */
function run([command = '', ...args]: readonly string[]): Promise<string | null> {
  const child = spawn(command, args, { stdio: ['inherit', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : (said.trim().split('\n').at(-1) ?? `exit code ${code}`)));
  });
}
