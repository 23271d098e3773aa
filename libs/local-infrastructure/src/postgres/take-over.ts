import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A data folder that only one server may use. */
export interface ClaimedFolder {
  /** What runs on it, for messages: "PostgreSQL". */
  readonly server: string;
  readonly dataDir: string;
  /** The file in whose first line the server's process id is. */
  readonly pidFile: string;
  /** Part of the server's command line, by which a process that merely got its number later is told apart. */
  readonly commandLine: string;
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
}

const ownerFile = (dataDir: string) => join(dataDir, 'owner.pid');
const stopTimeoutMs = 30_000;

/**
 * Makes sure that no server of an earlier run still uses the folder, and notes this process as its owner. A server
 * whose owner is gone is stopped first; with a living owner it throws.
 */
export async function takeOver(folder: ClaimedFolder): Promise<void> {
  const deadline = Date.now() + stopTimeoutMs;
  for (;;) {
    const pid = await firstNumberIn(folder.pidFile);
    if (pid === undefined || !(await runs(pid, folder.commandLine))) break;
    const owner = await firstNumberIn(ownerFile(folder.dataDir));
    if (owner !== undefined && isAlive(owner)) {
      throw new Error(`${folder.server} is already running on ${folder.dataDir}, process ${owner}. Stop it first.`);
    }
    if (Date.now() > deadline) {
      throw new Error(`${folder.server} (process ${pid}) from an earlier run doesn’t stop.`);
    }
    process.kill(pid, folder.stopSignal);
    await sleep(200);
  }
  // Otherwise PostgreSQL would refuse to start when something else has the number that a crash left in its file.
  await rm(folder.pidFile, { force: true });
  await writeFile(ownerFile(folder.dataDir), `${process.pid}\n`);
}

/** Takes the note back, once the server has stopped. */
export async function handBack(dataDir: string): Promise<void> {
  await rm(ownerFile(dataDir), { force: true });
}

async function firstNumberIn(file: string): Promise<number | undefined> {
  const number = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Systems without /proc cannot say what a process is: there, being alive is taken for being the server. */
async function runs(pid: number, commandLine: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(commandLine);
}
