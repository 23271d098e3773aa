import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Of util-linux: binds a process to cores. */
const TASKSET = 'taskset';

/** Which core the server under test has for itself, and which one everything else shares. */
export interface Cores {
  readonly server: number;
  readonly load: number;
}

/**
 * Moves this process, and with it all that it starts from now on, to the load's core; the server under test is started
 * on the other one. Null when that cannot be done, after having said why: then everything shares all cores.
 */
export function pinToLoadCore(): Cores | null {
  const cores = { server: cpus().length - 1, load: 0 };
  if (cores.server === cores.load) return unpinned('there is only one core');
  const { error, status } = moveTo(cores.load);
  if (error) return unpinned('there is no `taskset` (util-linux)');
  return status === 0 ? cores : unpinned('`taskset` was refused');
}

/** Has `start` start its processes on the server's core, for what cannot be started with {@link onCore}. */
export async function startOnServerCore<Started>(cores: Cores | null, start: () => Promise<Started>): Promise<Started> {
  if (cores === null) return start();
  moveTo(cores.server);
  try {
    return await start();
  } finally {
    moveTo(cores.load);
  }
}

function moveTo(core: number) {
  return spawnSync(TASKSET, ['-acp', String(core), String(process.pid)]);
}

function unpinned(why: string): null {
  console.log(`! Nothing is pinned: ${why}. Load and server share the cores, and the ratios mean less.`);
  return null;
}

/** The command that runs `command` on a core; on any when that is undefined. */
export function onCore(core: number | undefined, command: string, args: readonly string[]): [string, string[]] {
  return core === undefined ? [command, [...args]] : [TASKSET, ['-c', String(core), command, ...args]];
}
