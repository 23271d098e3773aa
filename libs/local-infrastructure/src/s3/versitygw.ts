import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

// An S3 server in one program, which no package registry of ours has ready: it is built once on each machine.
const VERSION = 'v1.8.0';
const SOURCE = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;
/** A build takes one to five minutes; one that hangs must end before a whole test run would. */
const MAX_BUILD_MS = 540_000;

/** Thrown when this machine has no S3 server and cannot build one; the message says what to install. */
export class S3UnavailableError extends Error {
  override readonly name = 'S3UnavailableError';
}

/** Outside of the checkout: every checkout of this user shares it. */
function folderOfVersion(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'blog-content-service', 'versitygw', VERSION);
}

/** Whether an S3 server can be started here: it was built before, or can be. Starts and builds nothing. */
export function s3Availability():
  | { readonly available: true }
  | { readonly available: false; readonly reason: string } {
  if (existsSync(join(folderOfVersion(), 'versitygw')) || hasGo()) return { available: true };
  const reason = 'The S3 server (versitygw) is built once. This requires Go 1.21 or newer on the PATH.';
  return { available: false, reason };
}

/** The path of the server's program, which is built when it is not there yet. @throws S3UnavailableError */
export async function versitygw(onProgress?: (message: string) => void): Promise<string> {
  const folder = folderOfVersion();
  const program = join(folder, 'versitygw');
  if (existsSync(program)) return program;
  const availability = s3Availability();
  if (!availability.available) throw new S3UnavailableError(availability.reason);
  onProgress?.(`Building the S3 server (versitygw ${VERSION}) with Go, once; takes a few minutes`);
  await mkdir(folder, { recursive: true });
  // Built beside its final place and renamed: runs that start together each see a whole program or none.
  const unfinished = await mkdtemp(join(folder, 'unfinished-'));
  try {
    await build(unfinished);
    await rename(join(unfinished, 'versitygw'), program);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return program;
}

function hasGo(): boolean {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

async function build(folder: string): Promise<void> {
  const child = spawn('go', ['install', '-trimpath', '-ldflags=-s -w', SOURCE], {
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
  if (code !== 0) throw new S3UnavailableError(`Go could not build versitygw:\n${output.trim()}`);
}
