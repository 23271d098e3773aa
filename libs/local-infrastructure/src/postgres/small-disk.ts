import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(64 * 1024);

/** Whether this process may mount file systems: as root, with the right to do so. */
export const mayMount = (): boolean => spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;

/** A disk that can be full. */
export interface SmallDisk extends AsyncDisposable {
  /** Writes until nothing more fits. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  free(): Promise<void>;
}

/** Mounts a disk of `sizeMib` MiB in memory at `folder`. Needs {@link mayMount}. */
export async function mountSmallDisk(folder: string, sizeMib: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=711`, 'small-disk', folder);
  const ballast = join(folder, 'ballast');
  return {
    async fill() {
      const file = await open(ballast, 'a');
      try {
        for (let size = CHUNK.length; size >= 512;) {
          const { bytesWritten } = await file.write(CHUNK, 0, size).catch((error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOSPC') return { bytesWritten: 0 };
            throw error;
          });
          if (bytesWritten < size) size /= 2;
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    [Symbol.asyncDispose]() {
      // What still has files open there keeps them until it ends.
      run('umount', '--lazy', folder);
      return Promise.resolve();
    },
  };
}

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${stderr.trim()}`);
}

/**
 * Stops all processes of the server at `dataDir` (as given to `startPostgres`) as a frozen disk would, or lets them
 * continue.
 */
export function signalPostgres(dataDir: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const [postmaster = ''] = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === postmaster);
  for (const pid of [postmaster, ...children]) process.kill(Number(pid), signal);
}

function parentOf(pid: string): string | undefined {
  try {
    // After the name of the program, which may contain anything: state, parent.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    return undefined;
  }
}
