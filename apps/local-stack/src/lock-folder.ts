import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Who uses a data folder. */
interface Holder {
  readonly pid: number;
  readonly origin: string;
}

/**
 * Takes the folder for this process, so that two starts never share one set of data; returns what gives it back. A lock
 * left by a process that is gone is taken over.
 *
 * @throws when another start uses it, whose process and address the message names.
 */
export async function lockFolder(folder: string, origin: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock');
  const mine: Holder = { pid: process.pid, origin };
  // Linked when it is complete, so that no reader sees half of it.
  const whole = `${file}.${process.pid}`;
  await writeFile(whole, JSON.stringify(mine));
  try {
    return await takeLock(folder, file, whole);
  } finally {
    await rm(whole, { force: true });
  }
}

async function takeLock(folder: string, file: string, whole: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await link(whole, file);
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = holderIn(await readFile(file, 'utf8').catch(() => ''));
      if (holder !== null && (await isStart(holder.pid))) {
        throw new Error(
          `npm start is already running with ${folder}, at ${holder.origin} (process ${holder.pid}). ` +
            `Stop it (Ctrl-C, or kill ${holder.pid}), or choose another --data and --port.`,
          { cause: error },
        );
      }
      await rm(file, { force: true });
    }
  }
  throw new Error(`${file} is locked. Delete it if no other npm start is running.`);
}

/** Null for what no start has written, or not to its end. */
function holderIn(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && holder.pid > 0
      ? { pid: holder.pid, origin: String(holder.origin) }
      : null;
  } catch {
    return null;
  }
}

/** Whether the process runs, and is no other that got its number later, as far as the system says. */
async function isStart(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  return commandLine === null || commandLine.includes('local-stack/src/main');
}
