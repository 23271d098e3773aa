import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findWorkspaceRoot, packageRoot } from '../workspace-root.ts';

const pom = join(packageRoot, 'kafka', 'pom.xml');

/** Where the jars of the current `pom.xml` are kept: an ignored folder all runs of this checkout share. */
export async function kafkaJarsFolder(): Promise<string> {
  const version = createHash('sha256')
    .update(await readFile(pom))
    .digest('hex')
    .slice(0, 12);
  return join(findWorkspaceRoot(), '.data', 'kafka-libs', version);
}

/** Returns the folder of Kafka's jars, resolving them with Maven the first time (45 jars, 43 MB). */
export async function resolveKafkaJars(onProgress?: (message: string) => void): Promise<string> {
  const folder = await kafkaJarsFolder();
  if (existsSync(folder)) return folder;
  onProgress?.('Downloading Apache Kafka with Maven (43 MB, once)');
  const parent = join(folder, '..');
  await mkdir(parent, { recursive: true });
  // Filled beside its final place and renamed: runs that start together each see a complete folder or none.
  const unfinished = await mkdtemp(join(parent, 'unfinished-'));
  try {
    await runMaven(['-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`]);
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Whether Maven is on the PATH. */
export function hasMaven(): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v mvn'], { stdio: 'ignore' }).status === 0;
}

async function runMaven(args: string[]): Promise<void> {
  const child = spawn('mvn', ['--batch-mode', '--quiet', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  if ((await promise) !== 0) throw new Error(`Maven could not download Kafka:\n${output.trim().slice(-2_000)}`);
}
