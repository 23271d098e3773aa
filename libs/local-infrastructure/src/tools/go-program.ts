import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs that no package registry of ours has ready: each is built once on each machine, from its Go module. */
const PROGRAMS = {
  versitygw: { command: 'github.com/versity/versitygw/cmd/versitygw', version: 'v1.8.0', what: 'an S3 server' },
  helm: { command: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0', what: 'renders the Helm chart' },
  kustomize: { command: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.8.0', what: 'renders k8s/' },
} as const;

export type GoProgram = keyof typeof PROGRAMS;

/** A build takes one to five minutes; one that hangs must end before a whole test run would. */
const MAX_BUILD_MS = 540_000;

/** Outside of the checkout: every checkout of this user shares it. */
const folderOf = (name: GoProgram) =>
  join(
    process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
    'blog-content-service',
    name,
    PROGRAMS[name].version,
  );

/** Whether a program was built before, or can be. Builds nothing. */
export function hasGoProgram(name: GoProgram): boolean {
  return existsSync(join(folderOf(name), name)) || spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

/** The path of a program, which is built when it is not there yet. @throws Error with the end of what Go printed */
export async function goProgram(name: GoProgram, onProgress?: (message: string) => void): Promise<string> {
  const folder = folderOf(name);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  const { command, version, what } = PROGRAMS[name];
  onProgress?.(`Building ${name} ${version} (${what}) with Go, once; takes a few minutes`);
  await mkdir(folder, { recursive: true });
  // Built beside its final place and renamed: runs that start together each see a whole program or none.
  const unfinished = await mkdtemp(join(folder, 'unfinished-'));
  try {
    await build(`${command}@${version}`, unfinished);
    await rename(join(unfinished, name), program);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return program;
}

async function build(source: string, folder: string): Promise<void> {
  const child = spawn('go', ['install', '-trimpath', '-ldflags=-s -w', source], {
    cwd: folder,
    env: { ...process.env, GOBIN: folder, GOFLAGS: '', CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: MAX_BUILD_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`Go could not build ${source}:\n${output.trim()}`);
}
